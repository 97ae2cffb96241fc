"""OpenSSH: `ssh -s … snmp` against our agent, directly and through the relay behind an sshd."""

import contextlib
import os
import pathlib
import pwd
import shutil
import signal
import stat
import subprocess
import tempfile
import time

import agents
import ber
import openssh_site
from openssh_site import ACCOUNT, OTHER_ACCOUNT, TIMEOUT
from results import Skip

SYS_DESCR = "1.3.6.1.2.1.1.1.0"
SYSTEM = "1.3.6.1.2.1.1"
USER_AUTH_FAILURES = "1.3.6.1.2.1.189.1.1.4.0"
KEX = ["curve25519-sha256", "curve25519-sha256@libssh.org", "mlkem768x25519-sha256"]
CIPHERS = ["chacha20-poly1305@openssh.com", "aes256-gcm@openssh.com", "aes128-gcm@openssh.com"]
# So many requests that some are still unhandled when the end of data arrives.
REQUESTS = 3000
WEAK = [("KexAlgorithms", "diffie-hellman-group14-sha1"), ("KexAlgorithms", "diffie-hellman-group14-sha256"),
        ("Ciphers", "aes128-cbc"), ("Ciphers", "aes128-ctr"), ("HostKeyAlgorithms", "ssh-rsa")]


def run(agent, peer):
    if agent.kind != "portreeved":
        return peer.skip("all checks", "only our agent is tested")
    missing = openssh_site.missing_program()
    if missing:
        return peer.skip("all checks", missing)
    with tempfile.TemporaryDirectory(prefix="portreeve-openssh-") as directory:
        with openssh_site.start(pathlib.Path(directory)) as site:
            check_direct(site, peer)
            check_behind_sshd(site, peer)


def check_direct(site, peer):
    peer.check("ssh -s reads an object with SNMPv3 and TSM, with a key", reads, site, site.direct)
    peer.check("each of several messages in one write gets a response", separates_messages, site, site.direct)
    peer.check("a user certificate of the trusted authority logs in", reads, site, site.direct, key="certified")
    peer.check("a certificate of another authority is refused", login_is_refused, site, key="other_certified")
    peer.check("an unlisted key is refused", login_is_refused, site, key="unlisted")
    for algorithm in KEX:
        peer.check(f"ssh reads an object with the key exchange {algorithm}", supports_algorithm, site, "kex", "KexAlgorithms", algorithm)
    for algorithm in CIPHERS:
        peer.check(f"ssh reads an object with the cipher {algorithm}", supports_algorithm, site, "cipher", "Ciphers", algorithm)
    for option, algorithm in WEAK:
        peer.check(f"a connection with the weak algorithm {algorithm} is refused", refuses_algorithm, site, option, algorithm)
    peer.check("a session survives rekeying", rekeys, site, site.direct)
    peer.check("commands that share a ControlMaster get responses", shares_master, site, site.direct)
    peer.check("all requests of a file are answered, and ssh succeeds", answers_file, site, site.direct)
    peer.check("ten channels are open at once in one connection, and an eleventh is refused", limits_channels, site)
    peer.check("a request to run a command is refused", request_is_refused, site, ["true"])
    peer.check("a request for a shell is refused", request_is_refused, site, [])
    peer.check("a request for a terminal is refused", request_is_refused, site, ["true"], "-tt")
    peer.check("a subsystem other than snmp is refused", request_is_refused, site, ["sftp"], "-s")
    peer.check("local forwarding is refused", local_forwarding_is_refused, site)
    peer.check("remote forwarding is refused", request_is_refused, site, ["snmp"], "-s", "-o", "ExitOnForwardFailure=yes",
               "-R", "0:127.0.0.1:9")


def check_behind_sshd(site, peer):
    peer.check("behind sshd, ssh -s reads an object with SNMPv3 and TSM", reads, site, site.behind)
    peer.check("behind sshd, each of several messages in one write gets a response", separates_messages, site, site.behind)
    peer.check("behind sshd, a client that has closed its input gets its responses", half_closes, site)
    peer.check("behind sshd, a session survives rekeying", rekeys, site, site.behind)
    peer.check("behind sshd, commands that share a ControlMaster get responses", shares_master, site, site.behind)
    peer.check("behind sshd, a walk reads the same objects as over a direct session", walks_agree, site)
    peer.check("behind sshd, a SET of a read-only user is rejected", set_is_rejected, site)
    peer.check("the sshd subsystem prints a reason and fails if no agent runs", no_agent, site)
    peer.check("a connection to the socket from another account is refused and counted", other_account_is_refused, site)
    peer.check("only the agent's account can open the socket unless users are configured", socket_modes, site)
    peer.check("the agent removes its socket at exit and replaces a stale socket at start", socket_is_replaced, site)


def reads(site, port, key="user", options=()):
    with site.subsystem(*options, port=port, key=key) as session:
        session.get(SYS_DESCR)


def separates_messages(site, port):
    with site.subsystem(port=port) as session:
        session.send(ber.v3_tsm(ber.GET, SYS_DESCR) * 20)
        for _ in range(20):
            assert ber.is_response(session.receive())


def login_is_refused(site, key):
    before = auth_failures(site)
    with site.subsystem(port=site.direct, key=key) as session:
        assert not session.receive()
        _, code, errors = session.finish()
    assert code == 255 and "Permission denied" in errors, errors
    assert auth_failures(site) > before, "not counted"


def auth_failures(site):
    with site.subsystem(port=site.direct) as session:
        return ber.only_integer(session.get(USER_AUTH_FAILURES))


def supports_algorithm(site, kind, option, algorithm):
    known = subprocess.run(["ssh", "-Q", kind], capture_output=True, text=True, timeout=TIMEOUT).stdout.split()
    if algorithm not in known:
        raise Skip("this ssh does not support it")
    reads(site, site.direct, options=["-o", f"{option}={algorithm}"])


def refuses_algorithm(site, option, algorithm):
    with site.subsystem("-o", f"{option}={algorithm}", "-o", "LogLevel=INFO", port=site.direct) as session:
        session.send(ber.v3_tsm(ber.GET, SYS_DESCR))
        assert not session.receive()
        _, code, errors = session.finish()
    if "Bad " in errors:
        raise Skip("this ssh does not support it")
    # The agent may close the connection before ssh reports the mismatch.
    assert code == 255 and ("no matching" in errors or "closed" in errors), errors


def rekeys(site, port):
    # Each exchange transfers some hundred octets in each direction.
    with site.subsystem("-o", "RekeyLimit=16K", "-o", "LogLevel=DEBUG1", port=port) as session:
        for _ in range(500):
            session.get(SYS_DESCR)
        session.process.stdin.close()
        session.process.wait(timeout=TIMEOUT)
        times = session.process.stderr.read().decode(errors="replace").count("SSH2_MSG_NEWKEYS received")
    assert times >= 4, f"keys were exchanged {times} times"


def shares_master(site, port):
    with master(site, port) as options:
        for _ in range(3):
            reads(site, port, options=options)


@contextlib.contextmanager
def master(site, port):
    """Starts ssh as the master of a shared connection; returns the options of the commands that share it."""
    control = site.directory / f"master-{port}"
    options = ["-o", f"ControlPath={control}"]
    process = subprocess.Popen(site.ssh(*options, "-M", "-N", port=port), stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + TIMEOUT
        while not control.exists():
            assert time.monotonic() < deadline and process.poll() is None, "the master did not start"
            time.sleep(0.05)
        yield options
    finally:
        agents.stop(process)
        # ssh leaves its socket if it is killed. The next master would not listen then.
        control.unlink(missing_ok=True)


def answers_file(site, port):
    """`ssh -s agent snmp < file`: ssh sends the end of data together with the last requests."""
    requests = site.directory / "requests"
    requests.write_bytes(ber.v3_tsm(ber.GET, SYS_DESCR) * REQUESTS)
    with requests.open("rb") as file:
        done = subprocess.run([*site.ssh(port=port), "-s", "snmp"], stdin=file, capture_output=True, timeout=TIMEOUT)
    assert done.returncode == 0 and not done.stderr, f"{done.returncode}: {done.stderr!r}"
    answers = list(ber.messages(done.stdout))
    assert len(answers) == REQUESTS, f"{len(answers)} answers"
    assert all(ber.is_response(answer) for answer in answers)


def limits_channels(site):
    with master(site, site.direct) as options, contextlib.ExitStack() as stack:
        sessions = [stack.enter_context(site.subsystem(*options, port=site.direct)) for _ in range(10)]
        for session in [*sessions, *sessions]:
            session.get(SYS_DESCR)
        with site.subsystem(*options, port=site.direct) as refused:
            # ssh then opens a connection of its own.
            _, _, errors = refused.finish()
        assert "Session open refused by peer" in errors, errors
        for session in sessions:
            _, code, errors = session.finish()
            assert code == 0 and not errors, f"{code}: {errors}"


def request_is_refused(site, arguments, *options):
    done = subprocess.run([*site.ssh(*options, port=site.direct), *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=TIMEOUT)
    assert done.returncode == 255 or done.returncode == 1, f"{done.returncode}: {done.stderr}"
    assert not done.stdout, done.stdout
    assert "failed" in done.stderr or "refused" in done.stderr or "closed" in done.stderr, done.stderr


def local_forwarding_is_refused(site):
    done = subprocess.run(site.ssh("-W", f"127.0.0.1:{site.behind}", port=site.direct), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=TIMEOUT)
    assert done.returncode != 0 and "SSH-2.0" not in done.stdout, done.stdout
    assert "open failed" in done.stderr or "forwarding failed" in done.stderr, done.stderr


def half_closes(site):
    with site.subsystem(port=site.behind) as session:
        session.send(ber.v3_tsm(ber.GET, SYS_DESCR) * 3)
        responses, code, errors = session.finish()
    assert code == 0 and not errors, f"{code}: {errors}"
    assert responses.count(b"\x04\x00\xa2") == 3 or responses.count(b"\xa2") >= 3, f"{responses!r}"


def walks_agree(site):
    def walk(port):
        done = site.portreeve("walk", f"ssh://{ACCOUNT}@127.0.0.1:{port}", SYSTEM)
        assert done.returncode == 0, done.stderr
        return [line for line in done.stdout.splitlines() if "Timeticks" not in line]

    direct = walk(site.direct)
    assert len(direct) > 5, direct
    assert walk(site.behind) == direct


def set_is_rejected(site):
    done = site.portreeve("set", f"ssh://{ACCOUNT}@127.0.0.1:{site.behind}", "1.3.6.1.2.1.1.4.0", "s", "interop")
    assert done.returncode == 2 and "noAccess" in done.stderr, done.stderr


def no_agent(site):
    with site.subsystem(port=site.behind, name="snmp-nowhere") as session:
        out, code, _ = session.finish()
    assert code == 1 and not out, f"{code}: {out!r}"
    done = run_relay(site, site.directory / "nowhere.sock")
    assert done.returncode == 1 and b"no agent listens at" in done.stderr and b"hint: " in done.stderr, done.stderr


def other_account_is_refused(site):
    needs_root()
    before = auth_failures(site)
    done = run_relay_as_other_account(site, site.socket)
    assert done.returncode == 1 and not done.stdout, done.stdout
    assert b"closed the session without a response" in done.stderr, done.stderr
    assert auth_failures(site) == before + 1, "not counted"
    uid = pwd.getpwnam(OTHER_ACCOUNT).pw_uid
    assert f"refused peer=uid {uid} " in site.log(), site.log()


def socket_modes(site):
    assert stat.S_IMODE(site.strict_socket.stat().st_mode) == 0o600
    assert stat.S_IMODE(site.socket.stat().st_mode) == 0o666
    assert run_relay(site, site.strict_socket).returncode == 0, "our own account is refused"
    needs_root()
    done = run_relay_as_other_account(site, site.strict_socket)
    assert done.returncode == 1 and b"has no access to the agent" in done.stderr, done.stderr


def socket_is_replaced(site):
    assert agents.stop(site.agent), "the agent did not exit cleanly"
    assert not site.socket.exists(), "the socket was not removed"
    done = site.portreeve("get", f"ssh://{ACCOUNT}@127.0.0.1:{site.behind}", SYS_DESCR)
    assert done.returncode == 1 and "ended with status 1" in done.stderr and "hint: " in done.stderr, done.stderr
    site.start_agent()
    site.agent.send_signal(signal.SIGKILL)
    site.agent.wait()
    assert site.socket.exists()
    site.start_agent()
    reads(site, site.behind)


def run_relay(site, socket, *prefix):
    """Runs the relay with one request as its input."""
    return subprocess.run([*prefix, site.relay, socket], input=ber.v3_tsm(ber.GET, SYS_DESCR), capture_output=True,
                          timeout=TIMEOUT)


def run_relay_as_other_account(site, socket):
    """Runs the relay as another account. Its input stays open so that it waits for a response."""
    process = subprocess.Popen(["setpriv", f"--reuid={OTHER_ACCOUNT}", "--clear-groups", site.relay, socket],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        process.wait(timeout=TIMEOUT)
        return subprocess.CompletedProcess(process.args, process.returncode, process.stdout.read(), process.stderr.read())
    finally:
        process.kill()
        process.communicate()


def needs_root():
    if os.getuid() != 0 or not shutil.which("setpriv"):
        raise Skip("only root can run as another account")
