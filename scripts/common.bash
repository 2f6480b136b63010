# SPDX-License-Identifier: Apache-2.0
# Shared by the scripts of this directory; to be sourced.
# shellcheck shell=bash
set -euo pipefail

name=$(basename "$0")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# die STATUS MESSAGE [HINT]
die() {
  echo "$name: error: $2" >&2
  [ $# -lt 3 ] || echo "$name: hint: $3" >&2
  exit "$1"
}

# usage: the comment at the top of the script, which is its help.
usage() { awk 'NR > 2 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"; }

# find_swift: puts a Swift toolchain on PATH.
find_swift() {
  if ! command -v swift >/dev/null && [ -x /opt/swift/usr/bin/swift ]; then PATH=$PATH:/opt/swift/usr/bin; fi
  command -v swift >/dev/null ||
    die 69 "no Swift toolchain in PATH or /opt/swift/usr/bin" "install Swift 6.3 from https://swift.org/install"
}

# The options of release builds, which must be the same for all, since SwiftPM builds everything anew with others. Nobody
# loads symbols of the command, and looking past tens of thousands of them makes every start slower.
release_options=(--package-path "$root" -c release --static-swift-stdlib -Xlinker --no-export-dynamic)

# build_release: builds the command against the static Swift runtime and sets $steelpin to it.
build_release() {
  local options=("${release_options[@]}")
  find_swift
  swift build "${options[@]}" --product steelpin
  # shellcheck disable=SC2034 # for the script that sources this
  steelpin=$(swift build "${options[@]}" --show-bin-path)/steelpin
}

# build_library: builds libsteelpin, which has the Swift runtime inside and exports the functions of its header alone, and
# sets $library to it. SwiftPM links the runtime into executables only, so the last step is done here.
build_library() {
  local options=("${release_options[@]}") products libraries
  find_swift
  swift build "${options[@]}" --product steelpin-c
  products=$(swift build "${options[@]}" --show-bin-path)
  library=$products/libsteelpin.so.1
  read -ra libraries < <(pkg-config --libs openssl gnutls expat libpsl libidn2)
  swiftc -emit-library -static-stdlib -use-ld=lld "@$products/steelpin-c.product/Objects.LinkFileList" \
    "${libraries[@]}" -Xlinker --gc-sections -Xlinker -soname=libsteelpin.so.1 \
    -Xlinker "--version-script=$root/Sources/CSteelpin/steelpin.map" -Xlinker --strip-debug -o "$library"
}

# make_work_directory: sets $work, which is removed at the end together with the servers that were started.
make_work_directory() {
  servers=()
  work=$(mktemp -d)
  trap clean_up EXIT
}

clean_up() {
  local pid
  for pid in "${servers[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${servers[@]}"; do wait "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}

# serve_openssl PORT LEAF_DIRECTORY [OPTION...]: openssl s_server with a leaf that make-testcerts made.
serve_openssl() {
  local port=$1 leaf=$2
  # The first certificate of the chain file is the leaf again: s_server wants the issuers alone.
  sed '1,/-END CERTIFICATE-/d' "$leaf/chain.pem" >"$work/issuers-$port.pem"
  if [ -s "$work/issuers-$port.pem" ]; then set -- "$@" -cert_chain "$work/issuers-$port.pem"; fi
  serve "$port" openssl s_server -accept "127.0.0.1:$port" -www -cert "$leaf/cert.pem" -key "$leaf/key.pem" "${@:3}"
}

# serve PORT COMMAND...: starts a server, stopped by its own pid at the end, and waits until it accepts connections.
serve() {
  local port=$1 log=$work/server-$1.log pid
  shift
  "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  servers+=("$pid")
  for _ in $(seq 100); do
    if is_open "$port"; then return; fi
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.05
  done
  cat "$log" >&2
  die 69 "$1 does not listen on port $port"
}

is_open() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# free_port: sets $port to a port that nobody listens on, below the range from which the kernel takes
# ports for outgoing connections.
last_port=$((20000 + RANDOM % 10000))
free_port() {
  for _ in $(seq 1000); do
    last_port=$((last_port < 32000 ? last_port + 1 : 20000))
    port=$last_port
    grep -qi ":$(printf %04X "$port") " /proc/net/tcp /proc/net/tcp6 2>/dev/null || return 0
  done
  die 69 "no free port on the loopback interface"
}

# pin_of FILE: the pin of a certificate, as openssl computes it.
pin_of() {
  printf 'sha256/'
  openssl x509 -in "$1" -noout -pubkey | openssl pkey -pubin -outform DER | openssl dgst -sha256 -binary | base64
}
