"""SNMP4J, below target/ at pinned versions, as the manager of our agent and as an agent.

The programs in `snmp4j/` read settings as a Java properties file from standard input.
"""

import contextlib
import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading

import agents
import secure_site
import third_party
from openssl_peer import SYS_DESCR
from pysnmp_peer import fail

VERSION = "3.9.7"
# The newest version that leaves a request unread that arrives together with the TLS 1.3 Finished,
# unless the client sends its change_cipher_spec record with them.
OLDER_VERSION = "3.9.6"
SHA256 = {
    VERSION: "03552ad74a1f77605523b06cb45567d26462d04df265049602241dd69a1e083e",
    OLDER_VERSION: "9da8ce9700330be9c873adfa8706ae31182423e17ff071ff2a0ec0d4ba72631c",
}
PACKAGES = [f"org.snmp4j:snmp4j:{version}" for version in SHA256]
SOURCES = agents.ROOT / "tests/interop/snmp4j"
SYSTEM = "1.3.6.1.2.1.1"
START_TIMEOUT = 60


def run(agent, peer):
    classpath, missing = installed()
    if missing:
        return peer.skip("all checks", missing)
    run_manager(classpath, peer, manager_settings(agent))
    if agent.kind != "portreeved":
        return peer.skip("TLS and DTLS", "only our agent is tested")
    with tempfile.TemporaryDirectory(prefix="portreeve-snmp4j-") as directory:
        with secure_site.start(pathlib.Path(directory)) as site:
            run_manager(classpath, peer, {
                "tls": java_address(site.address["tls"]), "dtls": java_address(site.address["dtls"]),
                "certificate": site.directory / "good.pem", "other": site.directory / "other-user.pem",
                "authority": site.directory / "ca.pem"})
            check_command(site, peer, classpath)


# --- SNMP4J as manager


def manager_settings(agent):
    settings = {"udp": java_address(agent.udp), "tcp": java_address(agent.tcp), "read": agent.read_community,
                "write": agent.write_community, "writer": user_line(agent.writer)}
    return {**settings, **user_settings(agent.users)}


def run_manager(classpath, peer, settings):
    done = subprocess.run(java(classpath, "Manager"), input=properties(settings), capture_output=True, text=True, timeout=300)
    if not peer.record_lines(done.stdout.splitlines()) or done.returncode:
        peer.check("the SNMP4J program exits with status 0", fail, f"exit {done.returncode}\n{done.stderr[-3000:]}")


# --- SNMP4J as agent


def check_command(site, peer, classpath):
    with agent_program(site, classpath) as port:
        for transport in ("tls", "dtls"):
            address = f"{transport}:127.0.0.1:{port}"
            peer.check(f"our command reads an object over {transport}", reads, site, address)
            peer.check(f"our command walks a subtree over {transport}", walks, site, address)
            peer.check(f"our command refuses an agent of another authority over {transport}", refuses, site, address)
            peer.check(f"a certificate of another authority reads nothing over {transport}", reads_nothing, site, address)
    older, missing = installed(OLDER_VERSION)
    title = f"the first request over TLS 1.3 is read by SNMP4J {OLDER_VERSION}, 24 times"
    if missing:
        return peer.skip(title, missing)
    with agent_program(site, older) as port:
        peer.check(title, reads_often, site, f"tls:127.0.0.1:{port}")


@contextlib.contextmanager
def agent_program(site, classpath, certificate="agent"):
    """Runs an agent with TLS and DTLS on one port, and yields the port."""
    port = agents.free_port_range()
    settings = {"port": port, "certificate": site.directory / f"{certificate}.pem", "authority": site.directory / "ca.pem"}
    process = subprocess.Popen(java(classpath, "Agent"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
    watchdog = threading.Timer(START_TIMEOUT, process.kill)
    watchdog.start()
    try:
        process.stdin.write(properties(settings))
        process.stdin.flush()
        assert process.stdout.readline().strip() == "ready", "the SNMP4J agent did not become ready"
        watchdog.cancel()
        yield port
    finally:
        watchdog.cancel()
        with contextlib.suppress(OSError):
            process.stdin.close()
        agents.stop(process)


def reads(site, address, *options):
    done = site.portreeve("get", "-On", *options, address, SYS_DESCR)
    assert done.returncode == 0 and done.stdout == f".{SYS_DESCR} = STRING: SNMP4J\n", done.stdout + done.stderr


def reads_often(site, address):
    for _ in range(24):
        reads(site, address, "-t", "20", "-r", "0")


def walks(site, address):
    done = site.portreeve("walk", "-On", address, SYSTEM)
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 6, done.stdout + done.stderr


def refuses(site, address):
    done = site.portreeve("get", address, SYS_DESCR, authority="other-ca")
    assert done.returncode == 1 and "verifying the server" in done.stderr, done.stderr


def reads_nothing(site, address):
    done = site.portreeve("get", "-t", "2", "-r", "0", address, SYS_DESCR, certificate="other-user")
    assert done.returncode == 1 and not done.stdout, done.stdout


# --- the Java programs


def install(home, packages):
    third_party.maven(home, packages)
    for version in SHA256:
        if not is_intact(home / f"snmp4j-{version}.jar"):
            raise third_party.FetchError(f"snmp4j-{version}.jar has an unexpected checksum")


def is_intact(library):
    digest = SHA256[library.stem.removeprefix("snmp4j-")]
    return library.exists() and hashlib.sha256(library.read_bytes()).hexdigest() == digest


def installed(version=VERSION):
    """Returns the class path of our programs with SNMP4J, or the reason why there is none."""
    home, missing = third_party.find("interop/snmp4j", PACKAGES)
    if missing:
        return None, missing
    if not shutil.which("javac"):
        return None, "javac is not installed (Debian: default-jdk-headless)"
    library = home / f"snmp4j-{version}.jar"
    if not is_intact(library):
        return None, f"{library} has an unexpected checksum: remove {home}"
    classes, missing = compiled(library)
    return (f"{library}:{classes}", None) if classes else (None, missing)


def compiled(library):
    """Returns the directory with our classes, or the error. Classes of unchanged sources are reused."""
    sources = sorted(SOURCES.glob("*.java"))
    digest = hashlib.sha256(library.name.encode() + b"".join(source.read_bytes() for source in sources)).hexdigest()
    classes = third_party.TARGET / "interop" / f"classes-{digest[:16]}"
    if classes.exists():
        return classes, None
    with tempfile.TemporaryDirectory(dir=classes.parent) as temporary:
        argv = ["javac", "-Xlint:all", "-Werror", "-cp", library, "-d", f"{temporary}/classes", *sources]
        done = subprocess.run([str(word) for word in argv], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            return None, f"javac failed: {done.stderr.strip()[-500:]}"
        # Another peer may have compiled them at the same time.
        with contextlib.suppress(OSError):
            os.rename(f"{temporary}/classes", classes)
    return classes, None


def java(classpath, program):
    # A short program starts sooner with the first compiler alone.
    return ["java", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-cp", classpath, program]


def java_address(address):
    """An address as SNMP4J writes it."""
    host, _, port = address.rpartition(":")
    return f"{host}/{port}"


def user_settings(users):
    return {f"user.{number}": user_line(user) for number, user in enumerate(users)}


def user_line(user):
    return "\t".join([user.name, user.level, user.auth, user.auth_pass, user.priv, user.priv_pass])


def properties(settings):
    """Encodes settings as a Java properties file, and ends it with an empty line."""
    escaped = {name: str(value).replace("\\", "\\\\").replace("\t", "\\t") for name, value in settings.items()}
    return "".join(f"{name}={value}\n" for name, value in escaped.items()) + "\n"
