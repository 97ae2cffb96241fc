"""node's net-snmp, installed under target/ at a pinned version."""

import shutil
import subprocess

import agents
from pysnmp_peer import fail, settings

PACKAGE = "net-snmp@3.29.2"


def run(agent, peer):
    for program in ("node", "npm"):
        if not shutil.which(program):
            return peer.skip("all checks", f"{program} is not installed (Debian: nodejs, npm)")
    home, missing = installed()
    if missing:
        return peer.skip("all checks", missing)
    client = agents.ROOT / "tests/interop/node_client.js"
    # OpenSSL 3 has single DES only in its legacy provider.
    argv = ["node", "--openssl-legacy-provider", str(client), str(home / "node_modules")]
    done = subprocess.run(argv, input=settings(agent), capture_output=True, text=True, timeout=300)
    if not peer.record_lines(done.stdout.splitlines()) or done.returncode:
        peer.check("the node program exits with status 0", fail, f"exit {done.returncode}\n{done.stderr[-3000:]}")


def installed():
    """Returns the directory with node_modules, or the reason why there is none.

    A directory that has the pinned package already is reused.
    """
    home = agents.ROOT / "target/interop/node"
    stamp = home / "package.txt"
    if stamp.exists() and stamp.read_text() == PACKAGE:
        return home, None
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    argv = ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--silent", "--prefix", str(home), PACKAGE]
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=home)
    if done.returncode:
        return None, f"npm install failed: {(done.stderr or done.stdout).strip().splitlines()[-1:]}"
    stamp.write_text(PACKAGE)
    return home, None
