import Testing

/// All tests of the demo.
///
/// They block while a child runs, so they take turns and leave the rest of the pool to others.
@Suite(.serialized)
enum DemoTests {}
