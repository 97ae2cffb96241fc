"""Clients that do not log in, or not quickly, and users who are served while they attack.

Runs the scripts in tests/long at a small scale and without their time limits.
"""

import subprocess
import sys

import agents
from results import Skip

TIMEOUT = 150
SKIPPED = 77


def run(agent, peer):
    if agent.kind != "portreeved":
        return peer.skip("all checks", "only our agent is tested")
    peer.check("no response over UDP is lost while clients offer public keys", measure, "public-key-offers")
    peer.check("no response over UDP is lost while another client offers SETs", measure, "gets-during-sets")
    peer.check("a login succeeds while eight addresses occupy all session slots", measure, "session-slots")
    peer.check("no response over UDP is lost while NETCONF sessions queue requests and stop reading", measure, "netconf-sessions")
    peer.check("the agent does not grow while NETCONF requests do not end", measure, "netconf-memory")
    peer.check("each notification of a storm is written or counted", measure, "notification-storm")
    peer.check("a password logs in while four addresses occupy all login slots", measure, "password-slots")


def measure(script):
    argv = [sys.executable, "-B", str(agents.ROOT / "tests/long" / script), "--quick"]
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT)
    if done.returncode == SKIPPED:
        raise Skip(done.stdout.strip().rpartition("skip: ")[2])
    assert done.returncode == 0, done.stdout + done.stderr
