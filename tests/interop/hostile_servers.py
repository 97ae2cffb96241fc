"""TLS servers that our command must refuse.

Some are s_server with unacceptable certificates, versions and cipher suites. Others are written in
Python: they complete the handshake and then misbehave. `portreeve get` must exit soon, print no
value, and report the failed step or the reason.
"""

import contextlib
import os
import socket
import ssl
import threading
import time

import agents
import openssl_peer
from openssl_peer import RESPONSE_TIMEOUT, SYS_DESCR
from results import Skip

LOWEST_SECURITY_LEVEL = "@SECLEVEL=0"
# The size at which a server stops flooding, in bytes.
MAX_FLOOD = 1 << 30


def run(site, peer):
    for certificate, step, reason in (("other-name", "verifying the server", "does not contain this name"),
                                      ("expired", "verifying the server", "has expired"),
                                      ("pinned", "verifying the server", "no trusted authority has signed")):
        peer.check(f"our command refuses s_server (certificate: {certificate})", refuses, site, step, reason, [], certificate)
    for cipher in ("AES128-SHA", "ECDHE-ECDSA-AES128-SHA256", "ECDHE-ECDSA-NULL-SHA", "AECDH-AES128-SHA"):
        peer.check(f"our command refuses an s_server that supports only {cipher}", refuses, site,
                   "negotiating protocol", "HandshakeFailure", ["-tls1_2", "-cipher", f"{cipher}:{LOWEST_SECURITY_LEVEL}"])
    for version in ("-tls1_2", "-tls1_3", "-dtls1_2"):
        peer.check(f"our command refuses an s_server {version} that does not request a client certificate", refuses, site,
                   "authenticating to the server", "does not request a client certificate", [version], requests_certificate=False)
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        for behavior, reason in ((drops_the_connection, "without a close alert"),
                                 (closes_the_session, "closed the session"),
                                 (closes_the_session_within_a_message, "closed the session"),
                                 (announces_a_huge_message, "malformed SNMP message"),
                                 (floods_with_zeros, "malformed SNMP message")):
            title = behavior.__name__.replace("_", " ")
            peer.check(f"our command disconnects from a {version.name} server that {title}", disconnects, site,
                       version, behavior, reason)
        peer.check(f"our command times out at a {version.name} server that sends unexpected messages", disconnects, site,
                   version, floods_with_messages, "No Response", "1")


def refuses(site, step, reason, options, certificate="agent", requests_certificate=True):
    """Checks that our command refuses an s_server with these options, and reports this step and reason."""
    port = agents.free_port_range()
    transport = "dtls" if "-dtls1_2" in options else "tls"
    with openssl_peer.server(site, options, port, certificate, requests_certificate):
        deadline = time.monotonic() + RESPONSE_TIMEOUT
        while True:
            done = get(site, f"{transport}:127.0.0.1:{port}")
            if "connecting" not in done.stderr and "not reachable" not in done.stderr or time.monotonic() > deadline:
                break
            time.sleep(0.1)
    assert done.returncode == 1 and not done.stdout, done.stdout
    assert step in done.stderr and reason in done.stderr, done.stderr


def disconnects(site, version, behavior, reason, timeout="600"):
    """Checks that our command ends and reports this reason. Only if it drops unexpected messages, it waits for its own timeout."""
    with server(site, version, behavior) as port:
        done = get(site, f"tls:127.0.0.1:{port}", "-t", timeout)
    assert done.returncode == 1 and not done.stdout, done.stdout
    assert reason in done.stderr, done.stderr


def get(site, address, *options):
    if not agents.portreeve():
        raise Skip("portreeve is not built")
    return site.portreeve("get", *options, address, SYS_DESCR)


# --- servers in Python


@contextlib.contextmanager
def server(site, version, behavior):
    """A server that requires a client certificate and calls `behavior` after the first request."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(site.directory / "agent.pem", site.directory / "agent.key")
    context.load_verify_locations(site.directory / "ca.pem")
    context.verify_mode = ssl.CERT_REQUIRED
    context.minimum_version = context.maximum_version = version
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=[listener, context, behavior], daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)
    thread.join()


def serve(listener, context, behavior):
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        # An error means that the client has disconnected, as it should.
        with connection, contextlib.suppress(OSError):
            connection.settimeout(RESPONSE_TIMEOUT)
            with context.wrap_socket(connection, server_side=True) as stream:
                assert stream.recv(4096), "no request received"
                behavior(stream)


def drops_the_connection(stream):
    """Closes the TCP connection without a TLS alert."""
    os.close(stream.detach())


def closes_the_session(stream):
    stream.unwrap()


def closes_the_session_within_a_message(stream):
    stream.sendall(b"\x30\x40abc")
    stream.unwrap()


def announces_a_huge_message(stream):
    flood(stream, b"\x30\x84\x7f\xff\xff\xff" + bytes(65536))


def floods_with_zeros(stream):
    stream.sendall(b"\x30\x82\xff\xff")
    flood(stream, bytes(65536))


def floods_with_messages(stream):
    flood(stream, (b"\x30\x81\x80" + bytes(128)) * 500)


def flood(stream, octets):
    for _ in range(MAX_FLOOD // len(octets)):
        stream.sendall(octets)
