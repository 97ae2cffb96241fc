"""README and guides: every command that they show is run in a shell, in separate namespaces.

Each command must succeed and print the documented output. Skipped without root, which namespaces
need, or if a program is missing.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import agents
import openssh_site

DOCUMENTS = ["README.md", "docs/guides/ssh.md", "docs/guides/netconf.md", "docs/guides/certificates.md", "docs/guides/transports.md",
             "docs/guides/users.md", "docs/guides/notifications.md", "docs/guides/poll.md", "docs/guides/simulate.md",
             "docs/guides/measure-what-security-costs.md"]
SITE = pathlib.Path(__file__).resolve().with_name("guides_site.py")
PROGRAMS = ["ssh", "scp", "ssh-keygen", "ssh-agent", "snmpget", "snmptrap", "openssl", "curl"]
NAMESPACES = ["unshare", "--mount", "--net", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc"]
TIMEOUT = 300


def run(agent, peer):
    if agent.kind != "portreeved":
        return peer.skip("all documents", "only our agent is tested")
    if not agents.portreeve():
        return peer.skip("all documents", "portreeve is not built")
    if os.geteuid() != 0:
        return peer.skip("all documents", "namespaces need root")
    missing = [name for name in [*PROGRAMS, "unshare", "ip"] if not shutil.which(name)]
    missing += [] if openssh_site.find_program("sshd") else ["sshd"]
    if missing:
        return peer.skip("all documents", f"not installed: {', '.join(missing)}")
    if subprocess.run([*NAMESPACES, "true"], capture_output=True).returncode:
        return peer.skip("all documents", "namespaces cannot be created here")
    for document in DOCUMENTS:
        run_document(document, peer)


def run_document(document, peer):
    argv = [*NAMESPACES, sys.executable, "-B", SITE, agents.ROOT / document, agents.portreeved().resolve().parent]
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT)
    for verdict, line, reason in map(json.loads, done.stdout.splitlines()):
        title = f"{document}, line {line}"
        if verdict == "skip":
            peer.skip(title, reason)
        else:
            peer.check(title, assert_passed, reason)
    peer.check(f"{document}: all blocks are processed", assert_passed, done.stderr[-4000:] if done.returncode else None)


def assert_passed(failure):
    assert failure is None, failure
