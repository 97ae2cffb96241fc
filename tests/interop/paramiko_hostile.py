"""A hostile peer with a valid login, on paramiko's transport, against our agent. Runs in its venv.

Reads the agent's address and key directory as JSON from stdin. Prints a line for each check.
After each check the agent must respond to an ordinary client.
"""

import contextlib
import json
import struct
import sys
import time

import paramiko
from paramiko.common import cMSG_CHANNEL_WINDOW_ADJUST
from paramiko.message import Message

import ber
from paramiko_client import SYS_DESCR, connect, reads
from reporting import report

MAX_UINT32 = 0xFFFFFFFF


class EmptyMessage(bytes):
    """An empty message. paramiko reads the first octet of every message, so index 0 exists."""

    def asbytes(self):
        return self

    def __getitem__(self, index):
        return 0 if index == 0 else super().__getitem__(index)


def open_subsystem(settings):
    transport = connect(settings, "listed")
    channel = transport.open_session(timeout=20)
    channel.settimeout(20)
    channel.invoke_subsystem("snmp")
    return transport, channel


def send_raw(transport, *parts):
    """Sends a raw message; integers are encoded as uint32."""
    message = Message()
    for part in parts:
        message.add_bytes(struct.pack(">I", part) if isinstance(part, int) else part)
    transport._send_user_message(message)


def read_object(channel):
    channel.sendall(ber.v3_tsm(ber.GET, SYS_DESCR))
    response = b""
    while not ber.is_complete(response):
        chunk = channel.recv(65536)
        assert chunk, "closed"
        response += chunk


def window_overflow(settings):
    transport, channel = open_subsystem(settings)
    for _ in range(50):
        send_raw(transport, cMSG_CHANNEL_WINDOW_ADJUST, MAX_UINT32, MAX_UINT32)
    read_object(channel)
    send_raw(transport, cMSG_CHANNEL_WINDOW_ADJUST, channel.remote_chanid, MAX_UINT32)
    assert_closed(transport)


def truncated_window_adjustment(settings):
    transport, channel = open_subsystem(settings)
    send_raw(transport, cMSG_CHANNEL_WINDOW_ADJUST, channel.remote_chanid, b"\0\0")
    assert_closed(transport)


def data_length_beyond_message(settings):
    transport, channel = open_subsystem(settings)
    send_raw(transport, b"\x5e", channel.remote_chanid, MAX_UINT32, b"x")
    assert_closed(transport)


def empty_messages(settings):
    transport, _ = open_subsystem(settings)
    for _ in range(100):
        transport.packetizer.send_message(EmptyMessage())
    wait_and_close(transport)


def malformed_messages_of_every_type(settings):
    for number in range(256):
        transport, _ = open_subsystem(settings)
        # The agent may close the session after the first message.
        with contextlib.suppress(EOFError, OSError, paramiko.SSHException):
            send_raw(transport, bytes([number]))
            send_raw(transport, bytes([number]), MAX_UINT32, MAX_UINT32, b"\xff" * 20)
        transport.close()


def rekeying_before_each_request(settings):
    transport, channel = open_subsystem(settings)
    for _ in range(20):
        transport.renegotiate_keys()
        read_object(channel)
    transport.close()


def endless_ignore_messages(settings):
    transport, _ = open_subsystem(settings)
    ignored = b"\x02" + struct.pack(">I", 30000) + b"x" * 30000
    try:
        for _ in range(200):
            send_raw(transport, ignored)
    except (EOFError, OSError, paramiko.SSHException):
        pass
    assert_closed(transport)


def assert_closed(transport):
    deadline = time.monotonic() + 20
    while transport.is_active():
        assert time.monotonic() < deadline, "the session is still open"
        time.sleep(0.02)


def wait_and_close(transport):
    time.sleep(0.5)
    transport.close()


# A login of another client, with three requests, on a machine that does other work.
MAX_LOGIN_SECONDS = 20
CHECKS = (
    ("a window above the limit closes the session; a window of an unknown channel is ignored", window_overflow),
    ("a truncated window adjustment closes the session", truncated_window_adjustment),
    ("a data length that exceeds the message closes the session", data_length_beyond_message),
    ("the agent responds to other clients after empty messages", empty_messages),
    ("the agent responds to other clients after malformed messages of every type", malformed_messages_of_every_type),
    ("requests succeed if the client rekeys before each of them", rekeying_before_each_request),
    ("an endless series of ignore messages closes the session", endless_ignore_messages),
)


def main():
    settings = json.load(sys.stdin)
    for title, check in CHECKS:
        with report(title):
            check(settings)
            start = time.monotonic()
            reads(settings)
            assert time.monotonic() - start < MAX_LOGIN_SECONDS, "other clients have to wait"


if __name__ == "__main__":
    main()
