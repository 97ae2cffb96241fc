"""A peer that is logged in and means harm, over paramiko's transport, against our agent.  Reads where it is as JSON on standard
input, prints a line for each check.  After each of them the agent has to serve a well-meaning peer within a second.  Run in
its venv."""

import json
import struct
import sys
import time

import paramiko
from paramiko.common import cMSG_CHANNEL_WINDOW_ADJUST
from paramiko.message import Message

import ber
from paramiko_client import SYS_DESCR, connect, reads
from told import told

MOST = 0xFFFFFFFF


class Nothing(bytes):
    """No octet at all, of which paramiko looks at the first."""

    def asbytes(self):
        return self

    def __getitem__(self, place):
        return 0 if place == 0 else super().__getitem__(place)


def opened(settings):
    transport = connect(settings, "listed")
    channel = transport.open_session(timeout=20)
    channel.settimeout(20)
    channel.invoke_subsystem("snmp")
    return transport, channel


def say(transport, *parts):
    """A message as it is, whatever it is: integers are uint32."""
    message = Message()
    for part in parts:
        message.add_bytes(struct.pack(">I", part) if isinstance(part, int) else part)
    transport._send_user_message(message)


def ask(channel):
    channel.sendall(ber.v3_tsm(ber.GET, SYS_DESCR))
    answer = b""
    while not ber.is_whole(answer):
        more = channel.recv(65536)
        assert more, "closed"
        answer += more


def windows_beyond_measure(settings):
    transport, channel = opened(settings)
    for _ in range(50):
        say(transport, cMSG_CHANNEL_WINDOW_ADJUST, MOST, MOST)
    ask(channel)
    say(transport, cMSG_CHANNEL_WINDOW_ADJUST, channel.remote_chanid, MOST)
    ended(transport)


def windows_that_are_cut_short(settings):
    transport, channel = opened(settings)
    say(transport, cMSG_CHANNEL_WINDOW_ADJUST, channel.remote_chanid, b"\0\0")
    ended(transport)


def data_longer_than_its_message(settings):
    transport, channel = opened(settings)
    say(transport, b"\x5e", channel.remote_chanid, MOST, b"x")
    ended(transport)


def empty_messages(settings):
    transport, _ = opened(settings)
    for _ in range(100):
        transport.packetizer.send_message(Nothing())
    ended_or_silent(transport)


def every_message_there_is_cut_short(settings):
    for number in range(256):
        transport, _ = opened(settings)
        say(transport, bytes([number]))
        say(transport, bytes([number]), MOST, MOST, b"\xff" * 20)
        transport.close()


def a_storm_of_new_keys(settings):
    transport, channel = opened(settings)
    for _ in range(20):
        transport.renegotiate_keys()
        ask(channel)
    transport.close()


def messages_to_be_ignored_without_end(settings):
    transport, _ = opened(settings)
    junk = b"\x02" + struct.pack(">I", 30000) + b"x" * 30000
    try:
        for _ in range(200):
            say(transport, junk)
    except (EOFError, OSError, paramiko.SSHException):
        pass
    ended(transport)


def ended(transport):
    until = time.monotonic() + 20
    while transport.is_active():
        assert time.monotonic() < until, "the session goes on"
        time.sleep(0.02)


def ended_or_silent(transport):
    time.sleep(0.5)
    transport.close()


CHECKS = (
    ("a window opened beyond its bound ends the session, and one of no channel changes nothing", windows_beyond_measure),
    ("a window's opening that is cut short ends the session", windows_that_are_cut_short),
    ("data longer than its message ends the session", data_longer_than_its_message),
    ("empty messages harm nobody", empty_messages),
    ("every message there is, cut short and full of nonsense, harms nobody", every_message_there_is_cut_short),
    ("new keys for each message are made, and answers come", a_storm_of_new_keys),
    ("messages to be ignored without end end the session", messages_to_be_ignored_without_end),
)


def main():
    settings = json.load(sys.stdin)
    for title, check in CHECKS:
        with told(title):
            check(settings)
            start = time.monotonic()
            reads(settings)
            assert time.monotonic() - start < 1, "others wait"


if __name__ == "__main__":
    main()
