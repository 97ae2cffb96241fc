"""pysnmp, installed in a venv under target/ at a pinned version."""

import json
import shutil
import subprocess
import sys

import agents

REQUIREMENTS = ["pysnmp==7.1.30", "pyasn1==0.6.5", "cryptography==50.0.2"]


def run(agent, peer):
    python, missing = environment()
    if missing:
        return peer.skip("all checks", missing)
    client = agents.ROOT / "tests/interop/pysnmp_client.py"
    done = subprocess.run([python, str(client)], input=settings(agent), capture_output=True, text=True, timeout=300)
    if not peer.record_lines(done.stdout.splitlines()) or done.returncode:
        peer.check("the pysnmp program exits with status 0", fail, f"exit {done.returncode}\n{done.stderr[-3000:]}")


def environment(folder="python", requirements=REQUIREMENTS):
    """Returns the interpreter of a venv with these packages, or the reason why there is none.

    A venv that has these packages already is reused.
    """
    home = agents.ROOT / "target/interop" / folder
    python = home / "bin/python"
    stamp = home / "requirements.txt"
    wanted = "\n".join([sys.version, *requirements])
    if stamp.exists() and stamp.read_text() == wanted:
        return str(python), None
    shutil.rmtree(home, ignore_errors=True)
    for argv in ([sys.executable, "-m", "venv", str(home)],
                 [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements]):
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            return None, f"{' '.join(argv[1:4])} failed: {(done.stderr or done.stdout).strip().splitlines()[-1:]}"
    stamp.write_text(wanted)
    return str(python), None


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
