"""The agent under test: ours, or snmpd to calibrate the checks.

Both have the files that `portreeved demo` writes.
"""

import contextlib
import os
import pathlib
import random
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Our programs that are tested: `make test` passes those that its build for tests has made.
PROGRAMS = ROOT / os.environ.get("PORTREEVE_PROGRAMS", "target/release")
SNMPD_SOCKET = "snmpd.socket"
START_TIMEOUT = 60
# The sockets that reserve ports.
RESERVATIONS = []


@dataclass(frozen=True)
class User:
    """A line of users.tsv. Algorithms have Net-SNMP's names, or are empty if the level has none."""

    name: str
    level: str
    auth: str
    auth_pass: str
    priv: str
    priv_pass: str


class Agent:
    """A running agent with the contents of its credentials files."""

    def __init__(self, kind, directory, process):
        self.kind = kind
        self.directory = directory
        self.process = process
        self.env = read_env(directory / "credentials.env")
        self.users = read_users(directory / "users.tsv")
        self.udp = self.env["PORTREEVE_UDP"]
        self.tcp = self.env["PORTREEVE_TCP"]
        self.read_community = self.env["PORTREEVE_RO"]
        self.write_community = self.env["PORTREEVE_RW"]
        self.writer = User(self.env["PORTREEVE_USER"], "authPriv", self.env["PORTREEVE_AUTH"],
                           self.env["PORTREEVE_AUTH_PASS"], self.env["PORTREEVE_PRIV"], self.env["PORTREEVE_PRIV_PASS"])

    def host_port(self):
        host, _, port = self.udp.rpartition(":")
        return host, int(port)

    def is_alive(self):
        return self.process.poll() is None


def portreeved():
    """The path of our agent."""
    return PROGRAMS / "portreeved"


def portreeve():
    """The path of our command, or None if it is not built."""
    path = PROGRAMS / "portreeve"
    return path if path.exists() else None


@contextlib.contextmanager
def start(kind, directory):
    directory.chmod(0o755)
    log = (directory / "agent.log").open("w+")
    process = (start_demo if kind == "portreeved" else start_snmpd)(directory, log)
    try:
        yield Agent(kind, directory, process)
    finally:
        exited_cleanly = stop(process)
        if not exited_cleanly:
            log.seek(0)
            sys.stderr.write(log.read()[-4000:])


def start_demo(directory, log):
    binary = str(portreeved())
    argv = [binary, "demo", "--dir", str(directory / "demo"), "--base-port", str(free_port_range())]
    process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True)
    deadline = time.monotonic() + START_TIMEOUT
    for line in process.stdout:
        if line.strip() == "ready":
            for name in ("credentials.env", "users.tsv", "portreeved.toml"):
                (directory / name).symlink_to(directory / "demo" / name)
            return process
        if time.monotonic() > deadline:
            break
    stop(process)
    log.seek(0)
    sys.exit(f"tests/interop/run: {shlex.join(argv)} did not become ready\n{log.read()[-4000:]}")


def start_snmpd(directory, log):
    if not shutil.which("snmpd"):
        sys.exit("tests/interop/run: snmpd is not installed")
    port = free_port_range()
    auths = ["MD5", "SHA", "SHA-224", "SHA-256", "SHA-384", "SHA-512"]
    users = [User("u-none", "noAuthNoPriv", "", "", "", "")]
    users += [User(f"u-{a}", "authNoPriv", a, f"auth-{a}-secret", "", "") for a in auths]
    users += [User(f"u-{a}-{p}", "authPriv", a, f"auth-{a}-secret", p, f"priv-{p}-secret")
              for a in auths for p in ["DES", "AES", "AES-192", "AES-256", "AES-192-C", "AES-256-C"]]
    writer = users[-1]
    (directory / "users.tsv").write_text("".join(
        "\t".join([u.name, u.level, u.auth, u.auth_pass, u.priv, u.priv_pass]) + "\n" for u in users))
    (directory / "credentials.env").write_text(
        f"PORTREEVE_UDP=127.0.0.1:{port}\nPORTREEVE_TCP=127.0.0.1:{port}\nPORTREEVE_RO=public\nPORTREEVE_RW=private\n"
        f"PORTREEVE_USER={writer.name}\nPORTREEVE_AUTH={writer.auth}\nPORTREEVE_AUTH_PASS={writer.auth_pass}\n"
        f"PORTREEVE_PRIV={writer.priv}\nPORTREEVE_PRIV_PASS={writer.priv_pass}\n")
    conf = [f"agentaddress udp:127.0.0.1:{port},tcp:127.0.0.1:{port},unix:{directory / SNMPD_SOCKET}",
            "rocommunity public", "rwcommunity private", "view all included .1"]
    # The two communities above do not apply to the Unix socket.
    for community, write_view in (("public", "none"), ("private", "all")):
        conf += [f"com2secunix unix-{community} default {community}", f'access unix-{community} "" any noauth exact all {write_view} none']
        conf += [f"group unix-{community} {model} unix-{community}" for model in ("v1", "v2c")]
    levels = {"noAuthNoPriv": "noauth", "authNoPriv": "auth", "authPriv": "priv"}
    for user in users:
        keys = " ".join(filter(None, [user.auth, user.auth_pass, user.priv, user.priv_pass]))
        conf += [f"createUser {user.name} {keys}", f"rwuser {user.name} {levels[user.level]}"]
    (directory / "snmpd.conf").write_text("\n".join(conf) + "\n")
    environment = {**os.environ, "SNMP_PERSISTENT_DIR": str(directory / "state"), "SNMPCONFPATH": str(directory)}
    process = subprocess.Popen(["snmpd", "-f", "-Lo", "-C", "-c", str(directory / "snmpd.conf")], env=environment,
                               stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    deadline = time.monotonic() + START_TIMEOUT
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return process
        time.sleep(0.1)
    sys.exit("tests/interop/run: snmpd did not become ready")


def stop(process):
    """Stops a process that we started. Returns True if it exits on SIGTERM."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    try:
        return process.wait(timeout=60) in (0, -signal.SIGTERM)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return False


def free_port_range():
    """Returns the first of ten free ports, below the range of ephemeral ports.

    An abstract socket reserves them until this process ends, because a test that runs at the same time may look for ports before they
    are in use.
    """
    while True:
        base = random.randrange(11000, 32000, 10)
        reservation = socket.socket(socket.AF_UNIX)
        with contextlib.suppress(OSError):
            reservation.bind(f"\0portreeve-test-ports-{base}")
            RESERVATIONS.append(reservation)
            if all(is_free(port, kind) for port in range(base, base + 10) for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM)):
                return base


def is_free(port, kind):
    with socket.socket(socket.AF_INET, kind) as probe:
        with contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return True
    return False


def read_env(path):
    """Parses KEY=value lines as a shell would source them."""
    env = {}
    for line in path.read_text().splitlines():
        line = line.strip().removeprefix("export ")
        if line and not line.startswith("#"):
            key, _, value = line.partition("=")
            env[key] = "".join(shlex.split(value))
    return env


def read_users(path):
    users = []
    for line in path.read_text().splitlines():
        if not line.strip() or line.startswith("#") or line.startswith("name\t"):
            continue
        fields = [field if field != "-" else "" for field in line.split("\t")]
        users.append(User(*(fields + [""] * 6)[:6]))
    return users
