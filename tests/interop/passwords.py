"""Passwords over SSH, both ends: our agent judges by a PAM stack that only it sees, over users that only it sees, and our
command takes the password from a file, from the environment, or from whoever sits at a terminal."""

import contextlib
import os
import pathlib
import pty
import select
import shutil
import signal
import socket
import subprocess
import time

import agents
from results import Skip

SYS_NAME = "1.3.6.1.2.1.1.5.0"
SECONDS = 30
# `open`, as crypt(3) has it.
OPEN = "$6$porttest$31i7U8qcdYkhAV1fZwcLxNbS0rIAT52GFVIkm/t3NjkOdWO6ex/iBOFZrB3.BcN3K7uCM.mxTA73rFChdkAM6/"
QUIZ = agents.ROOT / "crates/pam/tests/stack/quiz.c"
MOUNT = ("set -e; mount --bind pam.d /etc/pam.d; mount --bind passwd /etc/passwd; mount --bind shadow /etc/shadow; "
         'exec "$@"')


def run(agent, peer):
    if agent.kind != "portreeved":
        return peer.skip("all checks", "only our agent is asked")
    if not agents.portreeve():
        return peer.skip("all checks", "portreeve is not built")
    missing = next((program for program in ("unshare", "gcc", "ssh-keygen") if not shutil.which(program)), None)
    if missing:
        return peer.skip("all checks", f"{missing} is not installed")
    home = agent.directory / "passwords"
    home.mkdir()
    try:
        furnish(home)
    except subprocess.CalledProcessError:
        return peer.skip("all checks", "libpam0g-dev is not installed")
    if subprocess.run(namespace() + ["true"], cwd=home, stderr=subprocess.DEVNULL).returncode != 0:
        return peer.skip("all checks", "no mount namespace can be had")
    with world(home) as here:
        peer.check("a password in a file, or in the environment, is given", given, here)
        peer.check("a wrong password is refused, with what to do", wrong, here)
        peer.check("without a terminal nobody is asked", nobody, here)
        peer.check("at a terminal the password is asked for, unseen", at_terminal, here)
        peer.check("a key's pass phrase is asked for", pass_phrase, here)
        peer.check("an unknown host key is asked about, and remembered", unknown_host, here)
        peer.check("BatchMode asks nobody, PasswordAuthentication no gives none", told_not_to, here)
        peer.check("an expired account is told so", expired, here)
        peer.check("--persist keeps the session, and nothing of the password", persists, here)
        peer.check("who is asked keeps no other command of the broker's waiting", undisturbed, here)
        peer.check("after a reload PAM asks two things, and open sessions go on", two_things, here)


class World:
    def __init__(self, home, port, process):
        self.home, self.port, self.process = home, port, process
        self.address = f"ssh://ops@127.0.0.1:{port}"

    def environment(self, **changed):
        return {"PATH": os.environ["PATH"], "HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.home / "run"), "MIBS": "",
                **changed}

    def get(self, *arguments, address=None, **changed):
        return subprocess.run([agents.portreeve(), "get", *arguments, address or self.address, SYS_NAME],
                              env=self.environment(**changed), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=SECONDS, start_new_session=True)

    def at_terminal(self, dialogue, *arguments, address=None):
        """What is seen at a terminal where each of these prompts is answered, and how the command ends.  An answer may be
        something to do first, which has it."""
        child, terminal = pty.fork()
        if child == 0:
            command = ["portreeve", "get", *arguments, address or self.address, SYS_NAME]
            os.execve(agents.portreeve(), command, self.environment())
        seen, asked, waiting, deadline = "", 0, list(dialogue), time.monotonic() + SECONDS
        try:
            while True:
                readable, _, _ = select.select([terminal], [], [], max(0, deadline - time.monotonic()))
                assert readable, f"nothing more is said: {seen!r}"
                try:
                    octets = os.read(terminal, 4096)
                except OSError:
                    octets = b""
                if not octets:
                    break
                seen += octets.decode()
                if waiting and waiting[0][0] in seen[asked:]:
                    asked = len(seen)
                    answer = waiting.pop(0)[1]
                    os.write(terminal, (answer() if callable(answer) else answer).encode() + b"\n")
        finally:
            os.close(terminal)
        _, status = os.waitpid(child, 0)
        assert not waiting, f"{waiting[0][0]!r} was not asked: {seen!r}"
        return seen, os.waitstatus_to_exitcode(status)


def given(here):
    word = here.home / "word"
    word.write_text("open\n")
    for done in (here.get("--password-file", word), here.get(PORTREEVE_SSH_PASS="open")):
        assert done.returncode == 0 and "SNMPv2-MIB::sysName.0 = STRING: pam" in done.stdout, done.stderr


def wrong(here):
    done = here.get(PORTREEVE_SSH_PASS="guess")
    assert done.returncode == 1 and not done.stdout, done.stdout
    assert "was not taken" in done.stderr or "were not taken" in done.stderr, done.stderr
    assert "--password-file" in done.stderr and "guess" not in done.stderr, done.stderr


def nobody(here):
    start = time.monotonic()
    done = here.get()
    assert done.returncode == 1 and "nobody answers" in done.stderr and "--password-file" in done.stderr, done.stderr
    assert time.monotonic() - start < 5, "it waited for somebody"


def at_terminal(here):
    prompt = "(ops@127.0.0.1) Password: "
    seen, status = here.at_terminal([(prompt, "guess"), (prompt, "open")])
    assert status == 0 and "STRING: pam" in seen, seen
    assert "guess" not in seen and "open" not in seen, seen


def pass_phrase(here):
    key = here.home / "locked"
    keygen(key, "-N", "a long phrase")
    (here.home / "authorized").write_text((here.home / "locked.pub").read_text())
    seen, status = here.at_terminal([(f"Pass phrase of {key}: ", "a long phrase")], "--identity", str(key))
    assert status == 0 and "STRING: pam" in seen and "a long phrase" not in seen, seen
    (here.home / "authorized").write_text("")


def unknown_host(here):
    known = here.home / ".ssh/known_hosts"
    before = known.read_text()
    name, fingerprint = f"[127.0.0.1]:{here.port}", fingerprint_of(here.home / "host.pub")
    begins = f"The host key of {name} is not known:\r\n  ssh-ed25519 {fingerprint}\r\n"
    prompt = "(yes, no, or its fingerprint)? "
    try:
        known.unlink()
        for answer in ("no", ""):
            seen, status = here.at_terminal([(prompt, answer)])
            assert status == 1 and begins in seen and f"the host key of {name} is not known" in seen, seen
            assert not known.exists(), "a key that was refused is remembered"
        done = here.get(PORTREEVE_SSH_PASS="open")
        assert done.returncode == 1 and "is not known" in done.stderr and "ssh-keyscan" in done.stderr, done.stderr
        for answer in ("yes", fingerprint):
            seen, status = here.at_terminal([(prompt, answer), ("(ops@127.0.0.1) Password: ", "open")])
            assert status == 0 and "STRING: pam" in seen, seen
            assert here.get(PORTREEVE_SSH_PASS="open").returncode == 0, "it is not remembered"
            known.unlink()
        config = here.home / ".ssh/config"
        config.write_text("BatchMode yes\n")
        seen, status = here.at_terminal([])
        config.unlink()
        assert status == 1 and prompt not in seen and "is not known" in seen, seen
        seen, status = here.at_terminal([(prompt, "y"), ("Please say yes, no, ", "yes"), ("Password: ", "guess"),
                                         ("Password: ", "open")])
        assert status == 0, seen
    finally:
        known.write_text(before)


def fingerprint_of(key):
    shown = subprocess.run(["ssh-keygen", "-l", "-f", key], capture_output=True, text=True, check=True)
    return shown.stdout.split()[1]


def told_not_to(here):
    config = here.home / ".ssh/config"
    try:
        config.write_text("BatchMode yes\n")
        seen, status = here.at_terminal([])
        assert status == 1 and "Password" not in seen, seen
        config.write_text("PasswordAuthentication no\nKbdInteractiveAuthentication no\n")
        done = here.get(PORTREEVE_SSH_PASS="open")
        assert done.returncode == 1 and "does not let" in done.stderr, done.stderr
        config.write_text("PreferredAuthentications password\n")
        seen, status = here.at_terminal([("Password of ops@127.0.0.1: ", "open")])
        assert status == 0 and "STRING: pam" in seen, seen
    finally:
        config.unlink()


def expired(here):
    done = here.get(address=here.address.replace("ops@", "gone@"), PORTREEVE_SSH_PASS="open")
    assert done.returncode == 1 and "Your account has expired" in done.stderr, done.stderr
    config = here.home / ".ssh/config"
    try:
        # Who gives a password is told when the connection ends.
        config.write_text("PreferredAuthentications password\n")
        done = here.get(address=here.address.replace("ops@", "gone@"), PORTREEVE_SSH_PASS="open")
        assert done.returncode == 1 and "ended the connection: the account has expired" in done.stderr, done.stderr
    finally:
        config.unlink()


def persists(here):
    done = here.get("--persist", "20s", PORTREEVE_SSH_PASS="open")
    assert done.returncode == 0, done.stderr
    again = here.get("--persist", "20s")
    assert again.returncode == 0, again.stderr
    brokers = [pid for pid in pathlib.Path("/proc").glob("[0-9]*") if is_broker(pid, here)]
    assert len(brokers) == 1, brokers
    assert b"PORTREEVE_SSH_PASS" not in (brokers[0] / "environ").read_bytes()


def undisturbed(here):
    def meanwhile():
        start = time.monotonic()
        other = here.get("--persist", "20s")
        assert other.returncode == 0 and time.monotonic() - start < 5, other.stderr
        return "open"

    seen, status = here.at_terminal([("(ops@localhost) Password: ", meanwhile)], "--persist", "1s",
                                    address=here.address.replace("127.0.0.1", "localhost"))
    assert status == 0 and "STRING: pam" in seen, seen


def is_broker(process, here):
    try:
        return b"portreeve-broker" in (process / "cmdline").read_bytes() and \
            str(here.home).encode() in (process / "environ").read_bytes()
    except OSError:
        return False


def two_things(here):
    config = here.home / "portreeved.toml"
    config.write_text(config.read_text().replace('"quick"', '"two"'))
    here.process.send_signal(signal.SIGHUP)
    time.sleep(1)
    # The broker still has the session from before.
    kept = here.get("--persist", "1s")
    assert kept.returncode == 0, kept.stderr
    time.sleep(2.5)
    seen, status = here.at_terminal([("(ops@127.0.0.1) Password: ", "open"), ("(ops@127.0.0.1) Code: ", "1234")])
    assert status == 0 and "STRING: pam" in seen and "Two things." in seen, seen
    # What may be seen is.
    assert "1234" in seen and "open" not in seen, seen


def furnish(home):
    """Users, rules, a module that asks, keys and a configuration."""
    users = ["ops", "gone"]
    passwd = [f"{user}:x:{4000 + number}:{4000 + number}::/nonexistent:/bin/false" for number, user in enumerate(users)]
    (home / "passwd").write_text("root:x:0:0:root:/root:/bin/sh\n" + "\n".join(passwd) + "\n")
    (home / "shadow").write_text(f"root:*:19000:0:99999:7:::\nops:{OPEN}:19000:0:99999:7:::\n"
                                 f"gone:{OPEN}:19000:0:99999:7::10:\n")
    (home / "shadow").chmod(0o600)
    for folder in ("pam.d", "run", ".ssh"):
        (home / folder).mkdir(mode=0o700)
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", home / "quiz.so", QUIZ], check=True, stderr=subprocess.DEVNULL)
    (home / "pam.d/quick").write_text("auth required pam_unix.so nodelay\naccount required pam_unix.so\n")
    (home / "pam.d/two").write_text(f"auth required {home}/quiz.so two\naccount required pam_permit.so\n")
    (home / "authorized").write_text("")
    keygen(home / "host", "-N", "")


def keygen(path, *arguments):
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", *arguments, "-f", path], stdin=subprocess.DEVNULL, check=True)


def namespace():
    """A command before which nothing of the machine's users is seen; as root, or as what looks like it to ourselves."""
    return ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"]), "sh", "-c", MOUNT, "sh"]


@contextlib.contextmanager
def world(home):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (home / "portreeved.toml").write_text(f"""
[agent]
state-dir = "state"
[system]
name = "pam"
[[listen]]
transport = "ssh"
address = "127.0.0.1:{port}"
[ssh]
host-keys = ["host"]
authorized-keys = ["authorized"]
password = true
keyboard-interactive = true
pam-service = "quick"
[[session-user]]
name = "ops"
access = "read"
""")
    known = " ".join((home / "host.pub").read_text().split()[:2])
    (home / ".ssh/known_hosts").write_text(f"[127.0.0.1]:{port},[localhost]:{port} {known}\n")
    with open(home / "log", "wb") as log:
        process = subprocess.Popen(namespace() + [agents.portreeved(), "run", "--config", "portreeved.toml"], cwd=home,
                                   stdout=subprocess.PIPE, stderr=log)
    try:
        assert process.stdout.readline() == b"ready\n", (home / "log").read_text()
        yield World(home, port, process)
    finally:
        process.terminate()
        process.wait(SECONDS)
        process.stdout.close()
