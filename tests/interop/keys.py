"""`portreeve keys` as a new user runs it.

Its output is pasted into the configuration of an agent, known_hosts and authorized_keys, and the
command lines that it prints are run. Only addresses and ports are changed, to avoid conflicts.
OpenSSL and OpenSSH use the keys and certificates too.
"""

import contextlib
import os
import pathlib
import pty
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time

import agents
from results import Skip

TIMEOUT = 60
UPTIME = "SNMPv2-MIB::sysUpTime.0 = Timeticks:"
HOST = "localhost"


def run(agent, peer):
    if agent.kind != "portreeved":
        return peer.skip("all checks", "only our agent is tested")
    if not agents.portreeve():
        return peer.skip("all checks", "portreeve is not built")
    with temporary_site() as site:
        site.make("ca", f"host {HOST} --san 127.0.0.1", "user ops")
        with site.run_agent(site.lines(HOST, "agent") + site.lines("ops", "agent")):
            site.write_known_hosts(site.lines(HOST, "known-hosts").splitlines()[0])
            for transport in ("tls", "dtls", "ssh"):
                peer.check(f"an agent configured with the printed lines responds over {transport}", reads, site, "ops", transport)
            peer.check("the authority's line in known_hosts is enough to verify the host", authority_line_is_enough, site)
            peer.check("a key from ssh-keygen logs in after it is signed", signed_key, site)
            peer.check("a certificate for a request from openssl is accepted by the agent", signed_request, site)
            peer.check("OpenSSL's s_client verifies the agent and is accepted by it", s_client, site)
            peer.check("OpenSSH's client verifies the agent and logs in", openssh_client, site)
            peer.check("a revoked user is refused after a reload", revoked_user_is_refused, site)
    with temporary_site() as site:
        peer.check("the key of an authority is encrypted with a typed pass phrase", typed_pass_phrase, site)
    with temporary_site() as site:
        site.make("ca", f"host {HOST} --ssh", "user ops --ssh")
        with site.run_agent(lines_with_authorized_keys(site, "ops") + site.lines("ops", "agent")):
            site.write_known_hosts(site.lines(HOST, "known-hosts").splitlines()[0])
            peer.check("a user logs in by the printed authorized_keys line", reads, site, "ops", "ssh")
    with temporary_site() as site:
        site.make(f"host {HOST} --self-signed", "user ops --self-signed")
        with site.run_agent(lines_with_authorized_keys(site, "ops") + site.lines("ops", "agent")):
            site.write_known_hosts(site.lines(HOST, "known-hosts"))
            for transport in ("tls", "dtls", "ssh"):
                peer.check(f"self-signed keys and the printed lines are enough over {transport}", reads, site, "ops", transport)


class Site:
    """The home of a new user and the directory of an agent, both empty."""

    def __init__(self, directory):
        self.home = directory / "home"
        self.agent = directory / "agent"
        for folder in (self.home, self.home / "run", self.home / ".ssh", self.agent):
            folder.mkdir(mode=0o700)
        base = agents.free_port_range()
        self.ports = {"tls": base, "dtls": base, "ssh": base + 1}
        self.environment = {"PATH": f"{agents.portreeve().resolve().parent}:{os.environ['PATH']}", "HOME": str(self.home),
                            "XDG_RUNTIME_DIR": str(self.home / "run"), "MIBS": ""}
        self.process = None

    def portreeve(self, line):
        return subprocess.run(shlex.split(f"portreeve {line}"), env=self.environment, cwd=self.home, text=True,
                              executable=agents.portreeve(), stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT)

    def make(self, *lines):
        for line in lines:
            done = self.portreeve(f"keys {line}")
            assert done.returncode == 0, f"{line}: {done.stderr}"

    def lines(self, name, kind):
        done = self.portreeve(f"keys lines {name} --only {kind}")
        assert done.returncode == 0, done.stderr
        return done.stdout

    def folder(self, name):
        return self.home / ".config/portreeve/keys" / name

    def write_known_hosts(self, line):
        """Writes the line to known_hosts, with the port that is used here."""
        path = self.home / ".ssh/known_hosts"
        path.write_text(line.replace("]:5161", f"]:{self.ports['ssh']}") + "\n")

    @contextlib.contextmanager
    def run_agent(self, lines):
        """Runs an agent on loopback with these configuration lines and the host's keys."""
        copy_host_keys(self)
        config = self.agent / "portreeved.toml"
        config.write_text('[agent]\nstate-dir = "state"\n\n' + self.on_loopback(lines))
        config.chmod(0o600)
        log = (self.agent / "log").open("w+")
        binary = str(agents.portreeved())
        self.process = subprocess.Popen([binary, "run", "--config", str(config)], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            ready = self.process.stdout.readline().strip() == "ready"
            log.seek(0)
            assert ready, log.read()
            yield
        finally:
            agents.stop(self.process)

    def on_loopback(self, lines):
        """Gives each listener in these lines an address on loopback."""
        return re.sub(r'transport = "(\w+)"\n',
                      lambda found: f'transport = "{found[1]}"\naddress = "127.0.0.1:{self.ports[found[1]]}"\n', lines)

    def command(self, name, transport):
        """The printed command line for this transport, with the port that is used here."""
        mark = f" ssh://{name}@{HOST} " if transport == "ssh" else f" {transport}:{HOST} "
        [line] = [line for line in self.lines(name, "client").splitlines() if mark in line]
        return line.removeprefix("portreeve ").replace(mark, f"{mark.rstrip()}:{self.ports[transport]} ")


@contextlib.contextmanager
def temporary_site():
    with tempfile.TemporaryDirectory(prefix="portreeve-keys-") as directory:
        yield Site(pathlib.Path(directory))


def copy_host_keys(site):
    """Copies the host's keys to the agent, as an operator does with `scp -rp`."""
    shutil.copytree(site.folder(f"hosts/{HOST}"), site.agent / "keys", dirs_exist_ok=True)


def lines_with_authorized_keys(site, user):
    """The host's lines with an authorized_keys file instead of authorities."""
    lines = site.lines(HOST, "agent")
    lines = "\n".join(line for line in lines.splitlines() if not line.startswith(("revoked", "authorized-keys"))) + "\n"
    # Removes the setting only from [ssh], where the value is a string; in [tls] it is a list.
    lines = re.sub(r'\nauthorities = "[^"]*"', "", lines)
    folder = site.agent / "authorized_keys"
    folder.mkdir(mode=0o700)
    (folder / user).write_text(site.lines(user, "authorized-keys"))
    return lines.replace("host-keys", 'authorized-keys = ["authorized_keys/%u"]\nhost-keys')


def reads(site, user, transport):
    done = site.portreeve(site.command(user, transport))
    assert done.returncode == 0 and UPTIME in done.stdout, done.stdout + done.stderr


def authority_line_is_enough(site):
    before = (site.home / ".ssh/known_hosts").read_text()
    try:
        site.write_known_hosts(site.portreeve("keys lines --only known-hosts").stdout)
        reads(site, "ops", "ssh")
        site.write_known_hosts("")
        done = site.portreeve(site.command("ops", "ssh"))
        assert done.returncode == 1 and "is not known" in done.stderr, done.stderr
    finally:
        (site.home / ".ssh/known_hosts").write_text(before)


def signed_key(site):
    require("ssh-keygen")
    key = site.home / "id_own"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], stdin=subprocess.DEVNULL, check=True)
    command = site.command("ops", "ssh")
    own = re.sub(r"--identity \S+", f"--identity {key}", command)
    done = site.portreeve(own)
    assert done.returncode == 1, "login accepted without a certificate"
    site.make(f"sign {key}.pub --user ops --source-address 127.0.0.0/8")
    done = site.portreeve(own)
    assert UPTIME in done.stdout, done.stderr
    site.make(f"sign {key}.pub --user ops --source-address 192.0.2.0/24 --force")
    done = site.portreeve(own)
    assert done.returncode == 1, "login accepted from another address"


def signed_request(site):
    require("openssl")
    subprocess.run(["openssl", "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                    site.home / "own.key", "-out", site.home / "own.csr", "-subj", "/CN=other"],
                   stdin=subprocess.DEVNULL, check=True, capture_output=True)
    (site.home / "own.key").chmod(0o600)
    site.make(f"sign {site.home}/own.csr --user ops")
    for transport in ("tls", "dtls"):
        command = site.command("ops", transport)
        command = re.sub(r"--certificate \S+ --key \S+", f"--certificate {site.home}/own.pem --key {site.home}/own.key", command)
        done = site.portreeve(command)
        assert UPTIME in done.stdout, done.stderr


def s_client(site):
    require("openssl")
    user = site.folder("users/ops")
    done = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{site.ports['tls']}", "-CAfile", user / "ca.pem", "-cert",
                           user / "cert.pem", "-key", user / "key.pem", "-verify_return_error", "-verify_hostname", HOST,
                           "-x509_strict"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT)
    assert "Verify return code: 0 (ok)" in done.stdout, done.stdout + done.stderr


def openssh_client(site):
    require("ssh")
    authority = site.portreeve("keys lines --only known-hosts").stdout
    known = site.home / "known_by_authority"
    known.write_text(authority)
    key = site.folder("users/ops/id_ed25519")
    done = subprocess.run(["ssh", "-v", "-F", "none", "-p", str(site.ports["ssh"]), "-i", key, "-o", "IdentitiesOnly=yes", "-o",
                           f"UserKnownHostsFile={known}", "-o", "StrictHostKeyChecking=yes", "-o", "BatchMode=yes", "-s",
                           f"ops@{HOST}", "snmp"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT, env=site.environment)
    for message in ("is known and matches the ED25519-CERT host certificate", "Authenticated to localhost"):
        assert message in done.stderr, done.stderr


def revoked_user_is_refused(site):
    reads(site, "ops", "tls")
    commands = {transport: site.command("ops", transport) for transport in ("tls", "dtls", "ssh")}
    site.make("revoke ops")
    copy_host_keys(site)
    site.process.send_signal(signal.SIGHUP)
    deadline = time.monotonic() + TIMEOUT
    for transport, command in commands.items():
        while (done := site.portreeve(command)).returncode == 0:
            assert time.monotonic() < deadline, f"{transport}: still accepted"
            time.sleep(0.1)
        assert not done.stdout, done.stdout


def typed_pass_phrase(site):
    assert on_terminal(site, "ca --passphrase", ["correct horse", "another"]) == 1
    assert not site.folder("ca.key").exists()
    assert on_terminal(site, "ca --passphrase", ["correct horse", "correct horse"]) == 0
    assert "ENCRYPTED" in site.folder("ca.key").read_text()
    done = site.portreeve("keys user ops")
    assert done.returncode == 1 and "is encrypted with a pass phrase" in done.stderr, done.stderr
    assert on_terminal(site, "user ops", ["wrong"]) == 1
    assert on_terminal(site, "user ops", ["correct horse"]) == 0


def on_terminal(site, line, answers):
    """Answers the prompts at a terminal and returns the exit status. Answers are not echoed."""
    child, terminal = pty.fork()
    if not child:
        os.chdir(site.home)
        os.execve(agents.portreeve(), shlex.split(f"portreeve keys {line}"), site.environment)
    output = b""
    with contextlib.suppress(OSError):  # The command has exited.
        while octets := os.read(terminal, 1000):
            output += octets
            if answers and output.endswith(b": "):
                os.write(terminal, answers.pop(0).encode() + b"\n")
    os.close(terminal)
    _, status = os.waitpid(child, 0)
    assert b"horse" not in output, output
    return os.waitstatus_to_exitcode(status)


def require(program):
    if not shutil.which(program):
        raise Skip(f"{program} is not installed")
