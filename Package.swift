// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Taskig",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Taskig", targets: ["Taskig"]),
    .executable(name: "taskig-demo", targets: ["taskig-demo"]),
  ],
  targets: [
    .target(name: "Taskig"),
    .executableTarget(name: "taskig-demo", dependencies: ["Taskig"]),
    .testTarget(name: "TaskigTests", dependencies: ["Taskig"]),
    .testTarget(name: "TaskigAPITests", dependencies: ["Taskig"]),
    .testTarget(
      name: "TaskigAPISwift5Tests", dependencies: ["Taskig"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(name: "TaskigDemoTests", dependencies: ["taskig-demo"]),
  ],
  swiftLanguageModes: [.v6]
)
