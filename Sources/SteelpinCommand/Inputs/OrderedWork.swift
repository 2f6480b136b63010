// SPDX-License-Identifier: Apache-2.0
private import Glibc

/// Work on many inputs, a few at a time, whose results come in the order of the inputs.
enum OrderedWork {
  /// How many processors there are to work with.
  static var processors: Int { max(1, Int(sysconf(CInt(_SC_NPROCESSORS_ONLN)))) }

  static func results<Input: Sendable, Output: Sendable>(
    of inputs: [Input], atOnce width: Int, _ work: @escaping @Sendable (Input) async -> Output
  ) -> AsyncStream<Output> {
    AsyncStream { continuation in
      let task = Task {
        await withTaskGroup(of: (Int, Output).self) { group in
          var next = 0
          var awaited = 0
          var finished: [Int: Output] = [:]
          func start() {
            guard next < inputs.count else { return }
            let index = next
            group.addTask { (index, await work(inputs[index])) }
            next += 1
          }
          for _ in 0..<width { start() }
          for await (index, output) in group {
            start()
            finished[index] = output
            while let ready = finished.removeValue(forKey: awaited) {
              continuation.yield(ready)
              awaited += 1
            }
          }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
