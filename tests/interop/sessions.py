"""Our command and agent over sessions.

A walk over TLS, DTLS or SSH reads the same objects as over UDP. Unknown host keys, keys and
authorities are refused. --persist keeps a session open.
"""

import os
import pathlib
import shutil
import subprocess
import time

import agents
from results import Skip

SYSTEM = "1.3.6.1.2.1.1"
SYS_DESCR = "1.3.6.1.2.1.1.1.0"
ESTABLISHED = "01"
PROTOCOLS = {"tls": "TLSv1.3", "dtls": "DTLSv1.3", "ssh": "SSHv2"}
TIMEOUT = 60


def run(agent, peer):
    if agent.kind != "portreeved":
        return peer.skip("all checks", "only our agent is tested")
    if not agents.portreeve():
        return peer.skip("all checks", "portreeve is not built")
    for transport in ("tls", "dtls", "ssh"):
        peer.check(f"a walk over {transport} reads the same objects as over udp", walk_equals_udp, agent, transport)
        peer.check(f"--persist keeps the session over {transport}", persist_keeps_session, agent, transport)
    peer.check("the context engine ID of a command is not that of later ones in its session", context_is_not_kept, agent)
    peer.check("an unknown host key is refused with a hint", unknown_host, agent)
    peer.check("a user key that is not listed is refused with a hint", unlisted_key, agent)
    for transport in ("tls", "dtls"):
        peer.check(f"an agent certificate of an untrusted authority is refused over {transport}", untrusted_authority, agent, transport)


def walk_equals_udp(agent, transport):
    # Time values differ from one walk to the next.
    def constant_lines(text):
        return [line for line in text.splitlines() if "Timeticks" not in line]

    user, arguments = agent.writer, ["-v3", "-l", "authPriv"]
    arguments += ["-u", user.name, "-a", user.auth, "-A", user.auth_pass, "-x", user.priv, "-X", user.priv_pass]
    over_udp = portreeve(agent, "walk", *arguments, f"udp:{agent.udp}", SYSTEM)
    assert over_udp.returncode == 0, over_udp.stderr
    in_session = portreeve(agent, "walk", "--stats", address(agent, transport), SYSTEM)
    assert in_session.returncode == 0, in_session.stderr
    assert f" protocol={PROTOCOLS[transport]}\n" in in_session.stderr, in_session.stderr
    assert len(constant_lines(over_udp.stdout)) > 5, over_udp.stdout
    assert constant_lines(over_udp.stdout) == constant_lines(in_session.stdout), in_session.stdout


def persist_keeps_session(agent, transport):
    def get_and_list_connections(idle_time):
        done = portreeve(agent, "get", "--persist", idle_time, address(agent, transport), SYS_DESCR)
        assert done.returncode == 0, done.stderr
        return connections(agent, transport)

    first = get_and_list_connections("5m")
    assert len(first) == 1, f"the session was not kept: {first}"
    assert get_and_list_connections("5m") == first, "the second command opened a new session"
    get_and_list_connections("1s")
    wait_for_end(agent, transport)


def context_is_not_kept(agent):
    for options, expected in ((["--persist", "5m", "-t", "1", "-r", "0", "-E", "800000000102030405"], 1), (["--persist", "1s"], 0)):
        done = portreeve(agent, "get", *options, address(agent, "tls"), SYS_DESCR)
        assert done.returncode == expected, done.stderr
    wait_for_end(agent, "tls")


def wait_for_end(agent, transport):
    deadline = time.monotonic() + TIMEOUT
    while connections(agent, transport):
        assert time.monotonic() < deadline, "the unused session is still open"
        time.sleep(0.1)


def connections(agent, transport):
    """Returns the local addresses of all connected sockets to the agent's port."""
    port = int(agent.env["PORTREEVE_" + transport.upper()].rpartition(":")[2])
    table = pathlib.Path("/proc/net/udp" if transport == "dtls" else "/proc/net/tcp")
    lines = [line.split() for line in table.read_text().splitlines()[1:]]
    return {local for _, local, remote, state, *_ in lines if remote.endswith(f":{port:04X}") and state == ESTABLISHED}


def unknown_host(agent):
    known_hosts = agent.directory / "no_known_hosts"
    known_hosts.touch()
    assert_refused(agent, "ssh", {"PORTREEVE_KNOWN_HOSTS": str(known_hosts)}, "is not known", "ssh-keyscan")


def unlisted_key(agent):
    key = agent.directory / "unlisted"
    if not shutil.which("ssh-keygen"):
        raise Skip("ssh-keygen is not installed")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], stdin=subprocess.DEVNULL, check=True)
    assert_refused(agent, "ssh", {"PORTREEVE_SSH_KEY": str(key)}, "rejected the login", "--identity")


def untrusted_authority(agent, transport):
    assert_refused(agent, transport, {"PORTREEVE_TLS_CA": agent.env["PORTREEVE_TLS_CERT"]}, "verifying the server", "")


def assert_refused(agent, transport, environment, error, hint):
    done = portreeve(agent, "get", address(agent, transport), SYS_DESCR, **environment)
    assert done.returncode == 1 and not done.stdout, done.stdout
    assert error in done.stderr and hint in done.stderr, done.stderr


def address(agent, transport):
    user = agent.env["PORTREEVE_SSH_USER"] + "@" if transport == "ssh" else ""
    return f"{transport}://{user}{agent.env['PORTREEVE_' + transport.upper()]}"


def portreeve(agent, *arguments, **variables):
    """Runs our command with the demo's credentials, isolated from the user who runs the tests."""
    home = agent.directory / "home"
    for folder in (home, home / "run"):
        folder.mkdir(mode=0o700, exist_ok=True)
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_RUNTIME_DIR": str(home / "run"), "MIBS": "",
                   **agent.env, **variables}
    return subprocess.run([agents.portreeve(), *arguments], env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=TIMEOUT)
