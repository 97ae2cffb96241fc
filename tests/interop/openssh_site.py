"""An agent of our own that OpenSSH's `ssh` reaches in two ways: directly, and behind an sshd of our own whose subsystem
brings sessions to the agent's socket.  Everything stands in one directory and listens on loopback."""

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

SECONDS = 20
ME = pwd.getpwuid(os.getuid()).pw_name
# Exists on every Debian, owns nothing, and is not `nobody`, who stands for accounts of other namespaces.
STRANGER = "daemon"


class Site:
    def __init__(self, directory):
        self.directory = directory
        # Two ports, one for each server.
        self.direct, self.behind = free_port(), free_port()
        self.socket = directory / "run/snmp.sock"
        self.strict_socket = directory / "run/strict.sock"
        self.relay = directory / "portreeve-snmp"
        self.agent = None

    def ssh(self, *options, port, user=ME, key="user"):
        """The beginning of an ssh command line that uses nothing of whoever runs this."""
        told = {"StrictHostKeyChecking": "yes", "UserKnownHostsFile": self.directory / "known_hosts",
                "GlobalKnownHostsFile": "none", "IdentityFile": self.directory / key, "IdentitiesOnly": "yes",
                "IdentityAgent": "none", "BatchMode": "yes", "LogLevel": "ERROR"}
        # What is said first counts.
        argv = ["ssh", "-F", "none", "-p", str(port), *map(str, options)]
        for name, value in told.items():
            argv += ["-o", f"{name}={value}"]
        return [*argv, f"{user}@127.0.0.1"]

    def subsystem(self, *options, name="snmp", **how):
        [*words, host] = self.ssh(*options, **how)
        return Subsystem([*words, "-s", host, name])

    def portreeve(self, *arguments, **changed):
        command = agents.portreeve()
        if not command:
            raise Skip("portreeve is not built")
        home = self.directory / "home"
        environment = {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_RUNTIME_DIR": str(home), "MIBS": "",
                       "PORTREEVE_SSH_KEY": str(self.directory / "user"),
                       "PORTREEVE_KNOWN_HOSTS": str(self.directory / "known_hosts"), **changed}
        return subprocess.run([command, *arguments], env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=SECONDS)

    def start_agent(self):
        binary = os.environ.get("PORTREEVED", str(agents.ROOT / "target/release/portreeved"))
        log = (self.directory / "agent.log").open("a")
        self.agent = subprocess.Popen([binary, "run", "--config", str(self.directory / "portreeved.toml")],
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True)
        log.close()
        if self.agent.stdout.readline().strip() != "ready":
            sys.exit("tests/interop/run: the agent for OpenSSH did not get ready\n" + self.log())

    def log(self):
        return (self.directory / "agent.log").read_text()[-4000:]


class Subsystem:
    """A running `ssh -s`, asked over its standard streams."""

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
        """The next message; nothing where the other end closes or stays silent."""
        deadline = time.monotonic() + SECONDS
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while time.monotonic() < deadline and not ber.is_whole(self.octets):
                if selector.select(timeout=0.2):
                    more = os.read(self.process.stdout.fileno(), 65536)
                    if not more:
                        return b""
                    self.octets += more
        if not ber.is_whole(self.octets):
            return b""
        start, length = ber.content(self.octets)
        message, self.octets = self.octets[:start + length], self.octets[start + length:]
        return message

    def get(self, oid):
        self.send(ber.v3_tsm(ber.GET, oid))
        answer = self.receive()
        if not ber.is_response(answer):
            self.process.kill()
            raise AssertionError(f"{answer!r}\n{self.process.stderr.read().decode(errors='replace')}")
        assert ber.security_flags(answer) == 3, "the answer is not authPriv"
        return answer

    def finish(self):
        """Says that nothing more comes; what still arrives, the exit status, and complaints."""
        out, complaints = self.process.communicate(timeout=SECONDS)
        return self.octets + out, self.process.returncode, complaints.decode(errors="replace")


@contextlib.contextmanager
def served(directory):
    # Another account has to get as far as the socket.
    directory.chmod(0o755)
    site = Site(directory)
    make_keys(site)
    (directory / "home").mkdir(mode=0o700)
    (directory / "portreeved.toml").write_text(configuration(site))
    built = os.environ.get("PORTREEVE_SNMP", str(agents.ROOT / "target/release/portreeve-snmp"))
    shutil.copy(built, site.relay)
    site.start_agent()
    sshd = None
    try:
        sshd = start_sshd(site)
        yield site
    finally:
        for process in filter(None, (sshd, site.agent)):
            agents.stop(process)


def missing():
    for program, package in (("ssh", "openssh-client"), ("ssh-keygen", "openssh-client"), ("sshd", "openssh-server")):
        if not find(program):
            return f"{package} is not installed"
    built = os.environ.get("PORTREEVE_SNMP", str(agents.ROOT / "target/release/portreeve-snmp"))
    return None if pathlib.Path(built).exists() else "portreeve-snmp is not built"


def find(program):
    return shutil.which(program) or shutil.which(program, path="/usr/sbin:/sbin")


def make_keys(site):
    for name in ("host", "sshd_host", "user", "stranger", "ca", "other_ca", "certified", "miscertified"):
        keygen("-t", "ed25519", "-f", site.directory / name)
    for name, authority in (("certified", "ca"), ("miscertified", "other_ca")):
        keygen("-s", site.directory / authority, "-I", f"{name} key", "-n", ME, "-V", "+1h", site.directory / f"{name}.pub")
    keys = {name: (site.directory / f"{name}.pub").read_text() for name in ("host", "sshd_host", "user")}
    (site.directory / "known_hosts").write_text(
        f"[127.0.0.1]:{site.direct} {keys['host']}[127.0.0.1]:{site.behind} {keys['sshd_host']}")
    (site.directory / "authorized_keys").write_text(keys["user"])


def keygen(*arguments):
    quiet = ["ssh-keygen", "-q", *(["-N", ""] if "-t" in arguments else []), *map(str, arguments)]
    done = subprocess.run(quiet, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, f"{quiet}: {done.stderr}"


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
users = ["{ME}"]

[[listen]]
transport = "behind-sshd"
path = "{site.strict_socket}"

[ssh]
host-keys = ["host"]
authorized-keys = ["{site.directory}/authorized_keys"]
authorities = "ca.pub"

[[session-user]]
name = "{ME}"
access = "read"
view = "all"
"""


def start_sshd(site):
    if os.getuid() == 0:
        # sshd wants an empty directory for the part of it that has no rights.
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
    argv = [find("sshd"), "-D", "-f", str(config), "-E", str(site.directory / "sshd.log")]
    process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", site.behind), timeout=1):
            return process
        time.sleep(0.05)
    agents.stop(process)
    log = site.directory / "sshd.log"
    sys.exit("tests/interop/run: sshd did not get ready\n" + process.stderr.read() + (log.read_text() if log.exists() else ""))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
