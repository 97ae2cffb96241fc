"""yangcli of Debian's yuma123, run as a script.

yangcli uses a release of libssh2 without AES-GCM and ChaCha20-Poly1305, which our agent requires.
Therefore it logs in to an sshd, whose subsystem forwards the session with OpenSSH's client.
"""

import os
import pty
import select
import shlex
import shutil
import time

import agents
import netconf_site
import openssh_site
from netconf_peers import unavailable

TIMEOUT = 60


def run(agent, peer):
    missing = unavailable(agent)
    if missing:
        return peer.skip("all checks", missing)
    for program, package in (("yangcli", "yangcli"), ("sshd", "openssh-server")):
        if not openssh_site.find_program(program):
            return peer.skip("all checks", f"{package} is not installed")
    with netconf_site.start() as site:
        relay = start_relay(site)
        try:
            for title, commands, expected in CHECKS:
                peer.check(title, converse, site, commands, expected)
        finally:
            agents.stop(relay)
    return None


def start_relay(site):
    """Starts an sshd before the server. Its port is one above that of SNMP."""
    site.relay_port = site.port + 2
    directory = site.directory / "relay"
    (directory / "keys").mkdir(parents=True)
    shutil.copy(site.directory / "host.key", directory / "host.key")
    account = openssh_site.ACCOUNT
    shutil.copy(site.directory / "keys" / site.writer, directory / "keys" / account)
    options = {"UserKnownHostsFile": site.directory / "known_hosts", "IdentityFile": site.key(site.writer), "BatchMode": "yes",
               "IdentitiesOnly": "yes", "IdentityAgent": "none", "GlobalKnownHostsFile": "none"}
    words = ["ssh", "-F", "none", "-p", site.port, *(f"-o{name}={value}" for name, value in options.items()), "-s",
             f"{site.writer}@127.0.0.1", "netconf"]
    return netconf_site.start_sshd(directory, site.relay_port, {"netconf": shlex.join(map(str, words))})


def converse(site, commands, expected):
    """Runs commands of yangcli and requires texts in its output. `!` before a text forbids it."""
    output = yangcli(site, commands)
    for text in expected:
        if text.startswith("!"):
            assert text[1:] not in output, f"{text[1:]!r} is in\n{output[-3000:]}"
        else:
            assert text in output, f"{text!r} is not in\n{output[-3000:]}"


def yangcli(site, commands):
    """Returns the output of a script. yangcli runs only at a terminal."""
    script = site.directory / "script"
    script.write_text("\n".join(commands) + "\n")
    home = site.directory / "yangcli"
    home.mkdir(exist_ok=True)
    modules = ":".join(map(str, (netconf_site.EXAMPLES, netconf_site.MODULES, "/usr/share/yuma/modules")))
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "TERM": "dumb", "YUMA_MODPATH": modules, "LC_ALL": "C"}
    argv = ["yangcli", "--server=127.0.0.1", f"--ncport={site.relay_port}", f"--user={openssh_site.ACCOUNT}", "--password=none",
            f"--private-key={site.key(site.writer)}", f"--public-key={site.key(site.writer)}.pub", "--batch-mode",
            "--display-mode=xml", "--autohistory=false", "--force-target=candidate", f"--run-script={script}"]
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe(argv[0], argv, environment)
    output, deadline = b"", time.monotonic() + TIMEOUT
    try:
        while True:
            readable, _, _ = select.select([terminal], [], [], max(0, deadline - time.monotonic()))
            assert readable, f"yangcli does not end: {output.decode(errors='replace')[-2000:]}"
            try:
                chunk = os.read(terminal, 1 << 16)
            except OSError:
                break
            if not chunk:
                break
            output += chunk
    finally:
        os.close(terminal)
        os.waitpid(child, 0)
    return output.decode(errors="replace").replace("\r\n", "\n")


ENTRY = "/stairTable/stairEntry[stairIndex='{}']"
CHECKS = [
    ("yangcli logs in and reads the capabilities", ["show session"], ["candidate:1.0", "ietf-system@2014-08-06"]),
    ("yangcli creates an entry, commits and reads it",
     [f"create {ENTRY.format(1)} -- stairText1=made", "commit", "get-config source=running"],
     ["<stairText1>made</stairText1>", "!rpc-error"]),
    ("yangcli merges, replaces and deletes",
     [f"merge {ENTRY.format(2)} -- stairText1=merged", f"replace {ENTRY.format(2)} -- stairText2=replaced", "commit",
      "get-config source=running", f"delete {ENTRY.format(1)}", f"delete {ENTRY.format(2)}", "commit"],
     ["<stairText2>replaced</stairText2>", "!<stairText1>merged", "!rpc-error"]),
    ("yangcli locks, validates, discards and unlocks",
     ["get-locks", "validate source=candidate", "discard-changes", "release-locks"], ["!rpc-error", "RPC OK Reply"]),
    ("yangcli reads state and the text of a module",
     ["sget /netconf-state/sessions", "get-schema identifier=ietf-system version=2014-08-06 format=yang"],
     ["netconf-ssh", "module ietf-system"]),
    ("yangcli receives data-missing", [f"delete {ENTRY.format(9)}"], ["data-missing"]),
]
