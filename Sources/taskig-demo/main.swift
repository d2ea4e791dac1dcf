import Foundation

// When nobody reads the output any more, as in `taskig-demo | head -1`, what is written fails, and the command can end what it
// has begun. Ignoring the signal would have the same effect, but the commands that are started here would inherit that.
signal(SIGPIPE) { _ in }
// A stream that is closed would be the next file that is opened, and what is printed would go in there. This way it is an error.
for stream in 0...2 where fcntl(Int32(stream), F_GETFD) == -1 {
  _ = open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY)
}
exit(DemoTool.run(CommandLine.arguments.dropFirst()).code)
