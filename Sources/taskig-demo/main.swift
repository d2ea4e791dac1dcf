import Foundation

// A parent may have left this signal ignored. By default it ends the program at once and quietly when nobody
// reads its output any more, as in `taskig-demo | head -1`.
signal(SIGPIPE, SIG_DFL)
exit(DemoTool.run(CommandLine.arguments.dropFirst()).rawValue)
