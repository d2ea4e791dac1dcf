// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the product's manifest stays bare.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Taskig", path: "..")],
  targets: [
    .executableTarget(
      name: "taskig-benchmarks", dependencies: [.product(name: "Taskig", package: "Taskig")])
  ],
  swiftLanguageModes: [.v6]
)
