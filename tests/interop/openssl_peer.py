"""SNMP over OpenSSL's s_client and s_server."""

import contextlib
import os
import selectors
import subprocess
import threading
import time

import ber

SYS_DESCR = "1.3.6.1.2.1.1.1.0"
SNMP_ENGINE_ID = "1.3.6.1.6.3.10.2.1.1.0"
RESPONSE_TIMEOUT = 60
RESPONDER_NAME = b"test responder"
ENGINE_ID = bytes.fromhex("800000000531323334")


def client(site, options, certificate="good"):
    """The s_client command line of a user of the site, over TLS unless an option selects DTLS."""
    transport = "dtls" if any(option.startswith("-dtls") for option in options) else "tls"
    argv = ["openssl", "s_client", "-connect", site.address[transport], "-CAfile", site.directory / "ca.pem",
            "-verify_return_error", *options]
    if certificate != "none":
        argv += ["-cert", site.directory / f"{certificate}.pem", "-key", site.directory / f"{certificate}.key"]
    return [str(word) for word in argv]


def exchange(site, message, options=(), certificate="good"):
    """Returns the response or nothing, and the error output of s_client."""
    process = subprocess.Popen(client(site, ["-quiet", *options], certificate), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(message)
        process.stdin.flush()
    response = read_message(process)
    process.kill()
    return response, process.communicate()[1].decode(errors="replace")


def get(site, oid=SYS_DESCR, **settings):
    return exchange(site, ber.v3_tsm(ber.GET, oid), **settings)


def read_message(process, timeout=RESPONSE_TIMEOUT):
    """Returns one BER message, or nothing if the peer closes or stays silent."""
    octets = b""
    deadline = time.monotonic() + timeout
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while time.monotonic() < deadline and not ber.is_complete(octets):
            if selector.select(timeout=0.2):
                chunk = os.read(process.stdout.fileno(), 65536)
                if not chunk:
                    return b""
                octets += chunk
    return octets if ber.is_complete(octets) else b""


@contextlib.contextmanager
def server(site, options, port, certificate="agent", requests_certificate=True):
    """Runs s_server with this certificate; `respond_to_all` responds to every GET."""
    argv = ["openssl", "s_server", "-quiet", "-accept", f"127.0.0.1:{port}", "-cert", site.directory / f"{certificate}.pem",
            "-key", site.directory / f"{certificate}.key", "-CAfile", site.directory / "ca.pem",
            *(["-Verify", "2", "-verify_return_error"] if requests_certificate else []), *options]
    with (site.directory / "s_server.log").open("w+") as log:
        process = subprocess.Popen([str(word) for word in argv], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        thread = threading.Thread(target=respond_to_all, args=[process], daemon=True)
        thread.start()
        try:
            yield process
        finally:
            process.kill()
            process.wait()
            thread.join()
            process.stdin.close()
            process.stdout.close()


def respond_to_all(process):
    while message := read_message(process, timeout=3600):
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(ber.make_response(message, value_of))
            process.stdin.flush()


def value_of(oid):
    """The value of an object: ENGINE_ID for snmpEngineID, RESPONDER_NAME for all others."""
    return ber.octets(ENGINE_ID if oid == SNMP_ENGINE_ID else RESPONDER_NAME)
