# SPDX-License-Identifier: Apache-2.0
"""Steelpin from Python, by ctypes; and a little command that shows how it is used:

    python3 steelpin.py HOST PORT POLICY.json

connects, judges the certificates before anything is sent, and prints the report. The exit status is Steelpin's.
The library is found as libsteelpin.so.1 by the dynamic linker.
"""

import ctypes
import json
import socket
import ssl
import sys

TRUSTED, PIN_MISMATCH, UNTRUSTED, DISAGREEMENT = 0, 10, 11, 13
ABI_VERSION = 1

_library = ctypes.CDLL("libsteelpin.so.1")
_library.steelpin_version.restype = ctypes.c_char_p
_library.steelpin_evaluator_new.argtypes = [
    ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t,
    ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_void_p),
]
_library.steelpin_evaluator_free.argtypes = [ctypes.c_void_p]
_library.steelpin_evaluator_free.restype = None
_library.steelpin_evaluate.argtypes = [
    ctypes.c_void_p, ctypes.POINTER(ctypes.c_char_p), ctypes.POINTER(ctypes.c_size_t), ctypes.c_size_t,
    ctypes.c_char_p, ctypes.POINTER(ctypes.c_int64), ctypes.c_char_p, ctypes.c_size_t,
    ctypes.POINTER(ctypes.c_void_p),
]
_library.steelpin_free.argtypes = [ctypes.c_void_p]
_library.steelpin_free.restype = None
if _library.steelpin_abi_version() != ABI_VERSION:
    raise ImportError("libsteelpin is of another version than this module")


class SteelpinError(Exception):
    """There is no verdict: an argument, the policy or the options are wrong, or a library failed."""

    def __init__(self, status, report):
        super().__init__(report["error"]["message"])
        self.status = status
        self.report = report


def _take(pointer):
    """The JSON of a report, which is freed."""
    try:
        return json.loads(ctypes.string_at(pointer))
    finally:
        _library.steelpin_free(pointer)


class Evaluator:
    """A policy, given as what json.dumps takes, ready to judge; threads may share one."""

    def __init__(self, policy, options=None):
        policy = json.dumps(policy).encode()
        options = None if options is None else json.dumps(options).encode()
        self._pointer, report = ctypes.c_void_p(), ctypes.c_void_p()
        status = _library.steelpin_evaluator_new(
            policy, len(policy), options, len(options or b""), ctypes.byref(self._pointer), ctypes.byref(report))
        if status != 0:
            raise SteelpinError(status, _take(report))

    def __del__(self):
        _library.steelpin_evaluator_free(self._pointer)

    def evaluate(self, chain, host=None, time=None):
        """The status and the report about a chain of DER, leaf first. Only the status TRUSTED is good."""
        certificates = (ctypes.c_char_p * len(chain))(*chain)
        lengths = (ctypes.c_size_t * len(chain))(*map(len, chain))
        moment = None if time is None else ctypes.byref(ctypes.c_int64(time))
        report = ctypes.c_void_p()
        status = _library.steelpin_evaluate(
            self._pointer, certificates, lengths, len(chain), None if host is None else host.encode(), moment,
            None, 0, ctypes.byref(report))
        report = _take(report)
        if "verdicts" not in report:
            raise SteelpinError(status, report)
        return status, report


def served_chain(connection):
    """The certificates as the server sent them. Python has a public function for it since 3.13."""
    if hasattr(connection, "get_unverified_chain"):
        return connection.get_unverified_chain()
    return [certificate.public_bytes(2) for certificate in connection._sslobj.get_unverified_chain()]


def main():
    host, port, policy = sys.argv[1:]
    with open(policy, encoding="utf-8") as file:
        evaluator = Evaluator(json.load(file))
    # Python's own verification is off, because Steelpin judges: nothing may be sent before it did.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    with socket.create_connection((host, int(port)), timeout=30) as plain:
        with context.wrap_socket(plain, server_hostname=host) as connection:
            status, report = evaluator.evaluate(served_chain(connection), host)
            print(json.dumps(report, indent=2))
            return status


if __name__ == "__main__":
    sys.exit(main())
