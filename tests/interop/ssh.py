"""SSH with third-party programs: AsyncSSH, paramiko and ssh-audit.

AsyncSSH and paramiko are clients of our agent, AsyncSSH is also a server for our command, and
ssh-audit examines our algorithms. The Python packages are in venvs below target/.
"""

import contextlib
import json
import pathlib
import shutil
import subprocess
import tempfile

import agents
import openssl_peer
import pysnmp_peer
import secure_site
from openssl_peer import SYS_DESCR
from results import Skip

PACKAGES = ["asyncssh==2.24.1", "paramiko==5.1.0", "cryptography==50.0.2"]
AUDIT = ["ssh-audit==3.9.0"]


def run(agent, peer):
    if agent.kind != "portreeved":
        return peer.skip("all checks", "only our agent is tested")
    for program in ("ssh-keygen", "openssl"):
        if not shutil.which(program):
            return peer.skip("all checks", f"{program} is not installed")
    with tempfile.TemporaryDirectory(prefix="portreeve-ssh-") as directory:
        with secure_site.start(pathlib.Path(directory), ssh=True) as site:
            peer.check("ssh-audit warns only of Curve25519 without ML-KEM", audit, site, "ssh", expects_warning=True)
            peer.check("ssh-audit finds nothing if ML-KEM is the only key exchange", audit, site,
                       "ssh-post-quantum")
            python, missing = pysnmp_peer.environment("ssh", PACKAGES)
            if missing:
                return peer.skip("AsyncSSH and paramiko", missing)
            for program in ("asyncssh_client.py", "paramiko_client.py", "paramiko_hostile.py"):
                run_program(site, peer, python, program)
            check_command(site, peer, python)


def run_program(site, peer, python, program):
    """Runs a program that prints the results of its checks."""
    secure_site.certify(site, "other_ca", "ops", "unlisted")
    host, _, port = site.address["ssh"].rpartition(":")
    settings = json.dumps({"host": host, "port": int(port), "directory": str(site.directory)})
    argv = [python, str(agents.ROOT / "tests/interop" / program)]
    done = subprocess.run(argv, input=settings, capture_output=True, text=True, timeout=300)
    if not peer.record_lines(done.stdout.splitlines()) or done.returncode:
        peer.check(f"{program} exits with status 0", pysnmp_peer.fail, f"exit {done.returncode}\n{done.stderr[-3000:]}")


# --- ssh-audit


def audit(site, listener, expects_warning=False):
    python, missing = pysnmp_peer.environment("ssh-audit", AUDIT)
    if missing:
        raise Skip(missing)
    host, _, port = site.address[listener].rpartition(":")
    argv = [pathlib.Path(python).parent / "ssh-audit", "-j", "--skip-rate-test", "-p", port, host]
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    report = json.loads(done.stdout)
    found = [(kind, entry["algorithm"], note) for kind in ("kex", "key", "enc", "mac") for entry in report[kind]
             for severity in ("fail", "warn") for note in entry["notes"].get(severity, [])]
    # The key exchange of OpenSSH before 9.9, which the agent offers after the post-quantum one.
    expected = [finding for finding in found if finding[1].startswith("curve25519-") and "post-quantum" in finding[2]]
    assert bool(expected) == expects_warning, found
    assert found == expected, found
    assert report["kex"][0]["algorithm"].startswith("mlkem768x25519"), report["kex"]
    assert not report["cves"], report["cves"]


# --- our command and an AsyncSSH server


def check_command(site, peer, python):
    if not agents.portreeve():
        return peer.skip("our command and an AsyncSSH server", "portreeve is not built")
    with server(site, python) as port:
        trusted = known_hosts(site, port, "host")
        peer.check("our command reads from an AsyncSSH server", reads, site, port, trusted)
        peer.check("our command reads from a server with a host certificate", reads, site, port,
                   f"@cert-authority [127.0.0.1]:{port} {public(site, 'other_ca')}")
        peer.check("our command logs in with a user certificate", reads, site, port, trusted, "certified")
        peer.check("our command refuses a server with a changed host key", refuses, site, port,
                   known_hosts(site, port, "unlisted"), "has changed", "listed")
        peer.check("our command reports that the server refused its key", refuses, site, port, trusted, "rejected the login", "unlisted")
        peer.check("our command reports that the server closed the session", refuses, site, port, trusted,
                   "ended with status 1", "listed", "other")


@contextlib.contextmanager
def server(site, python):
    """Runs the AsyncSSH server. It serves ops; sessions of all other users are closed at once."""
    secure_site.certify(site, "other_ca", "127.0.0.1", "host", "-h")
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


def get(site, port, known, key, user="ops"):
    (site.directory / "known_hosts").write_text(known + "\n")
    return site.portreeve("get", "--identity", str(site.directory / key), f"ssh://{user}@127.0.0.1:{port}", SYS_DESCR,
                          certificate=None, authority=None, PORTREEVE_KNOWN_HOSTS=str(site.directory / "known_hosts"))


def reads(site, port, known, key="listed"):
    done = get(site, port, known, key)
    assert done.returncode == 0 and openssl_peer.RESPONDER_NAME.decode() in done.stdout, done.stdout + done.stderr


def refuses(site, port, known, error, key, user="ops"):
    done = get(site, port, known, key, user)
    assert done.returncode == 1 and not done.stdout, done.stdout
    assert error in done.stderr, done.stderr
