"""AsyncSSH against our agent. Runs in its venv.

Reads the agent's address and key directory as JSON from stdin. Prints a line for each check.
"""

import asyncio
import json
import pathlib
import sys

import asyncssh

import ber
from reporting import report

SYS_DESCR = "1.3.6.1.2.1.1.1.0"
TIMEOUT = 60
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
            self.host, self.port, username=user, known_hosts=([self.host_key], [], []), **options), TIMEOUT)


async def exchange(connection, message, subsystem="snmp", pieces=1):
    writer, reader, _ = await connection.open_session(subsystem=subsystem, encoding=None)
    size = -(-len(message) // pieces)
    for start in range(0, len(message), size):
        writer.write(message[start:start + size])
        await writer.drain()
    return await receive(reader)


async def receive(reader):
    octets = b""
    while not ber.is_complete(octets):
        chunk = await asyncio.wait_for(reader.read(65536), TIMEOUT)
        assert chunk, "closed"
        octets += chunk
    return octets


async def reads(agent, *, pieces=1, **options):
    async with await agent.connect(**options) as connection:
        response = await exchange(connection, ber.v3_tsm(ber.GET, SYS_DESCR), pieces=pieces)
        assert ber.is_response(response) and ber.error_status(response) == 0, repr(response)
        assert ber.security_flags(response) == 3, "the response is not authPriv"


async def set_is_rejected(agent):
    async with await agent.connect() as connection:
        response = await exchange(connection, ber.v3_tsm(ber.SET, "1.3.6.1.2.1.1.4.0", ber.octets(b"interop")))
        assert ber.error_status(response) == 6, f"expected noAccess(6): {response!r}"


async def rekeys(agent):
    """Transfers far more than `rekey_bytes` in both directions in one session."""
    async with await agent.connect(rekey_bytes=4096) as connection:
        writer, reader, _ = await connection.open_session(subsystem="snmp", encoding=None)
        for _ in range(300):
            writer.write(ber.v3_tsm(ber.GET, SYS_DESCR))
            assert ber.is_response(await receive(reader))


async def login_is_refused(agent, **options):
    try:
        connection = await agent.connect(**options)
    except asyncssh.PermissionDenied:
        return
    connection.abort()
    raise AssertionError("login accepted")


async def assert_refused(attempt):
    try:
        await asyncio.wait_for(attempt, TIMEOUT)
    except (asyncssh.ChannelOpenError, asyncssh.ChannelListenError, asyncssh.ProcessError, ConnectionError):
        return
    raise AssertionError("request accepted")


async def other_requests_are_refused(agent):
    async with await agent.connect() as connection:
        await assert_refused(connection.open_session(subsystem="sftp", encoding=None))
    async with await agent.connect() as connection:
        await assert_refused(connection.open_session("id", encoding=None))
    async with await agent.connect() as connection:
        await assert_refused(connection.open_session(encoding=None))
    async with await agent.connect() as connection:
        await assert_refused(connection.open_connection("127.0.0.1", agent.port))
    async with await agent.connect() as connection:
        await assert_refused(connection.forward_remote_port("127.0.0.1", 0, "127.0.0.1", 9))


def checks(agent):
    certified = {"client_keys": [(agent.path("certified"), agent.path("certified-cert.pub"))]}
    other_authority = {"client_keys": [(agent.path("unlisted"), agent.path("unlisted-cert.pub"))]}
    yield "AsyncSSH reads an object with a listed key", reads(agent)
    yield "AsyncSSH reads an object with a certificate", reads(agent, **certified)
    yield "a message sent octet by octet gets a response", reads(agent, pieces=1000)
    for cipher in CIPHERS:
        yield f"AsyncSSH reads an object with the cipher {cipher}", reads(agent, encryption_algs=[cipher])
    for kex in KEX:
        if kex.encode() in asyncssh.kex.get_kex_algs():
            yield f"AsyncSSH reads an object with the key exchange {kex}", reads(agent, kex_algs=[kex])
    yield "a session survives rekeying", rekeys(agent)
    yield "a SET of a read-only user is rejected", set_is_rejected(agent)
    yield "an unlisted key is refused", login_is_refused(agent, key="unlisted")
    yield "a certificate of another authority is refused", login_is_refused(agent, **other_authority)
    yield "a certificate is refused if the login name is not its principal", login_is_refused(agent, user="root", **certified)
    yield "a password is refused", login_is_refused(agent, client_keys=None, password="ops")
    yield "a login without a key is refused", login_is_refused(agent, client_keys=None)
    yield "other subsystems, commands, shells and forwarding are refused", other_requests_are_refused(agent)


async def main():
    agent = Agent(json.load(sys.stdin))
    for title, check in checks(agent):
        with report(title):
            await check


asyncio.run(main())
