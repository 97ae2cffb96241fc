"""`make demo`: its output, which ends with a notification over SSH."""

import os
import shutil
import subprocess

import agents

TIMEOUT = 120


def run(agent, peer):
    program = agents.PROGRAMS / "portreeve-lab"
    if agent.kind != "portreeved":
        return peer.skip("all checks", "only our demo is tested")
    if not program.exists():
        return peer.skip("all checks", "portreeve-lab is not built")
    done = subprocess.run([program, "demo"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT)
    peer.check("the demo walks over every transport", walks, done)
    if os.geteuid() != 0 or not shutil.which("ip"):
        return peer.skip("the demo shows a linkDown over SSH", "root and the program ip are needed")
    peer.check("the demo shows a linkDown over SSH", shows_link_down, done)


def walks(done):
    assert done.returncode == 0, done.stdout + done.stderr
    transports = {line.split(" ")[0] for line in done.stdout.splitlines()}
    assert {"udp", "tcp", "ssh", "tls", "dtls"} <= transports, done.stdout


def shows_link_down(done):
    expected = ["portreeve-trapd at ssh://ops@127.0.0.1:", "cause    ip link set lab0 down", "IF-MIB::linkDown",
                "IF-MIB::ifOperStatus.2 = INTEGER: down(2)"]
    missing = [text for text in expected if text not in done.stdout]
    assert not missing, f"{missing}\n{done.stdout}{done.stderr}"
