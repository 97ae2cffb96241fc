"""node's net-snmp, below target/ at a pinned version."""

import shutil
import subprocess

import agents
import third_party
from pysnmp_peer import fail, settings

PACKAGES = ["net-snmp@3.29.2"]


def run(agent, peer):
    if not shutil.which("node"):
        return peer.skip("all checks", "node is not installed (Debian: nodejs)")
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
    """Returns the directory with node_modules, or the reason why there is none."""
    return third_party.find("interop/node", PACKAGES)
