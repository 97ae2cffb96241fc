"""Our own command and agent over sessions: what is read over TLS, DTLS and SSH is what is read over UDP, whoever is not
who they should be is refused, and --persist keeps a session."""

import os
import pathlib
import shutil
import subprocess
import time

import agents
from results import Skip

WALKED = "1.3.6.1.2.1.1"
SYS_DESCR = "1.3.6.1.2.1.1.1.0"
ESTABLISHED = "01"
PROTOCOLS = {"tls": "TLSv1.3", "dtls": "DTLSv1.3", "ssh": "SSHv2"}
SECONDS = 30


def run(agent, peer):
    if agent.kind != "portreeved":
        return peer.skip("all checks", "only our agent is asked")
    if not agents.portreeve():
        return peer.skip("all checks", "portreeve is not built")
    for transport in ("tls", "dtls", "ssh"):
        peer.check(f"a walk over {transport} is the one over udp", walks, agent, transport)
        peer.check(f"--persist keeps the session over {transport}", persists, agent, transport)
    peer.check("an unknown host key is refused, with what to do", unknown_host, agent)
    peer.check("a key that is not listed is refused, with what to do", unknown_key, agent)
    for transport in ("tls", "dtls"):
        peer.check(f"an authority that is not trusted is refused over {transport}", unknown_authority, agent, transport)


def walks(agent, transport):
    # What counts time or messages differs from one walk to the next.
    def steady(text):
        return [line for line in text.splitlines() if "Timeticks" not in line]

    user, arguments = agent.writer, ["-v3", "-l", "authPriv"]
    arguments += ["-u", user.name, "-a", user.auth, "-A", user.auth_pass, "-x", user.priv, "-X", user.priv_pass]
    over_udp = portreeve(agent, "walk", *arguments, f"udp:{agent.udp}", WALKED)
    assert over_udp.returncode == 0, over_udp.stderr
    in_session = portreeve(agent, "walk", "--stats", address(agent, transport), WALKED)
    assert in_session.returncode == 0, in_session.stderr
    assert f" protocol={PROTOCOLS[transport]}\n" in in_session.stderr, in_session.stderr
    assert len(steady(over_udp.stdout)) > 5, over_udp.stdout
    assert steady(over_udp.stdout) == steady(in_session.stdout), in_session.stdout


def persists(agent, transport):
    def kept():
        done = portreeve(agent, "get", "--persist", "2s", address(agent, transport), SYS_DESCR)
        assert done.returncode == 0, done.stderr
        return connections(agent, transport)

    first = kept()
    assert len(first) == 1, f"not kept: {first}"
    assert kept() == first, "the second command opened a session of its own"
    deadline = time.monotonic() + SECONDS
    while connections(agent, transport):
        assert time.monotonic() < deadline, "the session is kept although nobody uses it"
        time.sleep(0.1)


def connections(agent, transport):
    """Our ends of the connections, or our connected sockets, that lead to where the agent serves this transport."""
    port = int(agent.env["PORTREEVE_" + transport.upper()].rpartition(":")[2])
    table = pathlib.Path("/proc/net/udp" if transport == "dtls" else "/proc/net/tcp")
    lines = [line.split() for line in table.read_text().splitlines()[1:]]
    return {ours for _, ours, theirs, state, *_ in lines if theirs.endswith(f":{port:04X}") and state == ESTABLISHED}


def unknown_host(agent):
    nobody = agent.directory / "no_known_hosts"
    nobody.touch()
    refused(agent, "ssh", {"PORTREEVE_KNOWN_HOSTS": str(nobody)}, "is not known", "ssh-keyscan")


def unknown_key(agent):
    key = agent.directory / "unlisted"
    if not shutil.which("ssh-keygen"):
        raise Skip("ssh-keygen is not installed")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], stdin=subprocess.DEVNULL, check=True)
    refused(agent, "ssh", {"PORTREEVE_SSH_KEY": str(key)}, "does not let", "--identity")


def unknown_authority(agent, transport):
    refused(agent, transport, {"PORTREEVE_TLS_CA": agent.env["PORTREEVE_TLS_CERT"]}, "who the server is", "")


def refused(agent, transport, changed, cause, cure):
    done = portreeve(agent, "get", address(agent, transport), SYS_DESCR, **changed)
    assert done.returncode == 1 and not done.stdout, done.stdout
    assert cause in done.stderr and cure in done.stderr, done.stderr


def address(agent, transport):
    user = agent.env["PORTREEVE_SSH_USER"] + "@" if transport == "ssh" else ""
    return f"{transport}://{user}{agent.env['PORTREEVE_' + transport.upper()]}"


def portreeve(agent, *arguments, **changed):
    """The command with the demo's credentials, and with nothing of the user who runs this."""
    home = agent.directory / "home"
    for folder in (home, home / "run"):
        folder.mkdir(mode=0o700, exist_ok=True)
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_RUNTIME_DIR": str(home / "run"), "MIBS": "",
                   **agent.env, **changed}
    return subprocess.run([agents.portreeve(), *arguments], env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=SECONDS)
