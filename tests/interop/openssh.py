"""OpenSSH: `ssh -s … snmp` against our agent, and against an sshd whose subsystem is our relay, the agent behind it."""

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
from openssh_site import ME, SECONDS, STRANGER
from results import Skip

SYS_DESCR = "1.3.6.1.2.1.1.1.0"
WALKED = "1.3.6.1.2.1.1"
USER_AUTH_FAILURES = "1.3.6.1.2.1.189.1.1.4.0"
KEX = ["curve25519-sha256", "curve25519-sha256@libssh.org", "mlkem768x25519-sha256"]
CIPHERS = ["chacha20-poly1305@openssh.com", "aes256-gcm@openssh.com", "aes128-gcm@openssh.com"]
WEAK = [("KexAlgorithms", "diffie-hellman-group14-sha1"), ("KexAlgorithms", "diffie-hellman-group14-sha256"),
        ("Ciphers", "aes128-cbc"), ("Ciphers", "aes128-ctr"), ("HostKeyAlgorithms", "ssh-rsa")]


def run(agent, peer):
    if agent.kind != "portreeved":
        return peer.skip("all checks", "only our agent is asked")
    lacking = openssh_site.missing()
    if lacking:
        return peer.skip("all checks", lacking)
    with tempfile.TemporaryDirectory(prefix="portreeve-openssh-") as directory:
        with openssh_site.served(pathlib.Path(directory)) as site:
            directly(site, peer)
            behind_sshd(site, peer)


def directly(site, peer):
    peer.check("ssh -s reads an object by v3 and TSM, with a key", reads, site, site.direct)
    peer.check("messages glued together are told apart", glued, site, site.direct)
    peer.check("a user certificate of the authority logs in", reads, site, site.direct, key="certified")
    peer.check("a certificate of another authority does not", does_not_log_in, site, key="miscertified")
    peer.check("a key that is not listed does not", does_not_log_in, site, key="stranger")
    for algorithm in KEX:
        peer.check(f"key exchange {algorithm}", speaks, site, "kex", "KexAlgorithms", algorithm)
    for algorithm in CIPHERS:
        peer.check(f"cipher {algorithm}", speaks, site, "cipher", "Ciphers", algorithm)
    for option, algorithm in WEAK:
        peer.check(f"{algorithm} is not spoken", weak, site, option, algorithm)
    peer.check("keys are exchanged anew in the middle of a session", rekeys, site, site.direct)
    peer.check("commands that share a master are answered", shares_master, site, site.direct)
    peer.check("a command is refused", refuses, site, ["true"])
    peer.check("a shell is refused", refuses, site, [])
    peer.check("a terminal is refused", refuses, site, ["true"], "-tt")
    peer.check("another subsystem is refused", refuses, site, ["sftp"], "-s")
    peer.check("forwarding to elsewhere is refused", no_forwarding_out, site)
    peer.check("forwarding from here is refused", refuses, site, ["snmp"], "-s", "-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:9")


def behind_sshd(site, peer):
    peer.check("behind sshd, ssh -s reads an object by v3 and TSM", reads, site, site.behind)
    peer.check("behind sshd, messages glued together are told apart", glued, site, site.behind)
    peer.check("behind sshd, who has finished asking gets his answers", half_closes, site)
    peer.check("behind sshd, keys are exchanged anew in the middle of a session", rekeys, site, site.behind)
    peer.check("behind sshd, commands that share a master are answered", shares_master, site, site.behind)
    peer.check("behind sshd, our command reads what it reads directly", walks_alike, site)
    peer.check("behind sshd, what a user may not write is refused", may_not_write, site)
    peer.check("where no agent listens, the relay ends in failure and says why", no_agent, site)
    peer.check("a process of another account is refused and counted", other_account, site)
    peer.check("the socket is its owner's alone unless others are named", modes, site)
    peer.check("the socket goes with the agent, and one left behind is replaced", comes_back, site)


def reads(site, port, key="user", options=()):
    with site.subsystem(*options, port=port, key=key) as session:
        session.get(SYS_DESCR)


def glued(site, port):
    with site.subsystem(port=port) as session:
        session.send(ber.v3_tsm(ber.GET, SYS_DESCR) * 20)
        for _ in range(20):
            assert ber.is_response(session.receive())


def does_not_log_in(site, key):
    before = counter(site)
    with site.subsystem(port=site.direct, key=key) as session:
        assert not session.receive()
        _, code, complaints = session.finish()
    assert code == 255 and "Permission denied" in complaints, complaints
    assert counter(site) > before, "not counted"


def counter(site):
    with site.subsystem(port=site.direct) as session:
        return ber.last_number(session.get(USER_AUTH_FAILURES))


def speaks(site, kind, option, algorithm):
    known = subprocess.run(["ssh", "-Q", kind], capture_output=True, text=True, timeout=SECONDS).stdout.split()
    if algorithm not in known:
        raise Skip("this ssh does not speak it")
    reads(site, site.direct, options=["-o", f"{option}={algorithm}"])


def weak(site, option, algorithm):
    with site.subsystem("-o", f"{option}={algorithm}", "-o", "LogLevel=INFO", port=site.direct) as session:
        session.send(ber.v3_tsm(ber.GET, SYS_DESCR))
        assert not session.receive()
        _, code, complaints = session.finish()
    if "Bad " in complaints:
        raise Skip("this ssh does not speak it")
    # The agent may have closed before ssh has made up its mind.
    assert code == 255 and ("no matching" in complaints or "closed" in complaints), complaints


def rekeys(site, port):
    # Each exchange carries some hundred octets each way.
    with site.subsystem("-o", "RekeyLimit=16K", "-o", "LogLevel=DEBUG1", port=port) as session:
        for _ in range(500):
            session.get(SYS_DESCR)
        session.process.stdin.close()
        session.process.wait(timeout=SECONDS)
        times = session.process.stderr.read().decode(errors="replace").count("SSH2_MSG_NEWKEYS received")
    assert times >= 4, f"keys were exchanged {times} times"


def shares_master(site, port):
    control = site.directory / f"master-{port}"
    options = ["-o", f"ControlPath={control}"]
    master = subprocess.Popen(site.ssh(*options, "-M", "-N", port=port), stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + SECONDS
        while not control.exists():
            assert time.monotonic() < deadline and master.poll() is None, "there is no master"
            time.sleep(0.05)
        for _ in range(3):
            reads(site, port, options=options)
    finally:
        agents.stop(master)


def refuses(site, words, *options):
    done = subprocess.run([*site.ssh(*options, port=site.direct), *words], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=SECONDS)
    assert done.returncode == 255 or done.returncode == 1, f"{done.returncode}: {done.stderr}"
    assert not done.stdout, done.stdout
    assert "failed" in done.stderr or "refused" in done.stderr or "closed" in done.stderr, done.stderr


def no_forwarding_out(site):
    done = subprocess.run(site.ssh("-W", f"127.0.0.1:{site.behind}", port=site.direct), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode != 0 and "SSH-2.0" not in done.stdout, done.stdout
    assert "open failed" in done.stderr or "forwarding failed" in done.stderr, done.stderr


def half_closes(site):
    with site.subsystem(port=site.behind) as session:
        session.send(ber.v3_tsm(ber.GET, SYS_DESCR) * 3)
        answers, code, complaints = session.finish()
    assert code == 0 and not complaints, f"{code}: {complaints}"
    assert answers.count(b"\x04\x00\xa2") == 3 or answers.count(b"\xa2") >= 3, f"{answers!r}"


def walks_alike(site):
    def walk(port):
        done = site.portreeve("walk", f"ssh://{ME}@127.0.0.1:{port}", WALKED)
        assert done.returncode == 0, done.stderr
        return [line for line in done.stdout.splitlines() if "Timeticks" not in line]

    direct = walk(site.direct)
    assert len(direct) > 5, direct
    assert walk(site.behind) == direct


def may_not_write(site):
    done = site.portreeve("set", f"ssh://{ME}@127.0.0.1:{site.behind}", "1.3.6.1.2.1.1.4.0", "s", "nobody")
    assert done.returncode == 2 and "noAccess" in done.stderr, done.stderr


def no_agent(site):
    with site.subsystem(port=site.behind, name="snmp-nowhere") as session:
        out, code, _ = session.finish()
    assert code == 1 and not out, f"{code}: {out!r}"
    done = relay(site, site.directory / "nowhere.sock")
    assert done.returncode == 1 and b"no agent listens at" in done.stderr and b"hint: " in done.stderr, done.stderr


def other_account(site):
    needs_root()
    before = counter(site)
    done = as_stranger(site, site.socket)
    assert done.returncode == 1 and not done.stdout, done.stdout
    assert b"closed the session without an answer" in done.stderr, done.stderr
    assert counter(site) == before + 1, "not counted"
    uid = pwd.getpwnam(STRANGER).pw_uid
    assert f"refused peer=uid {uid} " in site.log(), site.log()


def modes(site):
    assert stat.S_IMODE(site.strict_socket.stat().st_mode) == 0o600
    assert stat.S_IMODE(site.socket.stat().st_mode) == 0o666
    assert relay(site, site.strict_socket).returncode == 0, "our own account gets in"
    needs_root()
    done = as_stranger(site, site.strict_socket)
    assert done.returncode == 1 and b"may not speak to the agent" in done.stderr, done.stderr


def comes_back(site):
    assert agents.stop(site.agent), "the agent does not end in order"
    assert not site.socket.exists(), "a socket is left behind"
    done = site.portreeve("get", f"ssh://{ME}@127.0.0.1:{site.behind}", SYS_DESCR)
    assert done.returncode == 1 and "ended with status 1" in done.stderr and "hint: " in done.stderr, done.stderr
    site.start_agent()
    site.agent.send_signal(signal.SIGKILL)
    site.agent.wait()
    assert site.socket.exists()
    site.start_agent()
    reads(site, site.behind)


def relay(site, socket, *before):
    """The relay by hand; it is asked once and left."""
    return subprocess.run([*before, site.relay, socket], input=ber.v3_tsm(ber.GET, SYS_DESCR), capture_output=True,
                          timeout=SECONDS)


def as_stranger(site, socket):
    """The relay as another account, whose input stays open so that it waits for an answer."""
    process = subprocess.Popen(["setpriv", f"--reuid={STRANGER}", "--clear-groups", site.relay, socket],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        process.wait(timeout=SECONDS)
        return subprocess.CompletedProcess(process.args, process.returncode, process.stdout.read(), process.stderr.read())
    finally:
        process.kill()
        process.communicate()


def needs_root():
    if os.getuid() != 0 or not shutil.which("setpriv"):
        raise Skip("only root acts as another account")
