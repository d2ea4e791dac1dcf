import Taskig
print(Task { 1 }.await())
