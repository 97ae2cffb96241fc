"""An agent that serves NETCONF, and sessions with it for measurements."""

import asyncio
import contextlib
import pathlib
import re
import time
from dataclasses import dataclass

import measurement
import netconf_site
from measurement import require

COMMUNITY = "long-measurement"
NC = "urn:ietf:params:xml:ns:netconf:base:1.0"
STAIR = "https://github.com/portreeve/portreeve/yang/stair"
SESSION_TIMEOUT = 60


@dataclass
class NetconfAgent:
    """The addresses and keys of a running agent."""

    ssh: str
    udp: str
    host_key: object
    user_key: object
    pid: int

    @contextlib.asynccontextmanager
    async def session(self, source):
        """Opens a session from a source address."""
        import asyncssh

        options = measurement.login(self.host_key, self.ssh, source, client_keys=[self.user_key])
        async with asyncssh.connect(**options) as connection:
            writer, reader, _ = await connection.open_session(subsystem="netconf", encoding=None)
            session = Session(writer, reader)
            await asyncio.wait_for(session.exchange_hello(), SESSION_TIMEOUT)
            yield session

    async def edit(self, config):
        async with self.session("127.0.5.1") as session:
            reply = await session.request(f"<edit-config><target><running/></target><config>{config}</config></edit-config>")
            require(b"<ok" in reply, f"the edit was refused: {reply!r:.500}")


class Session:
    """A session with the framing of base 1.1."""

    def __init__(self, writer, reader):
        self.writer, self.reader = writer, reader
        self.buffer = b""

    async def exchange_hello(self):
        self.writer.write(f'<hello xmlns="{NC}"><capabilities><capability>urn:ietf:params:netconf:base:1.1</capability>'
                          "</capabilities></hello>]]>]]>".encode())
        while b"]]>]]>" not in self.buffer:
            await self.fill()
        self.buffer = self.buffer.partition(b"]]>]]>")[2]

    async def fill(self):
        chunk = await self.reader.read(1 << 16)
        if not chunk:
            raise EOFError("the agent has closed the session")
        self.buffer += chunk

    def send(self, operation):
        text = f'<rpc xmlns="{NC}" message-id="1">{operation}</rpc>'.encode()
        self.writer.write(b"\n#%d\n%s\n##\n" % (len(text), text))

    def begin(self, text):
        """Begins a request that does not end."""
        self.send_chunk(f'<rpc xmlns="{NC}" message-id="1">{text}'.encode())

    def send_chunk(self, content):
        self.writer.write(b"\n#%d\n%s" % (len(content), content))

    async def drain(self):
        await self.writer.drain()

    def is_closed(self):
        return self.writer.is_closing() or self.reader.at_eof()

    async def receive(self):
        """Returns the next reply with its framing."""
        while b"\n##\n" not in self.buffer:
            await self.fill()
        reply, _, self.buffer = self.buffer.partition(b"\n##\n")
        return reply

    async def request(self, operation):
        self.send(operation)
        return await asyncio.wait_for(self.receive(), SESSION_TIMEOUT)

    def stop_reading(self):
        self.writer.channel.pause_reading()


@contextlib.contextmanager
def start(sessions):
    """Runs an agent that admits this many sessions of NETCONF."""
    import asyncssh

    with measurement.temporary_directory() as directory:
        base = measurement.agents.free_port_range()
        ssh, udp = f"127.0.0.1:{base}", f"127.0.0.1:{base + 1}"
        host_key, user_key = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))
        host_key.write_private_key(directory / "host")
        (directory / "host").chmod(0o600)
        (directory / "authorized_keys").write_text(user_key.export_public_key().decode())
        netconf_site.copy_modules(directory / "modules")
        with measurement.start_agent(directory, configuration(ssh, udp, sessions)) as process:
            yield NetconfAgent(ssh, udp, host_key.convert_to_public(), user_key, process.pid)


def configuration(ssh, udp, sessions):
    return f"""
[agent]
state-dir = "state"

[weak]
allow = ["communities"]

[[listen]]
transport = "udp"
address = "{udp}"

[[listen]]
transport = "ssh"
address = "{ssh}"

[ssh]
host-keys = ["host"]
authorized-keys = ["authorized_keys"]

[netconf]
sessions = {sessions + 100}

[yang]
modules = ["modules/stair.yang"]

[limits]
connections = {sessions + 100}

[[session-user]]
name = "ops"
access = "write"
view = "all"

[[community]]
name = "{COMMUNITY}"
versions = ["v2c"]
security-name = "long"
access = "read"
view = "restricted"
"""


def entries(first, last):
    """Entries of stair with ten texts of 255 characters."""
    texts = "".join(f"<stairText{number}>{'x' * 255}</stairText{number}>" for number in range(1, 11))
    content = "".join(f"<stairEntry><stairIndex>{index}</stairIndex>{texts}</stairEntry>" for index in range(first, last + 1))
    return f'<stairTable xmlns="{STAIR}">{content}</stairTable>'


def run(action):
    return asyncio.run(action)


def resident(process, reset=False):
    """Returns the peak of the process's resident memory in bytes. `reset` sets it to the present value first."""
    if reset:
        pathlib.Path(f"/proc/{process}/clear_refs").write_text("5")
    text = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmHWM:\s*(\d+) kB", text).group(1)) * 1024


def wait_until(condition, reason, seconds):
    deadline = time.monotonic() + seconds
    while not condition():
        require(time.monotonic() < deadline, reason)
        time.sleep(0.05)
