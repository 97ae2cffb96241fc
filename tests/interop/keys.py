"""`portreeve keys` as a newcomer uses it: what it prints is pasted into a real agent's file, into known_hosts and
authorized_keys, and the command lines that it prints are run.  Only ports are changed, so that nothing else is in the way.
OpenSSL and OpenSSH use what was made too."""

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

SECONDS = 60
UPTIME = "SNMPv2-MIB::sysUpTime.0 = Timeticks:"
HOST = "localhost"


def run(agent, peer):
    if agent.kind != "portreeved":
        return peer.skip("all checks", "only our agent is asked")
    if not agents.portreeve():
        return peer.skip("all checks", "portreeve is not built")
    with newcomer() as site:
        site.make("ca", f"host {HOST} --san 127.0.0.1", "user ops")
        with site.served(site.lines(HOST, "agent") + site.lines("ops", "agent")):
            site.know(site.lines(HOST, "known-hosts").splitlines()[0])
            for transport in ("tls", "dtls", "ssh"):
                peer.check(f"the lines that are printed work over {transport}", asks, site, "ops", transport)
            peer.check("a host is known by its authority alone", known_by_authority, site)
            peer.check("a key that ssh-keygen made is signed and let in", signed_key, site)
            peer.check("a request that openssl made is signed and let in", signed_request, site)
            peer.check("OpenSSL's s_client believes the host and is let in", s_client, site)
            peer.check("OpenSSH's client believes the host and is let in", openssh, site)
            peer.check("whoever is revoked does not get in after a reload", revoked, site)
    with newcomer() as site:
        peer.check("a pass phrase that is typed protects an authority", typed_pass_phrase, site)
    with newcomer() as site:
        site.make("ca", f"host {HOST} --ssh", "user ops --ssh")
        with site.served(listed_keys(site, "ops") + site.lines("ops", "agent")):
            site.know(site.lines(HOST, "known-hosts").splitlines()[0])
            peer.check("the line for authorized_keys lets in", asks, site, "ops", "ssh")
    with newcomer() as site:
        site.make(f"host {HOST} --self-signed", "user ops --self-signed")
        with site.served(listed_keys(site, "ops") + site.lines("ops", "agent")):
            site.know(site.lines(HOST, "known-hosts"))
            for transport in ("tls", "dtls", "ssh"):
                peer.check(f"without an authority the printed lines work over {transport}", asks, site, "ops", transport)


class Site:
    """A user who has nothing yet, and an agent's folder."""

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
                              executable=agents.portreeve(), stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)

    def make(self, *lines):
        for line in lines:
            done = self.portreeve(f"keys {line}")
            assert done.returncode == 0, f"{line}: {done.stderr}"

    def lines(self, name, what):
        done = self.portreeve(f"keys lines {name} --only {what}")
        assert done.returncode == 0, done.stderr
        return done.stdout

    def folder(self, name):
        return self.home / ".config/portreeve/keys" / name

    def know(self, line):
        """Into known_hosts, with the port that is used here."""
        path = self.home / ".ssh/known_hosts"
        path.write_text(line.replace("]:5161", f"]:{self.ports['ssh']}") + "\n")

    @contextlib.contextmanager
    def served(self, lines):
        """An agent with these lines in its file, listening on loopback, and the host's folder beside it."""
        hand_over(self)
        config = self.agent / "portreeved.toml"
        config.write_text('[agent]\nstate-dir = "state"\n\n' + self.on_loopback(lines))
        config.chmod(0o600)
        log = (self.agent / "log").open("w+")
        binary = os.environ.get("PORTREEVED", str(agents.ROOT / "target/release/portreeved"))
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
        """The same listeners, but for their addresses."""
        return re.sub(r'transport = "(\w+)"\n',
                      lambda found: f'transport = "{found[1]}"\naddress = "127.0.0.1:{self.ports[found[1]]}"\n', lines)

    def command(self, name, transport):
        """The command line that is printed for this transport, with the port that is used here."""
        mark = f" ssh://{name}@{HOST} " if transport == "ssh" else f" {transport}:{HOST} "
        [line] = [line for line in self.lines(name, "client").splitlines() if mark in line]
        return line.removeprefix("portreeve ").replace(mark, f"{mark.rstrip()}:{self.ports[transport]} ")


@contextlib.contextmanager
def newcomer():
    with tempfile.TemporaryDirectory(prefix="portreeve-keys-") as directory:
        yield Site(pathlib.Path(directory))


def hand_over(site):
    """What `scp -rp` would do."""
    shutil.copytree(site.folder(f"hosts/{HOST}"), site.agent / "keys", dirs_exist_ok=True)


def listed_keys(site, user):
    """The host's lines, with a file of users' keys in which the printed line stands; no authorities."""
    lines = site.lines(HOST, "agent")
    lines = "\n".join(line for line in lines.splitlines() if not line.startswith(("revoked", "authorized-keys"))) + "\n"
    # Of [ssh], not of [tls].
    lines = re.sub(r'\nauthorities = "[^"]*"', "", lines)
    folder = site.agent / "authorized_keys"
    folder.mkdir(mode=0o700)
    (folder / user).write_text(site.lines(user, "authorized-keys"))
    return lines.replace("host-keys", 'authorized-keys = ["authorized_keys/%u"]\nhost-keys')


def asks(site, user, transport):
    done = site.portreeve(site.command(user, transport))
    assert done.returncode == 0 and UPTIME in done.stdout, done.stdout + done.stderr


def known_by_authority(site):
    before = (site.home / ".ssh/known_hosts").read_text()
    try:
        site.know(site.portreeve("keys lines --only known-hosts").stdout)
        asks(site, "ops", "ssh")
        site.know("")
        done = site.portreeve(site.command("ops", "ssh"))
        assert done.returncode == 1 and "is not known" in done.stderr, done.stderr
    finally:
        (site.home / ".ssh/known_hosts").write_text(before)


def signed_key(site):
    need("ssh-keygen")
    key = site.home / "id_own"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], stdin=subprocess.DEVNULL, check=True)
    command = site.command("ops", "ssh")
    own = re.sub(r"--identity \S+", f"--identity {key}", command)
    done = site.portreeve(own)
    assert done.returncode == 1, "let in without a certificate"
    site.make(f"sign {key}.pub --user ops --source-address 127.0.0.0/8")
    done = site.portreeve(own)
    assert UPTIME in done.stdout, done.stderr
    site.make(f"sign {key}.pub --user ops --source-address 192.0.2.0/24 --force")
    done = site.portreeve(own)
    assert done.returncode == 1, "let in from elsewhere"


def signed_request(site):
    need("openssl")
    subprocess.run(["openssl", "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                    site.home / "own.key", "-out", site.home / "own.csr", "-subj", "/CN=somebody else"],
                   stdin=subprocess.DEVNULL, check=True, capture_output=True)
    (site.home / "own.key").chmod(0o600)
    site.make(f"sign {site.home}/own.csr --user ops")
    for transport in ("tls", "dtls"):
        command = site.command("ops", transport)
        command = re.sub(r"--certificate \S+ --key \S+", f"--certificate {site.home}/own.pem --key {site.home}/own.key", command)
        done = site.portreeve(command)
        assert UPTIME in done.stdout, done.stderr


def s_client(site):
    need("openssl")
    user = site.folder("users/ops")
    done = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{site.ports['tls']}", "-CAfile", user / "ca.pem", "-cert",
                           user / "cert.pem", "-key", user / "key.pem", "-verify_return_error", "-verify_hostname", HOST,
                           "-x509_strict"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS)
    assert "Verify return code: 0 (ok)" in done.stdout, done.stdout + done.stderr


def openssh(site):
    need("ssh")
    authority = site.portreeve("keys lines --only known-hosts").stdout
    known = site.home / "known_by_authority"
    known.write_text(authority)
    key = site.folder("users/ops/id_ed25519")
    done = subprocess.run(["ssh", "-v", "-F", "none", "-p", str(site.ports["ssh"]), "-i", key, "-o", "IdentitiesOnly=yes", "-o",
                           f"UserKnownHostsFile={known}", "-o", "StrictHostKeyChecking=yes", "-o", "BatchMode=yes", "-s",
                           f"ops@{HOST}", "snmp"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, env=site.environment)
    for words in ("is known and matches the ED25519-CERT host certificate", "Authenticated to localhost"):
        assert words in done.stderr, done.stderr


def revoked(site):
    asks(site, "ops", "tls")
    commands = {transport: site.command("ops", transport) for transport in ("tls", "dtls", "ssh")}
    site.make("revoke ops")
    hand_over(site)
    site.process.send_signal(signal.SIGHUP)
    deadline = time.monotonic() + SECONDS
    for transport, command in commands.items():
        while (done := site.portreeve(command)).returncode == 0:
            assert time.monotonic() < deadline, f"{transport}: still let in"
            time.sleep(0.1)
        assert not done.stdout, done.stdout


def typed_pass_phrase(site):
    assert on_terminal(site, "ca --passphrase", ["correct horse", "another"]) == 1
    assert not site.folder("ca.key").exists()
    assert on_terminal(site, "ca --passphrase", ["correct horse", "correct horse"]) == 0
    assert "ENCRYPTED" in site.folder("ca.key").read_text()
    done = site.portreeve("keys user ops")
    assert done.returncode == 1 and "has a pass phrase" in done.stderr, done.stderr
    assert on_terminal(site, "user ops", ["wrong"]) == 1
    assert on_terminal(site, "user ops", ["correct horse"]) == 0


def on_terminal(site, line, answers):
    """Answers each question that a terminal shows, and returns how the command ends.  Nothing typed is shown."""
    child, terminal = pty.fork()
    if not child:
        os.chdir(site.home)
        os.execve(agents.portreeve(), shlex.split(f"portreeve keys {line}"), site.environment)
    shown = b""
    with contextlib.suppress(OSError):  # The other end has gone.
        while octets := os.read(terminal, 1000):
            shown += octets
            if answers and shown.endswith(b": "):
                os.write(terminal, answers.pop(0).encode() + b"\n")
    os.close(terminal)
    _, status = os.waitpid(child, 0)
    assert b"horse" not in shown, shown
    return os.waitstatus_to_exitcode(status)


def need(program):
    if not shutil.which(program):
        raise Skip(f"{program} is not installed")
