"""paramiko against our agent.  Reads where it is as JSON on standard input, prints a line for each check.  Run in its venv."""

import json
import pathlib
import sys

import paramiko

import ber
from told import told

SYS_DESCR = "1.3.6.1.2.1.1.1.0"
SECONDS = 20


def connect(settings, key):
    transport = paramiko.Transport((settings["host"], settings["port"]))
    key = paramiko.Ed25519Key.from_private_key_file(str(pathlib.Path(settings["directory"]) / key))
    host = (pathlib.Path(settings["directory"]) / "host.pub").read_text().split()
    transport.connect(username="ops", pkey=key)
    assert transport.get_remote_server_key().get_base64() == host[1], "another host key"
    return transport


def reads(settings):
    transport = connect(settings, "listed")
    try:
        channel = transport.open_session(timeout=SECONDS)
        channel.settimeout(SECONDS)
        channel.invoke_subsystem("snmp")
        for _ in range(3):
            channel.sendall(ber.v3_tsm(ber.GET, SYS_DESCR))
            answer = b""
            while not ber.is_whole(answer):
                more = channel.recv(65536)
                assert more, "closed"
                answer += more
            assert ber.is_response(answer) and ber.error_status(answer) == 0, repr(answer)
    finally:
        transport.close()


def kept_out(settings):
    try:
        connect(settings, "unlisted").close()
    except paramiko.AuthenticationException:
        return
    raise AssertionError("let in")


def main():
    settings = json.load(sys.stdin)
    for title, check in (("paramiko reads an object three times in one session", reads),
                         ("paramiko with a key that is not listed is refused", kept_out)):
        with told(title):
            check(settings)


if __name__ == "__main__":
    main()
