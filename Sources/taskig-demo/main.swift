import Foundation

// When nobody reads the output any more, as in `taskig-demo | head -1`, what is written fails, and the command can end what it
// has begun. Ignoring the signal would have the same effect, but the commands that are started here would inherit that.
signal(SIGPIPE) { _ in }
exit(DemoTool.run(CommandLine.arguments.dropFirst()).code)
