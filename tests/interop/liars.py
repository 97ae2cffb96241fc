"""TLS servers that our command must leave: s_server with certificates, versions and suites that will not do, and servers of
Python's that take the handshake to its end, and then do not what an agent does.

Each is asked by `portreeve get`, which has to end soon, print no value, and say at which step it left and why."""

import contextlib
import os
import socket
import ssl
import threading
import time

import agents
import openssl_peer
from openssl_peer import ANSWER_SECONDS, SYS_DESCR
from results import Skip

LOWEST = "@SECLEVEL=0"
# With answers in it that nobody has asked for: as many as one is patient.
MOST = 1 << 30
SECONDS_OF_A_FLOOD = 8


def run(site, peer):
    for who, step, why in (("elsewhere", "checking who the server is", "is for another name"),
                           ("expired", "checking who the server is", "has expired"),
                           ("pinned", "checking who the server is", "nobody we trust has signed")):
        peer.check(f"our command refuses s_server as {who}", leaves, site, step, why, [], who)
    for cipher in ("AES128-SHA", "ECDHE-ECDSA-AES128-SHA256", "ECDHE-ECDSA-NULL-SHA", "AECDH-AES128-SHA"):
        peer.check(f"our command refuses an s_server that knows nothing but {cipher}", leaves, site,
                   "agreeing on a protocol", "HandshakeFailure", ["-tls1_2", "-cipher", f"{cipher}:{LOWEST}"])
    for version in ("-tls1_2", "-tls1_3", "-dtls1_2"):
        peer.check(f"our command refuses an s_server {version} that does not ask who we are", leaves, site,
                   "proving who we are", "wants no certificate of ours", [version], asks=False)
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        for behaviour, why in ((breaks_off, "broken the connection off"), (leaves_in_order, "closed the session"),
                               (leaves_in_a_message, "closed the session"), (announces_gigabytes, "no SNMP message"),
                               (floods_with_nothing, "no SNMP message")):
            title = behaviour.__name__.replace("_", " ")
            peer.check(f"our command leaves a server of {version.name} that {title}", is_left, site, version, behaviour, why)
        peer.check(f"our command outlives a server of {version.name} that answers what nobody asked", is_left, site, version,
                   floods_with_messages, "No Response", SECONDS_OF_A_FLOOD)


def leaves(site, step, why, options, who="agent", asks=True):
    """What our command says of such an s_server."""
    port = agents.free_port_range()
    transport = "dtls" if "-dtls1_2" in options else "tls"
    with openssl_peer.server(site, options, port, who, asks):
        deadline = time.monotonic() + ANSWER_SECONDS
        while True:
            done = get(site, f"{transport}:127.0.0.1:{port}")
            if "connecting" not in done.stderr and "cannot be reached" not in done.stderr or time.monotonic() > deadline:
                break
            time.sleep(0.1)
    assert done.returncode == 1 and not done.stdout, done.stdout
    assert step in done.stderr and why in done.stderr, done.stderr


def is_left(site, version, behaviour, why, seconds=2):
    with server(site, version, behaviour) as port:
        start = time.monotonic()
        done = get(site, f"tls:127.0.0.1:{port}")
        took = time.monotonic() - start
    assert done.returncode == 1 and not done.stdout, done.stdout
    assert why in done.stderr, done.stderr
    assert took < seconds, f"{took:.1f} s"


def get(site, address):
    if not agents.portreeve():
        raise Skip("portreeve is not built")
    return site.portreeve("get", address, SYS_DESCR)


# --- servers of Python's


@contextlib.contextmanager
def server(site, version, behaviour):
    """One that takes its clients' certificates, and does the same with each client that has asked something."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(site.directory / "agent.pem", site.directory / "agent.key")
    context.load_verify_locations(site.directory / "ca.pem")
    context.verify_mode = ssl.CERT_REQUIRED
    context.minimum_version = context.maximum_version = version
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=[listener, context, behaviour], daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)
    thread.join()


def serve(listener, context, behaviour):
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        # Whoever is left in the middle says so, and that is what is wanted.
        with connection, contextlib.suppress(OSError):
            connection.settimeout(ANSWER_SECONDS)
            with context.wrap_socket(connection, server_side=True) as stream:
                assert stream.recv(4096), "asked nothing"
                behaviour(stream)


def breaks_off(stream):
    """Without a word of TLS's."""
    os.close(stream.detach())


def leaves_in_order(stream):
    stream.unwrap()


def leaves_in_a_message(stream):
    stream.sendall(b"\x30\x40abc")
    stream.unwrap()


def announces_gigabytes(stream):
    flood(stream, b"\x30\x84\x7f\xff\xff\xff" + bytes(65536))


def floods_with_nothing(stream):
    stream.sendall(b"\x30\x82\xff\xff")
    flood(stream, bytes(65536))


def floods_with_messages(stream):
    flood(stream, (b"\x30\x81\x80" + bytes(128)) * 500)


def flood(stream, octets):
    for _ in range(MOST // len(octets)):
        stream.sendall(octets)
