"""OpenSSL's s_client and s_server with SNMP in them."""

import contextlib
import os
import selectors
import subprocess
import threading
import time

import ber

SYS_DESCR = "1.3.6.1.2.1.1.1.0"
SNMP_ENGINE_ID = "1.3.6.1.6.3.10.2.1.1.0"
ANSWER_SECONDS = 10
NAME_OF_RESPONDER = b"a responder that answers anything"
ENGINE_ID = bytes.fromhex("800000000531323334")


def client(site, options, who="good"):
    """s_client as one of the site's users; its options say whether over DTLS."""
    transport = "dtls" if any(option.startswith("-dtls") for option in options) else "tls"
    argv = ["openssl", "s_client", "-connect", site.address[transport], "-CAfile", site.directory / "ca.pem",
            "-verify_return_error", *options]
    if who != "nobody":
        argv += ["-cert", site.directory / f"{who}.pem", "-key", site.directory / f"{who}.key"]
    return [str(word) for word in argv]


def ask(site, message, options=(), who="good"):
    """What comes back, or nothing; and what s_client complains of."""
    process = subprocess.Popen(client(site, ["-quiet", *options], who), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(message)
        process.stdin.flush()
    answer = read_message(process)
    process.kill()
    return answer, process.communicate()[1].decode(errors="replace")


def get(site, oid=SYS_DESCR, **how):
    return ask(site, ber.v3_tsm(ber.GET, oid), **how)


def read_message(process, seconds=ANSWER_SECONDS):
    """One BER message, or nothing where the other end closes or stays silent."""
    octets = b""
    deadline = time.monotonic() + seconds
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while time.monotonic() < deadline and not ber.is_whole(octets):
            if selector.select(timeout=0.2):
                more = os.read(process.stdout.fileno(), 65536)
                if not more:
                    return b""
                octets += more
    return octets if ber.is_whole(octets) else b""


@contextlib.contextmanager
def server(site, options, port, who="agent", asks=True):
    """s_server with whatever certificate, which answers each GET with its own name for everything; `asks` for its client's."""
    argv = ["openssl", "s_server", "-quiet", "-accept", f"127.0.0.1:{port}", "-cert", site.directory / f"{who}.pem",
            "-key", site.directory / f"{who}.key", "-CAfile", site.directory / "ca.pem",
            *(["-Verify", "2", "-verify_return_error"] if asks else []), *options]
    with (site.directory / "s_server.log").open("w+") as log:
        process = subprocess.Popen([str(word) for word in argv], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        thread = threading.Thread(target=answer_all, args=[process], daemon=True)
        thread.start()
        try:
            yield process
        finally:
            process.kill()
            process.wait()
            thread.join()
            process.stdin.close()
            process.stdout.close()


def answer_all(process):
    while message := read_message(process, seconds=3600):
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(ber.answer(message, value_of))
            process.stdin.flush()


def value_of(oid):
    """A responder's engine ID, and its name for everything else."""
    return ber.octets(ENGINE_ID if oid == SNMP_ENGINE_ID else NAME_OF_RESPONDER)
