"""pysnmp, in a venv below target/ at a pinned version."""

import json
import subprocess

import agents
import third_party

PACKAGES = ["pysnmp==7.1.30", "pyasn1==0.6.5", "cryptography==50.0.2"]


def run(agent, peer):
    python, missing = environment()
    if missing:
        return peer.skip("all checks", missing)
    client = agents.ROOT / "tests/interop/pysnmp_client.py"
    done = subprocess.run([python, str(client)], input=settings(agent), capture_output=True, text=True, timeout=300)
    if not peer.record_lines(done.stdout.splitlines()) or done.returncode:
        peer.check("the pysnmp program exits with status 0", fail, f"exit {done.returncode}\n{done.stderr[-3000:]}")


def environment(folder="python", packages=PACKAGES):
    """Returns the interpreter of a venv with these packages, or the reason why there is none."""
    home, missing = third_party.find(f"interop/{folder}", packages)
    return (str(home / "bin/python"), None) if home else (None, missing)


def settings(agent):
    """The settings of a test program, as JSON for its standard input."""
    return json.dumps({
        "udp": agent.udp,
        "read": agent.read_community,
        "write": agent.write_community,
        "writer": agent.writer.__dict__,
        "users": [user.__dict__ for user in agent.users],
    })


def fail(reason):
    raise AssertionError(reason)
