import Taskig

let (name, age) = awaitAll(Task { "Ada" }, Task { 36 })
print(name, age)

let userTask = ThrowableTask { "ada" }
let postsTask = ThrowableTask { ["On the Analytical Engine"] }
let (user, posts) = try awaitAll(userTask, postsTask)
print(user, posts)
