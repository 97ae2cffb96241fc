"""README and guides: every command that they show is pasted into a shell, in namespaces of its own, and does what is said.

Where that cannot be, because namespaces need root or a program is missing, it is skipped.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import agents
import openssh_site

DOCUMENTS = ["README.md", "docs/guides/ssh.md", "docs/guides/certificates.md", "docs/guides/transports.md",
             "docs/guides/users.md", "docs/guides/poll.md", "docs/guides/simulate.md"]
SITE = pathlib.Path(__file__).resolve().with_name("guides_site.py")
PROGRAMS = ["ssh", "scp", "ssh-keygen", "ssh-agent", "snmpget", "openssl", "curl"]
NAMESPACES = ["unshare", "--mount", "--net", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc"]
SECONDS = 300


def run(agent, peer):
    if agent.kind != "portreeved":
        return peer.skip("all documents", "only our agent is asked")
    if not agents.portreeve():
        return peer.skip("all documents", "portreeve is not built")
    if os.geteuid() != 0:
        return peer.skip("all documents", "namespaces with accounts and ports of their own need root")
    lacking = [name for name in [*PROGRAMS, "unshare", "ip"] if not shutil.which(name)]
    lacking += [] if openssh_site.find("sshd") else ["sshd"]
    if lacking:
        return peer.skip("all documents", f"not installed: {', '.join(lacking)}")
    if subprocess.run([*NAMESPACES, "true"], capture_output=True).returncode:
        return peer.skip("all documents", "namespaces cannot be made here")
    for document in DOCUMENTS:
        read(document, peer)


def read(document, peer):
    argv = [*NAMESPACES, sys.executable, "-B", SITE, agents.ROOT / document, agents.portreeved().resolve().parent]
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS)
    for verdict, line, reason in map(json.loads, done.stdout.splitlines()):
        title = f"{document}, line {line}"
        if verdict == "skip":
            peer.skip(title, reason)
        else:
            peer.check(title, agree, reason)
    peer.check(f"{document} is read to its end", agree, done.stderr[-4000:] if done.returncode else None)


def agree(complaint):
    assert complaint is None, complaint
