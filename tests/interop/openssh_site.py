"""An agent that OpenSSH's `ssh` reaches directly and behind an sshd.

The subsystem of sshd relays sessions to the agent's socket. All files are in one directory, and
both servers listen on loopback.
"""

import contextlib
import os
import pathlib
import pwd
import selectors
import shutil
import socket
import subprocess
import sys
import time

import agents
import ber
from results import Skip

TIMEOUT = 60
ACCOUNT = pwd.getpwuid(os.getuid()).pw_name
# This account exists on every Debian system and owns no files. The overflow account (65534) is not
# used, because it stands for all unmapped accounts in a user namespace.
OTHER_ACCOUNT = "daemon"


class Site:
    def __init__(self, directory):
        self.directory = directory
        # The ports of the agent and of the sshd before it.
        self.direct = agents.free_port_range()
        self.behind = self.direct + 1
        self.socket = directory / "run/snmp.sock"
        self.strict_socket = directory / "run/strict.sock"
        self.relay = directory / "portreeve-snmp"
        self.agent = None

    def ssh(self, *options, port, user=ACCOUNT, key="user"):
        """The start of an ssh command line, isolated from the user who runs the tests."""
        settings = {"StrictHostKeyChecking": "yes", "UserKnownHostsFile": self.directory / "known_hosts",
                    "GlobalKnownHostsFile": "none", "IdentityFile": self.directory / key, "IdentitiesOnly": "yes",
                    "IdentityAgent": "none", "BatchMode": "yes", "LogLevel": "ERROR"}
        # ssh uses the first value of each option.
        argv = ["ssh", "-F", "none", "-p", str(port), *map(str, options)]
        for name, value in settings.items():
            argv += ["-o", f"{name}={value}"]
        return [*argv, f"{user}@127.0.0.1"]

    def subsystem(self, *options, name="snmp", **login):
        [*argv, host] = self.ssh(*options, **login)
        return Subsystem([*argv, "-s", host, name])

    def portreeve(self, *arguments, **variables):
        command = agents.portreeve()
        if not command:
            raise Skip("portreeve is not built")
        home = self.directory / "home"
        environment = {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_RUNTIME_DIR": str(home), "MIBS": "",
                       "PORTREEVE_SSH_KEY": str(self.directory / "user"),
                       "PORTREEVE_KNOWN_HOSTS": str(self.directory / "known_hosts"), **variables}
        return subprocess.run([command, *arguments], env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=TIMEOUT)

    def start_agent(self):
        binary = str(agents.portreeved())
        log = (self.directory / "agent.log").open("a")
        self.agent = subprocess.Popen([binary, "run", "--config", str(self.directory / "portreeved.toml")],
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True)
        log.close()
        if self.agent.stdout.readline().strip() != "ready":
            sys.exit("tests/interop/run: the agent for OpenSSH did not become ready\n" + self.log())

    def log(self):
        return (self.directory / "agent.log").read_text()[-4000:]


class Subsystem:
    """A running `ssh -s`, used over its standard streams."""

    def __init__(self, argv):
        self.process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.octets = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(BrokenPipeError):
                stream.close()

    def send(self, message):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(message)
            self.process.stdin.flush()

    def receive(self):
        """Returns the next message, or nothing if the peer closes or stays silent."""
        deadline = time.monotonic() + TIMEOUT
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while time.monotonic() < deadline and not ber.is_complete(self.octets):
                if selector.select(timeout=0.2):
                    chunk = os.read(self.process.stdout.fileno(), 65536)
                    if not chunk:
                        return b""
                    self.octets += chunk
        if not ber.is_complete(self.octets):
            return b""
        start, length = ber.content(self.octets)
        message, self.octets = self.octets[:start + length], self.octets[start + length:]
        return message

    def get(self, oid):
        self.send(ber.v3_tsm(ber.GET, oid))
        response = self.receive()
        if not ber.is_response(response):
            self.process.kill()
            raise AssertionError(f"{response!r}\n{self.process.stderr.read().decode(errors='replace')}")
        assert ber.security_flags(response) == 3, "the response is not authPriv"
        return response

    def finish(self):
        """Closes the input. Returns the remaining output, the exit status and the error output."""
        out, errors = self.process.communicate(timeout=TIMEOUT)
        return self.octets + out, self.process.returncode, errors.decode(errors="replace")


@contextlib.contextmanager
def start(directory):
    # Another account must be able to reach the socket.
    directory.chmod(0o755)
    site = Site(directory)
    make_keys(site)
    (directory / "home").mkdir(mode=0o700)
    (directory / "portreeved.toml").write_text(configuration(site))
    built = agents.PROGRAMS / "portreeve-snmp"
    shutil.copy(built, site.relay)
    site.start_agent()
    sshd = None
    try:
        sshd = start_sshd(site)
        yield site
    finally:
        for process in filter(None, (sshd, site.agent)):
            agents.stop(process)


def missing_program():
    for program, package in (("ssh", "openssh-client"), ("ssh-keygen", "openssh-client"), ("sshd", "openssh-server")):
        if not find_program(program):
            return f"{package} is not installed"
    built = agents.PROGRAMS / "portreeve-snmp"
    return None if built.exists() else "portreeve-snmp is not built"


def find_program(program):
    return shutil.which(program) or shutil.which(program, path="/usr/sbin:/sbin")


def make_keys(site):
    for name in ("host", "sshd_host", "user", "unlisted", "ca", "other_ca", "certified", "other_certified"):
        keygen("-t", "ed25519", "-f", site.directory / name)
    for name, authority in (("certified", "ca"), ("other_certified", "other_ca")):
        keygen("-s", site.directory / authority, "-I", f"{name} key", "-n", ACCOUNT, "-V", "+1h", site.directory / f"{name}.pub")
    keys = {name: (site.directory / f"{name}.pub").read_text() for name in ("host", "sshd_host", "user")}
    (site.directory / "known_hosts").write_text(
        f"[127.0.0.1]:{site.direct} {keys['host']}[127.0.0.1]:{site.behind} {keys['sshd_host']}")
    (site.directory / "authorized_keys").write_text(keys["user"])


def keygen(*arguments):
    argv = ["ssh-keygen", "-q", *(["-N", ""] if "-t" in arguments else []), *map(str, arguments)]
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, f"{argv}: {done.stderr}"


def configuration(site):
    return f"""
[agent]
state-dir = "state"

[[listen]]
transport = "ssh"
address = "127.0.0.1:{site.direct}"

[[listen]]
transport = "behind-sshd"
path = "{site.socket}"
users = ["{ACCOUNT}"]

[[listen]]
transport = "behind-sshd"
path = "{site.strict_socket}"

[ssh]
host-keys = ["host"]
authorized-keys = ["{site.directory}/authorized_keys"]
authorities = "ca.pub"

[[session-user]]
name = "{ACCOUNT}"
access = "read"
view = "all"
"""


def start_sshd(site):
    if os.getuid() == 0:
        # sshd needs an empty directory for its unprivileged process.
        pathlib.Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    config = site.directory / "sshd_config"
    config.write_text(f"""
Port {site.behind}
ListenAddress 127.0.0.1
HostKey {site.directory}/sshd_host
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
AuthorizedKeysFile {site.directory}/authorized_keys
Subsystem snmp {site.relay} {site.socket}
Subsystem snmp-nowhere {site.relay} {site.directory}/nowhere.sock
LogLevel VERBOSE
""")
    argv = [find_program("sshd"), "-D", "-f", str(config), "-E", str(site.directory / "sshd.log")]
    process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + TIMEOUT
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", site.behind), timeout=1):
            return process
        time.sleep(0.05)
    agents.stop(process)
    log = site.directory / "sshd.log"
    sys.exit("tests/interop/run: sshd did not become ready\n" + process.stderr.read() + (log.read_text() if log.exists() else ""))
