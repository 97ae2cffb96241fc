"""SSH with foreign programs: AsyncSSH and paramiko as clients of our agent, AsyncSSH as a server for our command, and what
ssh-audit has to say of our algorithms. The Python packages live in a virtual environment of their own under target/."""

import contextlib
import json
import pathlib
import shutil
import subprocess
import tempfile

import agents
import openssl_peer
import pysnmp_peer
import secured
from openssl_peer import SYS_DESCR
from results import Skip

PACKAGES = ["asyncssh==2.24.1", "paramiko==5.1.0", "cryptography==50.0.2"]
AUDIT = ["ssh-audit==3.9.0"]


def run(agent, peer):
    if agent.kind != "portreeved":
        return peer.skip("all checks", "only our agent is asked")
    for program in ("ssh-keygen", "openssl"):
        if not shutil.which(program):
            return peer.skip("all checks", f"{program} is not installed")
    with tempfile.TemporaryDirectory(prefix="portreeve-ssh-") as directory:
        with secured.served(pathlib.Path(directory), ssh=True) as site:
            peer.check("ssh-audit finds nothing weak but plain Curve25519", audit, site, "ssh", excused=True)
            peer.check("ssh-audit finds nothing at all where keys are exchanged by ML-KEM only", audit, site,
                       "ssh-post-quantum")
            python, missing = pysnmp_peer.environment("ssh", PACKAGES)
            if missing:
                return peer.skip("AsyncSSH and paramiko", missing)
            for program in ("asyncssh_client.py", "paramiko_client.py", "paramiko_hostile.py"):
                run_program(site, peer, python, program)
            with_server(site, peer, python)


def run_program(site, peer, python, program):
    """A program that says itself which of its checks have passed."""
    secured.certify(site, "other_ca", "ops", "unlisted")
    host, _, port = site.address["ssh"].rpartition(":")
    settings = json.dumps({"host": host, "port": int(port), "directory": str(site.directory)})
    argv = [python, str(agents.ROOT / "tests/interop" / program)]
    done = subprocess.run(argv, input=settings, capture_output=True, text=True, timeout=300)
    if not peer.take_over(done.stdout.splitlines()) or done.returncode:
        peer.check(f"{program} ends well", pysnmp_peer.never, f"exit {done.returncode}\n{done.stderr[-3000:]}")


# --- ssh-audit


def audit(site, listener, excused=False):
    python, missing = pysnmp_peer.environment("ssh-audit", AUDIT)
    if missing:
        raise Skip(missing)
    host, _, port = site.address[listener].rpartition(":")
    argv = [pathlib.Path(python).parent / "ssh-audit", "-j", "--skip-rate-test", "-p", port, host]
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    report = json.loads(done.stdout)
    found = [(kind, entry["algorithm"], note) for kind in ("kex", "key", "enc", "mac") for entry in report[kind]
             for severity in ("fail", "warn") for note in entry["notes"].get(severity, [])]
    # What every OpenSSH before 9.9 speaks, offered behind the one that is safe from quantum computers.
    weaker = [finding for finding in found if finding[1].startswith("curve25519-") and "post-quantum" in finding[2]]
    assert bool(weaker) == excused, found
    assert found == weaker, found
    assert report["kex"][0]["algorithm"].startswith("mlkem768x25519"), report["kex"]
    assert not report["cves"], report["cves"]


# --- our command, and a server of AsyncSSH's


def with_server(site, peer, python):
    if not agents.portreeve():
        return peer.skip("our command and a server of AsyncSSH's", "portreeve is not built")
    with server(site, python) as port:
        trusted = known_hosts(site, port, "host")
        peer.check("our command reads from AsyncSSH's server", reads, site, port, trusted)
        peer.check("our command reads from a server whose host certificate an authority has signed", reads, site, port,
                   f"@cert-authority [127.0.0.1]:{port} {public(site, 'other_ca')}")
        peer.check("our command logs in with a certificate", reads, site, port, trusted, "certified")
        peer.check("our command refuses a server with another key", refuses, site, port,
                   known_hosts(site, port, "unlisted"), "has changed", "listed")
        peer.check("our command says that a key is not taken", refuses, site, port, trusted, "does not let", "unlisted")
        peer.check("our command says that a server has ended the session", refuses, site, port, trusted,
                   "ended with status 1", "listed", "nobody")


@contextlib.contextmanager
def server(site, python):
    """It serves ops, and lets nobody in to end the session at once."""
    secured.certify(site, "other_ca", "127.0.0.1", "host", "-h")
    argv = [python, str(agents.ROOT / "tests/interop/asyncssh_server.py"), str(site.directory)]
    with (site.directory / "asyncssh_server.log").open("w") as log:
        process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            port = process.stdout.readline().strip()
            assert port, (site.directory / "asyncssh_server.log").read_text()
            yield port
        finally:
            process.kill()
            process.communicate()


def public(site, name):
    return (site.directory / f"{name}.pub").read_text().strip()


def known_hosts(site, port, name):
    return f"[127.0.0.1]:{port} {public(site, name)}"


def ask(site, port, known, key, user="ops"):
    (site.directory / "known_hosts").write_text(known + "\n")
    return site.portreeve("get", "--identity", str(site.directory / key), f"ssh://{user}@127.0.0.1:{port}", SYS_DESCR,
                          who=None, authority=None, PORTREEVE_KNOWN_HOSTS=str(site.directory / "known_hosts"))


def reads(site, port, known, key="listed"):
    done = ask(site, port, known, key)
    assert done.returncode == 0 and openssl_peer.NAME_OF_RESPONDER.decode() in done.stdout, done.stdout + done.stderr


def refuses(site, port, known, cause, key, user="ops"):
    done = ask(site, port, known, key, user)
    assert done.returncode == 1 and not done.stdout, done.stdout
    assert cause in done.stderr, done.stderr
