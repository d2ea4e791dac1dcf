/// Visits objects that lead to one another, each once, since they may do so in a circle.
///
/// `neighbours` says where each leads. It keeps a list of its own: the way may be longer than a stack is deep.
func visit<Node: AnyObject>(from first: Node, _ neighbours: (Node) -> [Node]) {
  var nodes = [first]
  var seen: Set<ObjectIdentifier> = []
  while let node = nodes.popLast() {
    if seen.insert(ObjectIdentifier(node)).inserted { nodes += neighbours(node) }
  }
}
