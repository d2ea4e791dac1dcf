import Dispatch

extension DispatchQueue {
  /// The system's global queue for work that the user waits for right now.
  public static var userInteractive: DispatchQueue { .global(qos: .userInteractive) }

  /// The system's global queue for work that the user has asked for and waits for.
  public static var userInitiated: DispatchQueue { .global(qos: .userInitiated) }

  /// The system's global queue for work that the user follows but does not wait for.
  public static var utility: DispatchQueue { .global(qos: .utility) }

  /// The system's global queue for work that the user does not see.
  public static var background: DispatchQueue { .global(qos: .background) }
}
