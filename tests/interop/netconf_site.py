"""An agent that serves NETCONF over SSH and SNMP over UDP, from a state directory of its own.

`ops` may write, `reader` may read, `root-of-netconf` may do everything, and each has an SSH key. To calibrate the checks themselves,
`tests/interop/run --netconf-server netconfd` runs Debian's netconfd behind an sshd instead.
"""

import contextlib
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import agents
import openssh_site
from results import Skip

TIMEOUT = 60
COMMUNITY = "interop-write"
MODULES = agents.ROOT / "target/yang-modules"
EXAMPLES = agents.ROOT / "crates/yang-compiler/examples"
# The server of all sites. `run` may change it.
SERVER = "portreeved"


class Site:
    """A server and the files of its clients."""

    def __init__(self, directory, kind):
        self.directory = directory
        self.kind = kind
        base = agents.free_port_range()
        self.port, self.udp = base, f"127.0.0.1:{base + 1}"
        self.writer = "ops" if kind == "portreeved" else pwd.getpwuid(os.getuid()).pw_name
        self.reader = "reader" if kind == "portreeved" else None
        # May kill sessions.
        self.administrator = "root-of-netconf" if kind == "portreeved" else self.writer
        self.processes = []

    def settings(self):
        """The settings of a client program, for JSON."""
        return {"kind": self.kind, "host": "127.0.0.1", "port": self.port, "writer": self.writer, "reader": self.reader,
                "administrator": self.administrator,
                "directory": str(self.directory), "modules": str(MODULES), "examples": str(EXAMPLES)}

    def key(self, user):
        return self.directory / f"{user}.key"

    def kill(self):
        """Ends the server without giving it time to write anything."""
        for process in self.processes:
            process.send_signal(signal.SIGKILL)
            process.wait()
        self.processes = []

    def log(self):
        return (self.directory / "agent.log").read_text()[-4000:]

    def start(self):
        self.processes = start_portreeved(self) if self.kind == "portreeved" else start_netconfd(self)

    def stop(self):
        for process in self.processes:
            agents.stop(process)
        self.processes = []

    def snmp(self, verb, *arguments):
        """Runs a command of Net-SNMP with the community that may write. Returns its output."""
        program = f"snmp{verb}"
        if not shutil.which(program):
            raise Skip(f"{program} is not installed")
        argv = [program, "-v", "2c", "-c", COMMUNITY, "-m", "", "-Oqv", "-t", "20", "-r", "0", self.udp, *arguments]
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT)
        assert done.returncode == 0, f"{' '.join(argv)}\n{done.stdout}{done.stderr}"
        return done.stdout.strip()


def missing():
    """Returns the reason why no server can be started, or None."""
    if SERVER == "portreeved":
        if not agents.portreeved().exists():
            return "portreeved is not built"
        if not shutil.which("ssh-keygen"):
            return "openssh-client is not installed"
        return None
    for program in ("netconfd", "sshd", "ssh-keygen"):
        if not openssh_site.find_program(program):
            return f"{program} is not installed"
    return None


@contextlib.contextmanager
def start(module=None, **changes):
    """Runs the server in a temporary directory, with the module `stair` or with another one: its name and its text."""
    with tempfile.TemporaryDirectory(prefix="portreeve-netconf-") as name:
        directory = pathlib.Path(name)
        directory.chmod(0o755)
        site = Site(directory, SERVER)
        make_keys(site)
        if site.kind == "portreeved":
            copy_modules(directory / "modules")
            name, text = module or ("stair", (EXAMPLES / "stair.yang").read_text())
            (directory / "modules" / f"{name}.yang").write_text(text)
            path = directory / "portreeved.toml"
            path.write_text(configuration(site, name, **changes))
            path.chmod(0o600)
        try:
            site.start()
            yield site
        finally:
            site.stop()


def copy_modules(directory):
    """Copies the module `stair` and those that are shipped into a new directory."""
    directory.mkdir()
    for path in (EXAMPLES / "stair.yang", *MODULES.glob("*.yang")):
        shutil.copy(path, directory)


def make_keys(site):
    openssh_site.keygen("-t", "ed25519", "-f", site.directory / "host.key")
    # scrapli-netconf looks for the address without the port, in a line without a comment.
    host = " ".join((site.directory / "host.key.pub").read_text().split()[:2])
    (site.directory / "known_hosts").write_text(f"[127.0.0.1]:{site.port} {host}\n127.0.0.1 {host}\n")
    (site.directory / "keys").mkdir()
    for user in filter(None, {site.writer, site.reader, site.administrator}):
        openssh_site.keygen("-t", "ed25519", "-f", site.key(user))
        # scrapli-netconf reads only RSA keys with paramiko.
        openssh_site.keygen("-t", "rsa", "-b", "2048", "-m", "PEM", "-f", site.directory / f"{user}.rsa")
        authorized = site.directory / "keys" / user
        authorized.write_text("".join((site.directory / f"{user}.{kind}.pub").read_text() for kind in ("key", "rsa")))
        authorized.chmod(0o600)


def configuration(site, module="stair", contact=""):
    return f"""
[agent]
state-dir = "state"

[system]
name = "interop"
{contact}

[weak]
allow = ["communities"]

[[listen]]
transport = "udp"
address = "{site.udp}"

[[listen]]
transport = "ssh"
address = "127.0.0.1:{site.port}"

[ssh]
host-keys = ["host.key"]
authorized-keys = ["keys/%u"]

[netconf]
recovery = ["{site.administrator}"]

[yang]
modules = ["modules/{module}.yang"]

[[session-user]]
name = "ops"
access = "write"
view = "all"

[[session-user]]
name = "reader"
access = "read"
view = "all"

[[community]]
name = "{COMMUNITY}"
versions = ["v2c"]
security-name = "interop"
access = "write"
view = "all"
"""


def start_portreeved(site):
    argv = [str(agents.portreeved().resolve()), "run", "--config", str(site.directory / "portreeved.toml")]
    with (site.directory / "agent.log").open("a") as log:
        process = subprocess.Popen(argv, cwd=site.directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log,
                                   text=True)
    if process.stdout.readline().strip() != "ready":
        agents.stop(process)
        sys.exit("tests/interop/run: the agent for NETCONF did not become ready\n" + site.log())
    return [process]


# --- netconfd, to calibrate the checks


def start_netconfd(site):
    """Starts netconfd and an sshd whose subsystem reaches it."""
    directory = site.directory
    (directory / "home").mkdir(exist_ok=True)
    path = ":".join(map(str, (EXAMPLES, MODULES, "/usr/share/yuma/modules")))
    environment = {"PATH": os.environ["PATH"], "HOME": str(directory / "home"), "YUMA_MODPATH": path}
    server = ["netconfd", f"--ncxserver-sockname={directory}/ncx.sock", f"--port={site.port}", "--module=stair",
              "--module=ietf-system", f"--superuser={site.writer}", "--access-control=off", "--no-startup",
              "--target=running" if os.environ.get("NETCONFD_TARGET") == "running" else "--target=candidate"]
    relay = f"/usr/sbin/netconf-subsystem --ncxserver-sockname={site.port}@{directory}/ncx.sock"
    log = (directory / "agent.log").open("a")
    processes = [subprocess.Popen(server, env=environment, cwd=directory, stdin=subprocess.DEVNULL, stdout=log, stderr=log)]
    wait_for(lambda: (directory / "ncx.sock").exists(), "netconfd")
    processes.append(start_sshd(directory, site.port, {"netconf": relay}))
    log.close()
    return processes


def start_sshd(directory, port, subsystems):
    """Starts an sshd for the user who runs the tests, with the keys of a site."""
    if os.getuid() == 0:
        # sshd needs an empty directory for its unprivileged process.
        pathlib.Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    config = directory / "sshd_config"
    lines = [f"Port {port}", "ListenAddress 127.0.0.1", f"HostKey {directory}/host.key", "PidFile none", "UsePAM no",
             "StrictModes no", "PermitTTY no", "MaxStartups 100", "PasswordAuthentication no", "KbdInteractiveAuthentication no",
             "PermitRootLogin prohibit-password", f"AuthorizedKeysFile {directory}/keys/%u"]
    lines += [f"Subsystem {name} {command}" for name, command in subsystems.items()]
    config.write_text("\n".join(lines) + "\n")
    argv = [openssh_site.find_program("sshd"), "-D", "-f", str(config), "-E", str(directory / "sshd.log")]
    process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(lambda: is_open(port), "sshd")
    return process


def is_open(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def wait_for(condition, name):
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        if time.monotonic() > deadline:
            sys.exit(f"tests/interop/run: {name} did not become ready")
        time.sleep(0.05)
