"""AsyncSSH against our agent.  Reads where it is as JSON on standard input, prints a line for each check.  Run in its venv."""

import asyncio
import json
import pathlib
import sys

import asyncssh

import ber
from told import told

SYS_DESCR = "1.3.6.1.2.1.1.1.0"
SECONDS = 20
CIPHERS = ["chacha20-poly1305@openssh.com", "aes256-gcm@openssh.com", "aes128-gcm@openssh.com"]
KEX = ["curve25519-sha256", "curve25519-sha256@libssh.org", "mlkem768x25519-sha256"]


class Agent:
    def __init__(self, settings):
        self.host, self.port = settings["host"], settings["port"]
        self.directory = pathlib.Path(settings["directory"])
        self.host_key = asyncssh.read_public_key(self.directory / "host.pub")

    def path(self, name):
        return str(self.directory / name)

    async def connect(self, key="listed", user="ops", **options):
        options = {"client_keys": [self.path(key)], "agent_path": None, "config": None, **options}
        return await asyncio.wait_for(asyncssh.connect(
            self.host, self.port, username=user, known_hosts=([self.host_key], [], []), **options), SECONDS)


async def exchange(connection, message, subsystem="snmp", pieces=1):
    writer, reader, _ = await connection.open_session(subsystem=subsystem, encoding=None)
    size = -(-len(message) // pieces)
    for start in range(0, len(message), size):
        writer.write(message[start:start + size])
        await writer.drain()
    return await receive(reader)


async def receive(reader):
    octets = b""
    while not ber.is_whole(octets):
        more = await asyncio.wait_for(reader.read(65536), SECONDS)
        assert more, "closed"
        octets += more
    return octets


async def reads(agent, *, pieces=1, **options):
    async with await agent.connect(**options) as connection:
        answer = await exchange(connection, ber.v3_tsm(ber.GET, SYS_DESCR), pieces=pieces)
        assert ber.is_response(answer) and ber.error_status(answer) == 0, repr(answer)
        assert ber.security_flags(answer) == 3, "the answer is not authPriv"


async def may_not_write(agent):
    async with await agent.connect() as connection:
        answer = await exchange(connection, ber.v3_tsm(ber.SET, "1.3.6.1.2.1.1.4.0", ber.octets(b"nobody")))
        assert ber.error_status(answer) == 6, f"noAccess(6) wanted: {answer!r}"


async def exchanges_keys_anew(agent):
    """Far more than the bound goes both ways in one session."""
    async with await agent.connect(rekey_bytes=4096) as connection:
        writer, reader, _ = await connection.open_session(subsystem="snmp", encoding=None)
        for _ in range(300):
            writer.write(ber.v3_tsm(ber.GET, SYS_DESCR))
            assert ber.is_response(await receive(reader))


async def kept_out(agent, **options):
    try:
        connection = await agent.connect(**options)
    except asyncssh.PermissionDenied:
        return
    connection.abort()
    raise AssertionError("let in")


async def refused(attempt):
    try:
        await asyncio.wait_for(attempt, SECONDS)
    except (asyncssh.ChannelOpenError, asyncssh.ChannelListenError, asyncssh.ProcessError, ConnectionError):
        return
    raise AssertionError("given")


async def gives_nothing_else(agent):
    async with await agent.connect() as connection:
        await refused(connection.open_session(subsystem="sftp", encoding=None))
    async with await agent.connect() as connection:
        await refused(connection.open_session("id", encoding=None))
    async with await agent.connect() as connection:
        await refused(connection.open_session(encoding=None))
    async with await agent.connect() as connection:
        await refused(connection.open_connection("127.0.0.1", agent.port))
    async with await agent.connect() as connection:
        await refused(connection.forward_remote_port("127.0.0.1", 0, "127.0.0.1", 9))


def checks(agent):
    certified = {"client_keys": [(agent.path("certified"), agent.path("certified-cert.pub"))]}
    others = {"client_keys": [(agent.path("unlisted"), agent.path("unlisted-cert.pub"))]}
    yield "AsyncSSH reads an object with a listed key", reads(agent)
    yield "AsyncSSH reads an object with a certificate", reads(agent, **certified)
    yield "a message may come octet by octet", reads(agent, pieces=1000)
    for cipher in CIPHERS:
        yield f"AsyncSSH reads with {cipher}", reads(agent, encryption_algs=[cipher])
    for kex in KEX:
        if kex.encode() in asyncssh.kex.get_kex_algs():
            yield f"AsyncSSH reads after {kex}", reads(agent, kex_algs=[kex])
    yield "a session goes on while keys are exchanged anew", exchanges_keys_anew(agent)
    yield "what a key grants is read-only", may_not_write(agent)
    yield "a key that is not listed is refused", kept_out(agent, key="unlisted")
    yield "a certificate of another authority is refused", kept_out(agent, **others)
    yield "a certificate of another user is refused", kept_out(agent, user="root", **certified)
    yield "a password is refused", kept_out(agent, client_keys=None, password="ops")
    yield "no key at all is refused", kept_out(agent, client_keys=None)
    yield "no other subsystem, command, shell or forwarding is given", gives_nothing_else(agent)


async def main():
    agent = Agent(json.load(sys.stdin))
    for title, check in checks(agent):
        with told(title):
            await check


asyncio.run(main())
