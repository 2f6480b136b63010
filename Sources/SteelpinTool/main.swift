// SPDX-License-Identifier: Apache-2.0
private import Glibc
internal import SteelpinCommand

let arguments = Array(CommandLine.arguments.dropFirst())
let status = await CommandRunner.run(arguments, backends: backends, console: .ofProcess())
exit(status.rawValue)
