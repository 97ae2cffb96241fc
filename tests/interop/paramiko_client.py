"""paramiko against our agent. Runs in its venv.

Reads the agent's address and key directory as JSON from stdin. Prints a line for each check.
"""

import json
import pathlib
import sys

import paramiko

import ber
from reporting import report

SYS_DESCR = "1.3.6.1.2.1.1.1.0"
TIMEOUT = 60


def connect(settings, key):
    transport = paramiko.Transport((settings["host"], settings["port"]))
    key = paramiko.Ed25519Key.from_private_key_file(str(pathlib.Path(settings["directory"]) / key))
    host = (pathlib.Path(settings["directory"]) / "host.pub").read_text().split()
    transport.connect(username="ops", pkey=key)
    assert transport.get_remote_server_key().get_base64() == host[1], "wrong host key"
    return transport


def reads(settings):
    transport = connect(settings, "listed")
    try:
        channel = transport.open_session(timeout=TIMEOUT)
        channel.settimeout(TIMEOUT)
        channel.invoke_subsystem("snmp")
        for _ in range(3):
            channel.sendall(ber.v3_tsm(ber.GET, SYS_DESCR))
            response = b""
            while not ber.is_complete(response):
                chunk = channel.recv(65536)
                assert chunk, "closed"
                response += chunk
            assert ber.is_response(response) and ber.error_status(response) == 0, repr(response)
    finally:
        transport.close()


def login_is_refused(settings):
    try:
        connect(settings, "unlisted").close()
    except paramiko.AuthenticationException:
        return
    raise AssertionError("login accepted")


def main():
    settings = json.load(sys.stdin)
    for title, check in (("paramiko reads an object three times in one session", reads),
                         ("paramiko with an unlisted key is refused", login_is_refused)):
        with report(title):
            check(settings)


if __name__ == "__main__":
    main()
