"""Notifications between our programs and the libraries pysnmp and SNMP4J, in both directions.

Each library sends to our receiver, and receives from our command and our agent. Every notification
has the same variables, and what arrives is compared in full.
"""

import contextlib
import json
import pathlib
import queue
import subprocess
import tempfile
import threading
import time

import agents
import netsnmp
import notifying_agent
import pysnmp_peer
import snmp4j_peer
import trapd
from agents import User
from certificates import fingerprint, make_certificates
from notifying_agent import AUTH_PASS, COLD_START, COMMUNITY, LEVELS, PRIV_PASS
from results import Skip

UP_TIME, TRAP_OID = "1.3.6.1.2.1.1.3.0", "1.3.6.1.6.3.1.1.4.1.0"
PRIVATE = "1.3.6.1.4.1.32473.1"
NOTIFICATION = f"{PRIVATE}.0.17"
VARIABLES = [(f"{PRIVATE}.1", "i", "-2"), (f"{PRIVATE}.2", "s", "a name"), (f"{PRIVATE}.3", "o", f"{PRIVATE}.9"),
             (f"{PRIVATE}.4", "a", "192.0.2.1"), (f"{PRIVATE}.5", "t", "4294967295"), (f"{PRIVATE}.6", "C", "18446744073709551615")]
COMMAND_ENGINE, LIBRARY_ENGINE = "8000000005d1d2d3d4d5d6d7d8", "8000000005e1e2e3e4e5e6e7e8"
LETTERS = {"Integer32": "i", "OctetString": "s", "ObjectIdentifier": "o", "IpAddress": "a", "TimeTicks": "t", "Counter64": "C"}
TIMEOUT = 60


class Pysnmp:
    """pysnmp as a peer of `run`."""

    transports = ("udp",)

    @staticmethod
    def run(agent, peer):
        python, missing = pysnmp_peer.environment()
        check_all(agent, peer, Pysnmp([python, str(agents.ROOT / "tests/interop/pysnmp_notifications.py")]), missing)

    def __init__(self, argv):
        self.argv = argv

    @staticmethod
    def encode(settings, senders=()):
        """The settings with the users. For traps, a receiver needs the engine IDs of the `senders`."""
        return json.dumps({**settings, "users": [user.__dict__ for user in users()], "variables": VARIABLES, "senders": senders,
                           "sender": LIBRARY_ENGINE}) + "\n"


class Snmp4j:
    """SNMP4J as a peer of `run`."""

    transports = ("udp", "tcp", "tls", "dtls")

    @staticmethod
    def run(agent, peer):
        classpath, missing = snmp4j_peer.installed()
        check_all(agent, peer, Snmp4j(snmp4j_peer.java(classpath, "Notifications")), missing)

    def __init__(self, argv):
        self.argv = argv

    @staticmethod
    def encode(settings, _senders=()):
        variables = {f"variable.{number}": "\t".join(variable) for number, variable in enumerate(VARIABLES)}
        addresses = {name: snmp4j_peer.java_address(settings[name]) for name in Snmp4j.transports if name in settings}
        return snmp4j_peer.properties({**settings, **addresses, **variables, **snmp4j_peer.user_settings(users())})


def users():
    """A user for each kind and level. The engines of traps and informs differ, and so their keys."""
    keys = {"noAuthNoPriv": ("", "", "", ""), "authNoPriv": ("SHA-256", AUTH_PASS, "", ""),
            "authPriv": ("SHA-256", AUTH_PASS, "AES", PRIV_PASS)}
    return [User(f"{kind}{level}", level, *keys[level]) for kind in ("trap", "inform") for level in LEVELS]


def check_all(agent, peer, library, missing):
    if missing:
        return peer.skip("all checks", missing)
    if agent.kind != "portreeved":
        return peer.skip("all checks", "only our programs are tested")
    if not trapd.program().exists():
        return peer.skip("all checks", "portreeve-trapd is not built")
    with tempfile.TemporaryDirectory(prefix="portreeve-notifications-") as name:
        directory = pathlib.Path(name)
        make_certificates(directory)
        with our_receiver(directory) as receiver:
            check_sender(library, peer, directory, receiver)
        check_receiver(library, peer, directory)


# --- the library sends


def check_sender(library, peer, directory, receiver):
    settings = {**receiver.addresses, "trap-oid": NOTIFICATION, "certificate": directory / "good.pem", "authority": directory / "ca.pem"}
    with running(library.argv, library.encode({name: str(value) for name, value in settings.items()})) as program:
        for target in targets(library, receiver.addresses):
            peer.check(f"our receiver accepts a {target.title}", arrives, program, receiver, target)


def arrives(program, receiver, target):
    before = len(receiver.lines())
    level = target.level or "authPriv"
    program.write("\t".join([target.kind, target.version, target.principal, level, target.transport]))
    answer = program.read()
    assert answer == "sent", answer
    received = receiver.next_after(before)
    assert received == expected(target), f"{received}\n{expected(target)}"


class OurReceiver:
    """Our receiver, which writes JSON lines."""

    def __init__(self, directory, port):
        self.directory = directory
        self.addresses = {name: f"127.0.0.1:{port + (name in ('tls', 'dtls'))}" for name in Snmp4j.transports}

    def lines(self):
        return (self.directory / "traps.jsonl").read_text().splitlines()

    def next_after(self, count):
        """Returns the fields of the notification after the first `count` ones."""
        deadline = time.monotonic() + TIMEOUT
        while len(self.lines()) <= count:
            assert time.monotonic() < deadline, f"nothing was received\n{(self.directory / 'trapd.log').read_text()}"
            time.sleep(0.01)
        return fields_of(json.loads(self.lines()[count]))


def fields_of(received):
    """The fields of a notification as the programs of the libraries print them."""
    variables = [(variable["oid"].removeprefix("."), variable["type"], variable["value"]) for variable in received["variables"]]
    if received["version"] != "v1":
        variables = variables[2:]
    printed = [f"{UP_TIME}=t:{received['uptime']}"]
    printed += [f"{name}={LETTERS.get(kind, kind)}:{str(value).removeprefix('.')}" for name, kind, value in variables]
    return [received["kind"], received["version"], received["security-name"], received["security-level"],
            received["trap-oid"].removeprefix("."), *printed]


@contextlib.contextmanager
def our_receiver(directory):
    """Runs our receiver with one user for many senders of traps, whose engine IDs it does not know."""
    receiver = OurReceiver(directory, agents.free_port_range())
    listeners = "".join(f'[[listen]]\ntransport = "{name}"\naddress = "{address}"\n' for name, address in receiver.addresses.items())
    sections = "".join(notifying_agent.user_section(user.name, user.level)
                       + f'[[accept]]\nname = "{user.name}"\nmodel = "usm"\nlevel = "{user.level}"\n'
                       + f'[[sender]]\nuser = "{user.name}"\nsources = ["127.0.0.0/8"]\n' for user in users())
    (directory / "trapd.toml").write_text(f"""
[receive]
state-dir = "trapd-state"
log = "traps.log"
json = "traps.jsonl"
{listeners}
[weak]
allow = ["communities", "noAuthNoPriv"]
[tls]
certificate = "agent.pem"
key = "agent.key"
authorities = ["ca.pem"]
[[tls.name]]
fingerprint = "{fingerprint(directory / "ca.pem")}"
map = "common-name"
[[community]]
name = "{COMMUNITY}"
versions = ["v1", "v2c"]
security-name = "{COMMUNITY}"
[[accept]]
name = "{COMMUNITY}"
[[accept]]
name = "ops"
model = "tsm"
{sections}""")
    (directory / "trapd.toml").chmod(0o600)
    (directory / "traps.jsonl").touch()
    with trapd.running(["--config", directory / "trapd.toml"], directory):
        yield receiver


# --- the library receives


def check_receiver(library, peer, directory):
    port = agents.free_port_range()
    settings = {"port": str(port), "session-port": str(port + 1), "community": COMMUNITY, "agent": str(directory / "agent.pem"),
                "authority": str(directory / "ca.pem")}
    addresses = {name: f"127.0.0.1:{port + (name in ('tls', 'dtls'))}" for name in library.transports}
    with running(library.argv, library.encode(settings, [COMMAND_ENGINE, notifying_agent.ENGINE])) as program:
        # Informs come first and are repeated: a busy SNMP4J loses a DTLS message that arrives
        # before its handshake has ended. The trap is the second message of a session.
        for target in sorted(targets(library, addresses), key=lambda target: target.kind):
            peer.check(f"a {target.title} of our command arrives", command_sends, program, directory, target)
        agent_targets = targets(library, addresses)
        with notifying_agent.running(directory, agent_targets) as log:
            received = read_all(program, {tuple(expected_cold_start(target)) for target in agent_targets})
            for target in agent_targets:
                peer.check(f"coldStart of our agent arrives as a {target.title}", is_received, target, received, log)


def targets(library, addresses):
    """The kinds of notifications that the library can send and receive; over TCP, only some of them."""
    tcp = addresses["tcp"] if "tcp" in library.transports else None
    all_targets = notifying_agent.over_datagrams_and_streams(addresses["udp"], tcp)
    return [target for target in all_targets if target.transport == "udp" or target.level in ("", "authPriv")] + \
        notifying_agent.over_sessions({name: addresses[name] for name in ("tls", "dtls") if name in library.transports})


def command_sends(program, directory, target):
    credentials = ["-v", target.version[1:], "-c", target.principal]
    if target.level:
        user = next(user for user in users() if user.name == target.principal)
        credentials = netsnmp.v3(user) + (["-e", COMMAND_ENGINE] if target.kind == "trap" else [])
    if target.transport in ("tls", "dtls"):
        # On a busy machine, SNMP4J loses a trap that arrives together with the end of its session.
        credentials = ["--persist", "60" if target.kind == "inform" else "10", "--certificate", directory / "good.pem",
                       "--key", directory / "good.key", "--ca", directory / "ca.pem"]
    operands = ["4200", NOTIFICATION]
    variables = VARIABLES
    if target.version == "v1":
        operands = [PRIVATE, "192.0.2.1", "6", "17", "4200"]
        variables = [variable for variable in VARIABLES if variable[1] != "C"]
    argv = [agents.portreeve(), target.kind, "-t", "5", *credentials, f"{target.transport}:{target.address}", *operands,
            *sum(variables, ())]
    environment = {**netsnmp.bare_environment(directory), "XDG_RUNTIME_DIR": str(directory)}
    done = subprocess.run([str(word) for word in argv], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=60)
    assert done.returncode == 0 and not done.stdout + done.stderr, netsnmp.transcript(done)
    received = program.read().split("\t")
    assert received == expected(target), f"{received}\n{expected(target)}"


def expected(target, notification=NOTIFICATION, variables=VARIABLES):
    """The fields of a notification with these variables. SNMPv1 has no Counter64."""
    values = [(UP_TIME, "t", "4200"), *variables]
    level = target.level or ("noAuthNoPriv" if target.version != "v3" else "authPriv")
    return [target.kind, target.version, target.principal, level, notification,
            *(f"{name}={letter}:{value}" for name, letter, value in values if target.version != "v1" or letter != "C")]


def expected_cold_start(target):
    return expected(target, COLD_START, [])[:5]


def read_all(program, wanted):
    """Reads notifications without their uptime, until all wanted ones have arrived or none arrives in time."""
    received = []
    while not wanted <= set(map(tuple, received)) and (line := program.read()):
        received.append(line.split("\t")[:5])
    return received


def is_received(target, received, log):
    wanted = expected_cold_start(target)
    assert received.count(wanted) >= 1, f"{wanted}\n{received}\n{log.read_text()}"


# --- the programs of the libraries


class Program:
    """A program that reads and prints lines."""

    def __init__(self, process):
        self.process = process
        self.printed = queue.Queue()
        threading.Thread(target=self.collect, daemon=True).start()

    def collect(self):
        for line in self.process.stdout:
            self.printed.put(line.rstrip("\n"))

    def write(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def read(self, timeout=TIMEOUT):
        """Returns the next line, or an empty one if there is none in time."""
        try:
            return self.printed.get(timeout=timeout)
        except queue.Empty:
            return ""


@contextlib.contextmanager
def running(argv, settings):
    try:
        process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    except FileNotFoundError as missing:
        raise Skip(f"{missing.filename} is not installed") from None
    try:
        program = Program(process)
        program.write(settings.removesuffix("\n"))
        assert program.read() == "ready"
        yield program
    finally:
        with contextlib.suppress(OSError):
            process.stdin.close()
        agents.stop(process)
