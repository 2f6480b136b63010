// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// Several sources as one demand: all of them, or one of them.
struct Combination: PolicySource {
  let isAll: Bool
  let parts: [any PolicySource]

  func policy(for host: HostName?, at time: Timestamp) -> CompositePolicy {
    let policies = parts.map { $0.policy(for: host, at: time) }
    return isAll ? .all(policies) : .any(policies)
  }
}

/// A source whose demand is judged for another host.
struct ForOtherHost: PolicySource {
  let host: HostName
  let part: any PolicySource

  func policy(for host: HostName?, at time: Timestamp) -> CompositePolicy {
    .forHost(self.host, part.policy(for: self.host, at: time))
  }
}

/// A source at a fixed moment.
struct AtTime: PolicySource {
  let time: Timestamp
  let part: any PolicySource

  func policy(for host: HostName?, at time: Timestamp) -> CompositePolicy {
    part.policy(for: host, at: self.time).at(self.time)
  }
}
