"""Passwords over SSH, with our agent and our command.

The agent verifies them with its own PAM stack and users, in a private mount namespace. The command
reads the password from a file, from the environment or from a terminal.
"""

import contextlib
import os
import pathlib
import pty
import select
import shutil
import signal
import subprocess
import time

import agents

SYS_NAME = "1.3.6.1.2.1.1.5.0"
TIMEOUT = 60
# The crypt(3) hash of the password `open`.
PASSWORD_HASH = "$6$porttest$31i7U8qcdYkhAV1fZwcLxNbS0rIAT52GFVIkm/t3NjkOdWO6ex/iBOFZrB3.BcN3K7uCM.mxTA73rFChdkAM6/"
PAM_MODULE = agents.ROOT / "crates/pam/tests/stack/quiz.c"
MOUNT_SCRIPT = ("set -e; mount --bind pam.d /etc/pam.d; mount --bind passwd /etc/passwd; mount --bind shadow /etc/shadow; "
         'exec "$@"')


def run(agent, peer):
    if agent.kind != "portreeved":
        return peer.skip("all checks", "only our agent is tested")
    if not agents.portreeve():
        return peer.skip("all checks", "portreeve is not built")
    missing = next((program for program in ("unshare", "gcc", "ssh-keygen") if not shutil.which(program)), None)
    if missing:
        return peer.skip("all checks", f"{missing} is not installed")
    home = agent.directory / "passwords"
    home.mkdir()
    try:
        prepare(home)
    except subprocess.CalledProcessError:
        return peer.skip("all checks", "libpam0g-dev is not installed")
    if subprocess.run(namespace() + ["true"], cwd=home, stderr=subprocess.DEVNULL).returncode != 0:
        return peer.skip("all checks", "mount namespaces cannot be created here")
    with start_agent(home) as site:
        peer.check("a password in a file or in the environment logs in", password_logs_in, site)
        peer.check("a wrong password is refused with a hint", wrong_password, site)
        peer.check("our command does not prompt without a terminal", no_terminal, site)
        peer.check("the password prompt at a terminal does not echo", password_prompt, site)
        peer.check("our command prompts for the pass phrase of an encrypted key", pass_phrase_prompt, site)
        peer.check("an unknown host key is confirmed at a prompt and saved", unknown_host, site)
        peer.check("BatchMode disables prompts and PasswordAuthentication=no disables passwords", prompts_are_disabled, site)
        peer.check("an expired account is reported to the user", expired_account, site)
        peer.check("--persist keeps the session but not the password", persist_drops_password, site)
        peer.check("a prompt does not block other commands of the broker", prompt_does_not_block, site)
        peer.check("after a reload PAM prompts as configured, and open sessions continue", reload_changes_prompts, site)


class Site:
    def __init__(self, home, port, process):
        self.home, self.port, self.process = home, port, process
        self.address = f"ssh://ops@127.0.0.1:{port}"

    def environment(self, **variables):
        return {"PATH": os.environ["PATH"], "HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.home / "run"), "MIBS": "",
                **variables}

    def get(self, *arguments, address=None, **variables):
        return subprocess.run([agents.portreeve(), "get", *arguments, address or self.address, SYS_NAME],
                              env=self.environment(**variables), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=TIMEOUT, start_new_session=True)

    def at_terminal(self, dialog, *arguments, address=None):
        """Runs the command at a terminal; returns the terminal's output and the exit status.

        `dialog` has the expected prompts and their answers. An answer may be a function, which is
        called at the prompt and returns the answer.
        """
        child, terminal = pty.fork()
        if child == 0:
            command = ["portreeve", "get", *arguments, address or self.address, SYS_NAME]
            os.execve(agents.portreeve(), command, self.environment())
        output, prompt_end, prompts, deadline = "", 0, list(dialog), time.monotonic() + TIMEOUT
        try:
            while True:
                readable, _, _ = select.select([terminal], [], [], max(0, deadline - time.monotonic()))
                assert readable, f"no more output: {output!r}"
                try:
                    octets = os.read(terminal, 4096)
                except OSError:
                    octets = b""
                if not octets:
                    break
                output += octets.decode()
                if prompts and prompts[0][0] in output[prompt_end:]:
                    prompt_end = len(output)
                    answer = prompts.pop(0)[1]
                    os.write(terminal, (answer() if callable(answer) else answer).encode() + b"\n")
        finally:
            os.close(terminal)
        _, status = os.waitpid(child, 0)
        assert not prompts, f"no prompt {prompts[0][0]!r}: {output!r}"
        return output, os.waitstatus_to_exitcode(status)


def password_logs_in(site):
    file = site.home / "password"
    file.write_text("open\n")
    for done in (site.get("--password-file", file), site.get(PORTREEVE_SSH_PASS="open")):
        assert done.returncode == 0 and "SNMPv2-MIB::sysName.0 = STRING: pam" in done.stdout, done.stderr


def wrong_password(site):
    done = site.get(PORTREEVE_SSH_PASS="guess")
    assert done.returncode == 1 and not done.stdout, done.stdout
    assert "the password was rejected" in done.stderr or "the server rejected the answers" in done.stderr, done.stderr
    assert "--password-file" in done.stderr and "guess" not in done.stderr, done.stderr


def no_terminal(site):
    done = site.get()
    assert done.returncode == 1 and "none were given" in done.stderr and "--password-file" in done.stderr, done.stderr


def password_prompt(site):
    prompt = "(ops@127.0.0.1) Password: "
    output, status = site.at_terminal([(prompt, "guess"), (prompt, "open")])
    assert status == 0 and "STRING: pam" in output, output
    assert "guess" not in output and "open" not in output, output


def pass_phrase_prompt(site):
    key = site.home / "locked"
    keygen(key, "-N", "a long phrase")
    (site.home / "authorized").write_text((site.home / "locked.pub").read_text())
    output, status = site.at_terminal([(f"Pass phrase of {key}: ", "a long phrase")], "--identity", str(key))
    assert status == 0 and "STRING: pam" in output and "a long phrase" not in output, output
    (site.home / "authorized").write_text("")


def unknown_host(site):
    known = site.home / ".ssh/known_hosts"
    before = known.read_text()
    name, fingerprint = f"[127.0.0.1]:{site.port}", fingerprint_of(site.home / "host.pub")
    question = f"The host key of {name} is unknown:\r\n  ssh-ed25519 {fingerprint}\r\n"
    prompt = "(yes, no, or its fingerprint)? "
    try:
        known.unlink()
        for answer in ("no", ""):
            output, status = site.at_terminal([(prompt, answer)])
            assert status == 1 and question in output and f"the host key of {name} is not known" in output, output
            assert not known.exists(), "a refused key was saved"
        done = site.get(PORTREEVE_SSH_PASS="open")
        assert done.returncode == 1 and "is not known" in done.stderr and "ssh-keyscan" in done.stderr, done.stderr
        for answer in ("yes", fingerprint):
            output, status = site.at_terminal([(prompt, answer), ("(ops@127.0.0.1) Password: ", "open")])
            assert status == 0 and "STRING: pam" in output, output
            assert site.get(PORTREEVE_SSH_PASS="open").returncode == 0, "the key was not saved"
            known.unlink()
        config = site.home / ".ssh/config"
        config.write_text("BatchMode yes\n")
        output, status = site.at_terminal([])
        config.unlink()
        assert status == 1 and prompt not in output and "is not known" in output, output
        output, status = site.at_terminal([(prompt, "y"), ("Enter yes, no, or ", "yes"), ("Password: ", "guess"),
                                         ("Password: ", "open")])
        assert status == 0, output
    finally:
        known.write_text(before)


def fingerprint_of(key):
    printed = subprocess.run(["ssh-keygen", "-l", "-f", key], capture_output=True, text=True, check=True)
    return printed.stdout.split()[1]


def prompts_are_disabled(site):
    config = site.home / ".ssh/config"
    try:
        config.write_text("BatchMode yes\n")
        output, status = site.at_terminal([])
        assert status == 1 and "Password" not in output, output
        config.write_text("PasswordAuthentication no\nKbdInteractiveAuthentication no\n")
        done = site.get(PORTREEVE_SSH_PASS="open")
        assert done.returncode == 1 and "rejected the login" in done.stderr, done.stderr
        config.write_text("PreferredAuthentications password\n")
        output, status = site.at_terminal([("Password of ops@127.0.0.1: ", "open")])
        assert status == 0 and "STRING: pam" in output, output
    finally:
        config.unlink()


def expired_account(site):
    done = site.get(address=site.address.replace("ops@", "gone@"), PORTREEVE_SSH_PASS="open")
    assert done.returncode == 1 and "Your account has expired" in done.stderr, done.stderr
    config = site.home / ".ssh/config"
    try:
        # With SSH's method `password`, the client receives the reason when it is disconnected.
        config.write_text("PreferredAuthentications password\n")
        done = site.get(address=site.address.replace("ops@", "gone@"), PORTREEVE_SSH_PASS="open")
        assert done.returncode == 1 and "closed the connection: the account has expired" in done.stderr, done.stderr
    finally:
        config.unlink()


def persist_drops_password(site):
    done = site.get("--persist", "5m", PORTREEVE_SSH_PASS="open")
    assert done.returncode == 0, done.stderr
    again = site.get("--persist", "5m")
    assert again.returncode == 0, again.stderr
    [broker] = brokers(site)
    assert b"PORTREEVE_SSH_PASS" not in (broker / "environ").read_bytes()


def prompt_does_not_block(site):
    def run_other_command():
        other = site.get("--persist", "5m")
        assert other.returncode == 0, other.stderr
        return "open"

    output, status = site.at_terminal([("(ops@localhost) Password: ", run_other_command)], "--persist", "1s",
                                      address=site.address.replace("127.0.0.1", "localhost"))
    assert status == 0 and "STRING: pam" in output, output


def brokers(site):
    return [process for process in pathlib.Path("/proc").glob("[0-9]*") if is_broker(process, site)]


def is_broker(process, site):
    try:
        return b"portreeve-broker" in (process / "cmdline").read_bytes() and \
            str(site.home).encode() in (process / "environ").read_bytes()
    except OSError:
        return False


def reload_changes_prompts(site):
    config = site.home / "portreeved.toml"
    config.write_text(config.read_text().replace('"quick"', '"two"'))
    site.process.send_signal(signal.SIGHUP)
    wait_until(lambda: "configuration reloaded" in (site.home / "log").read_text())
    # The broker still uses the session that was opened before the reload.
    kept = site.get("--persist", "1s")
    assert kept.returncode == 0, kept.stderr
    wait_until(lambda: not brokers(site))
    output, status = site.at_terminal([("(ops@127.0.0.1) Password: ", "open"), ("(ops@127.0.0.1) Code: ", "1234")])
    assert status == 0 and "STRING: pam" in output and "Two things." in output, output
    # The terminal shows the typed code, but not the typed password.
    assert "1234" in output and "open" not in output, output


def wait_until(condition):
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < deadline, "timed out"
        time.sleep(0.05)


def prepare(home):
    """Creates users, PAM rules, a PAM module with prompts, and keys."""
    users = ["ops", "gone"]
    passwd = [f"{user}:x:{4000 + number}:{4000 + number}::/nonexistent:/bin/false" for number, user in enumerate(users)]
    (home / "passwd").write_text("root:x:0:0:root:/root:/bin/sh\n" + "\n".join(passwd) + "\n")
    (home / "shadow").write_text(f"root:*:19000:0:99999:7:::\nops:{PASSWORD_HASH}:19000:0:99999:7:::\n"
                                 f"gone:{PASSWORD_HASH}:19000:0:99999:7::10:\n")
    (home / "shadow").chmod(0o600)
    for folder in ("pam.d", "run", ".ssh"):
        (home / folder).mkdir(mode=0o700)
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", home / "quiz.so", PAM_MODULE], check=True, stderr=subprocess.DEVNULL)
    (home / "pam.d/quick").write_text("auth required pam_unix.so nodelay\naccount required pam_unix.so\n")
    (home / "pam.d/two").write_text(f"auth required {home}/quiz.so two\naccount required pam_permit.so\n")
    (home / "authorized").write_text("")
    keygen(home / "host", "-N", "")


def keygen(path, *arguments):
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", *arguments, "-f", path], stdin=subprocess.DEVNULL, check=True)


def namespace():
    """A command prefix that replaces the machine's users and PAM rules.

    Runs as root, or in a user namespace that maps the user to root.
    """
    return ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"]), "sh", "-c", MOUNT_SCRIPT, "sh"]


@contextlib.contextmanager
def start_agent(home):
    port = agents.free_port_range()
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
        yield Site(home, port, process)
    finally:
        process.terminate()
        process.wait(TIMEOUT)
        process.stdout.close()
