"""The agents that our commands are tested against: snmpd, pysnmp, node's net-snmp, SNMP4J and our own."""

import contextlib
import json
import subprocess
import threading
from dataclasses import dataclass, field, replace

import agents
import node
import pysnmp_peer
import snmp4j_peer
from agents import User
from netsnmp import v3
from results import Skip

START_TIMEOUT = 60
USERS = [User("noauth", "noAuthNoPriv", "", "", "", ""),
         User("auth", "authNoPriv", "SHA", "an auth phrase", "", ""),
         User("priv", "authPriv", "SHA", "an auth phrase", "AES", "a priv phrase")]


@dataclass(frozen=True)
class Level:
    """Flags for reading, flags for writing (None if not allowed), and flags that must fail."""

    title: str
    read: list
    write: list | None
    wrong: list


@dataclass(frozen=True)
class Target:
    name: str
    address: str
    levels: list
    # Checks that the agent cannot pass, by level and title, with the reason.
    unsupported: dict = field(default_factory=dict)
    # A port at which the agent listens, if the address has none.
    other_port: str = ""

    @property
    def port(self):
        return self.other_port or self.address.rpartition(":")[2]


def community_levels(read, write):
    levels = []
    for version in ("1", "2c"):
        flags = ["-v", version, "-c"]
        levels.append(Level(f"v{version}", [*flags, read], [*flags, write], [*flags, "guessed"]))
    return levels


def user_level(user, may_write=True, writer=None):
    """The level of a user; `writer` is used for writing if the user may not write."""
    wrong = {**user.__dict__, "name": "unknown"} if user.level == "noAuthNoPriv" else \
        {**user.__dict__, "auth_pass": "not the pass phrase"}
    write = v3(user) if may_write else writer and v3(writer)
    return Level(f"v3 {user.level}", v3(user), write, v3(User(**wrong)))


@contextlib.contextmanager
def under_test(agent):
    users = [next(user for user in agent.users if user.level == level and user.auth in ("", "SHA", "SHA-256"))
             for level in ("noAuthNoPriv", "authNoPriv", "authPriv")]
    may_write = agent.kind == "snmpd"
    levels = [user_level(user, may_write, agent.writer if user.level == "authPriv" else None) for user in users]
    yield Target(agent.kind, agent.udp, community_levels(agent.read_community, agent.write_community) + levels)


@contextlib.contextmanager
def snmpd(directory):
    directory.mkdir()
    with agents.start("snmpd", directory) as agent, under_test(agent) as target:
        yield target


@contextlib.contextmanager
def snmpd_over_unix_socket(directory):
    with snmpd(directory) as target:
        address = f"unix:{directory / agents.SNMPD_SOCKET}"
        yield replace(target, name="snmpd over a Unix socket", address=address, other_port=target.port)


@contextlib.contextmanager
def pysnmp(directory):
    python, missing = pysnmp_peer.environment()
    if missing:
        raise Skip(missing)
    with run_program([python, str(agents.ROOT / "tests/interop/pysnmp_agent.py")]) as target:
        yield Target("pysnmp", *target)


@contextlib.contextmanager
def node_net_snmp(directory):
    home, missing = node.installed()
    if missing:
        raise Skip(missing)
    argv = ["node", str(agents.ROOT / "tests/interop/node_agent.js"), str(home / "node_modules")]
    with run_program(argv) as target:
        yield Target("node", *target, unsupported={
            "v1 get reports a missing object": "it returns noSuchObject, which SNMPv1 does not have",
        })


@contextlib.contextmanager
def snmp4j(directory):
    classpath, missing = snmp4j_peer.installed()
    if missing:
        raise Skip(missing)
    with run_program(snmp4j_peer.java(classpath, "Agent"), snmp4j_settings) as target:
        yield Target("snmp4j", *target)


def snmp4j_settings(settings):
    return snmp4j_peer.properties({**settings, **snmp4j_peer.user_settings(USERS)})


def json_line(settings):
    return json.dumps({**settings, "users": [user.__dict__ for user in USERS]}) + "\n"


@contextlib.contextmanager
def run_program(argv, encode=json_line):
    """Runs an agent program and yields its address and levels."""
    port = agents.free_port_range()
    settings = encode({"port": port, "read": "public", "write": "private"})
    try:
        process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    except FileNotFoundError as missing:
        raise Skip(f"{missing.filename} is not installed") from None
    watchdog = threading.Timer(START_TIMEOUT, process.kill)
    watchdog.start()
    try:
        process.stdin.write(settings)
        process.stdin.flush()
        line = process.stdout.readline()
        watchdog.cancel()
        assert line.strip() == "ready", f"{argv[1]} did not become ready\n{process.stderr.read()[-3000:]}"
        yield f"127.0.0.1:{port}", community_levels("public", "private") + [user_level(user) for user in USERS]
    finally:
        watchdog.cancel()
        with contextlib.suppress(OSError):
            process.stdin.close()
        agents.stop(process)
