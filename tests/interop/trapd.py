"""Our receiver of notifications, portreeve-trapd.

With the snmptrapd.conf of Debian's snmptrapd, both must print the same line for a notification of
Net-SNMP's commands. Sessions over SSH, TLS and DTLS come from our command, from our agent, over DTLS
from Net-SNMP's commands, and over SSH from OpenSSH's. The lines of --show-sender-config are run. The
agent runs in a network namespace, where a link goes down.
"""

import contextlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import time

import agents
import ber
import dtls
import netsnmp
import notifications
from certificates import fingerprint, make_certificates
from notifications import LINK_DOWN, SENT_ONCE, TIMEOUT, USERS
from results import Skip

TRAP_ENGINE = notifications.THEIR_ENGINE
# Objects that no module defines: our receiver has definitions, and snmptrapd has no MIB files.
PRIVATE = "1.3.6.1.4.1.32473.1"
VARIABLES = [f"{PRIVATE}.1", "i", "-2", f"{PRIVATE}.2", "s", "a name", f"{PRIVATE}.3", "o", f"{PRIVATE}.9", f"{PRIVATE}.4", "a",
             "192.0.2.1", f"{PRIVATE}.5", "c", "4294967295", f"{PRIVATE}.6", "x", "00ff", f"{PRIVATE}.7", "t", "4200",
             f"{PRIVATE}.8", "u", "4294967295"]
TRAP_V2 = ["4200", f"{PRIVATE}.0.3", *VARIABLES]
TRAP_V1 = [PRIVATE, "192.0.2.1", "6", "17", "4200", *VARIABLES]
NAMESPACE = f"portreeve-trapd-{os.getpid()}"


def run(agent, peer):
    if agent.kind != "portreeved":
        return peer.skip("all checks", "only our receiver is tested")
    if not program().exists() or not agents.portreeve():
        return peer.skip("all checks", "portreeve-trapd is not built")
    with tempfile.TemporaryDirectory(prefix="portreeve-trapd-") as name:
        directory = pathlib.Path(name)
        make_certificates(directory)
        check_same_lines(directory, peer)
        check_sessions(directory, peer)
        check_sender_config(directory, peer)
        check_agent(directory, peer)


def program():
    """The path of our receiver, beside our command."""
    return pathlib.Path(agents.portreeve()).parent / "portreeve-trapd"


# --- the same lines as snmptrapd


def check_same_lines(directory, peer):
    for command in ("snmptrapd", "snmptrap", "snmpinform"):
        if not notifications.find(command):
            return peer.skip("lines of Debian's snmptrapd", f"{command} is not installed")
    with notifications.receiver(directory) as theirs, classic_receiver(theirs) as ours:
        for transport in ("udp", "tcp"):
            peer.check(f"v1 trap over {transport} is printed as by snmptrapd", prints_the_same, theirs, ours, transport,
                       "trap", ["-v", "1", "-c", "public"], TRAP_V1)
            for kind in ("trap", "inform"):
                peer.check(f"v2c {kind} over {transport} is printed as by snmptrapd", prints_the_same, theirs, ours,
                           transport, kind, ["-v", "2c", "-c", "public"], TRAP_V2)
                for level, keys in USERS.items():
                    peer.check(f"v3 {kind} at {level} over {transport} is printed as by snmptrapd", prints_the_same,
                               theirs, ours, transport, kind, ["-v", "3", "-u", f"{kind}{level}", "-l", level, *keys],
                               TRAP_V2)
        peer.check("a community that is not accepted is not printed", unknown_community_is_not_printed, ours)
        for version, operands in (("1", TRAP_V1), ("2c", TRAP_V2)):
            peer.check(f"v{version} trap is forwarded to snmptrapd", forwarded_to_snmptrapd, theirs, version, operands)
        for kind in ("trap", "inform"):
            peer.check(f"{kind} over DTLS is printed as by snmptrapd, with its certSecName", prints_the_same_over_dtls,
                       theirs, ours, kind)


class OurReceiver(notifications.Receiver):
    """Our receiver, whose lines are in a file of its own."""

    def output(self):
        return (self.directory / "ours").read_text()


@contextlib.contextmanager
def classic_receiver(theirs):
    """Runs our receiver as snmptrapd, with its configuration."""
    ours = OurReceiver(theirs.directory, agents.free_port_range())
    (ours.directory / "ours").touch()
    argv = ["-n", "-f", "-On", f"-Lf{ours.directory / 'ours'}", "-c", ours.directory / "snmptrapd.conf", "--state-dir",
            ours.directory / "ours-state", ours.address("udp"), ours.address("tcp"), f"dtlsudp:127.0.0.1:{ours.port + 2}"]
    with running(argv, ours.directory, environment=netsnmp.bare_environment(ours.directory)):
        yield ours


@contextlib.contextmanager
def running(arguments, directory, prefix=(), environment=None):
    """Runs portreeve-trapd until the end of the block."""
    with (directory / "trapd.log").open("w+") as log:
        process = subprocess.Popen([*prefix, *map(str, [program(), *arguments])], env=environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log)
        try:
            deadline = time.monotonic() + TIMEOUT
            while "ready\n" not in (directory / "trapd.log").read_text():
                assert time.monotonic() < deadline and process.poll() is None, (directory / "trapd.log").read_text()
                time.sleep(0.02)
            yield process
        finally:
            agents.stop(process)


def prints_the_same(theirs, ours, transport, kind, credentials, operands):
    engine = ["-e", TRAP_ENGINE] if kind == "trap" and credentials[1] == "3" else []
    lines = [site.send([f"snmp{kind}", *credentials, *engine, *SENT_ONCE, site.address(transport), *operands]) for site in (theirs, ours)]
    # The receivers have different ports; over TCP, snmptrapd prints 0.0.0.0 as its own address.
    lines = [re.sub(r"->\[[0-9.]+\]:\d+", "->[RECEIVER]", line) for line in lines]
    assert lines[0] == lines[1], "\n".join(lines)


def forwarded_to_snmptrapd(theirs, version, operands):
    """snmptrapd prints the same for a trap that it gets from the sender and for one that is forwarded."""
    credentials = ["-v", version, "-c", "public"]
    direct = theirs.send(["snmptrap", *credentials, theirs.address("udp"), *operands])
    port = agents.free_port_range()
    conf = theirs.directory / "forwarding.conf"
    conf.write_text(f"authCommunity log,net public\nforward default {theirs.address('udp')}\n")
    argv = ["-n", "-f", f"-Lf{theirs.directory / 'forwarding.log'}", "-c", conf, "--state-dir",
            theirs.directory / "forwarding-state", f"udp:127.0.0.1:{port}"]
    with running(argv, theirs.directory):
        forwarded = theirs.send(["snmptrap", *credentials, f"udp:127.0.0.1:{port}", *operands])
    assert forwarded == direct, f"{forwarded}\n{direct}"


def prints_the_same_over_dtls(theirs, ours, kind):
    identities = ["-T", "our_identity=good", "-T", "their_identity=agent", "-T", "trust_cert=ca"]
    lines = []
    for site in (theirs, ours):
        argv = [f"snmp{kind}", "-v", "3", *SENT_ONCE, *identities, f"dtlsudp:127.0.0.1:{site.port + 2}", *TRAP_V2]
        # snmptrapd prints the addresses of DTLS in a form of its own.
        lines.append(site.send(argv).partition("|")[2])
    assert lines[0] == lines[1] and "user ops, context" in lines[0], "\n".join(lines)


def unknown_community_is_not_printed(ours):
    before = len(ours.lines())
    ours.run(["snmptrap", "-v", "2c", "-c", "other", ours.address("udp"), "1", "1.3.6.1.6.3.1.1.5.3"])
    ours.send(["snmptrap", "-v", "2c", "-c", "public", ours.address("udp"), "2", "1.3.6.1.6.3.1.1.5.4"])
    assert len(ours.lines()) == before + 1, ours.output()


# --- sessions


class SessionReceiver(notifications.Receiver):
    """Our receiver with SSH, TLS and DTLS."""

    def output(self):
        return (self.directory / "traps.log").read_text()

    def port_of(self, transport):
        return self.port + (transport == "ssh")


def check_sessions(directory, peer):
    if not shutil.which("ssh-keygen"):
        return peer.skip("sessions", "ssh-keygen is not installed")
    site = SessionReceiver(directory, agents.free_port_range())
    (directory / "run").mkdir(mode=0o700, exist_ok=True)
    write_session_configuration(site)
    with running(["--config", directory / "trapd.toml"], directory):
        for transport in ("ssh", "tls", "dtls"):
            for kind in ("trap", "inform"):
                peer.check(f"{kind} of our command arrives over {transport}", arrives, site, transport, kind)
        for kind in ("trap", "inform"):
            peer.check(f"{kind} of Net-SNMP's command arrives over dtls", arrives_from_net_snmp, site, kind)
        peer.check("inform through OpenSSH's command is acknowledged", openssh_inform_is_acknowledged, site)
        peer.check("a certificate of another authority is refused", other_authority_is_refused, site)


def write_session_configuration(site):
    directory = site.directory
    for name in ("host", "sender"):
        if not (directory / name).exists():
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", directory / name], check=True)
    (directory / "authorized").mkdir(mode=0o700, exist_ok=True)
    shutil.copy(directory / "sender.pub", directory / "authorized/ops")
    host_key = " ".join((directory / "host.pub").read_text().split()[:2])
    (directory / "known_hosts").write_text(f"[127.0.0.1]:{site.port_of('ssh')} {host_key}\n")
    ssh_directory = pathlib.Path(netsnmp.bare_environment(directory)["HOME"]) / ".ssh"
    ssh_directory.mkdir(mode=0o700, exist_ok=True)
    shutil.copy(directory / "known_hosts", ssh_directory)
    (directory / "traps.log").write_text("")
    listeners = "".join(f'[[listen]]\ntransport = "{transport}"\naddress = "127.0.0.1:{site.port_of(transport)}"\n'
                        for transport in ("ssh", "tls", "dtls"))
    (directory / "trapd.toml").write_text(f"""
[receive]
state-dir = "trapd-state"
log = "traps.log"
format = "%b|%P|%v\\\\n"
{listeners}
[ssh]
host-keys = ["host"]
authorized-keys = ["authorized/%u"]
[tls]
certificate = "agent.pem"
key = "agent.key"
authorities = ["ca.pem"]
[[tls.name]]
fingerprint = "{fingerprint(directory / "ca.pem")}"
map = "common-name"
[[accept]]
name = "ops"
model = "tsm"
""")


def arrives(site, transport, kind):
    keys = ["--certificate", site.directory / "good.pem", "--key", site.directory / "good.key", "--ca", site.directory / "ca.pem"]
    user = ""
    if transport == "ssh":
        keys = ["--identity", site.directory / "sender"]
        user = "ops@"
    address = f"{transport}://{user}127.0.0.1:{site.port_of(transport)}"
    is_from_ops(site.send(site.own(kind, *keys, address, "4200", *LINK_DOWN)), kind)


def arrives_from_net_snmp(site, kind):
    if not notifications.find(f"snmp{kind}"):
        raise Skip(f"snmp{kind} is not installed")
    dtls.install_certificates(site, site.directory / "net-snmp")
    argv = [f"snmp{kind}", "-v", "3", *SENT_ONCE, "-T", "our_identity=good", "-T", "their_identity=agent", "-T", "trust_cert=ca",
            f"dtlsudp:127.0.0.1:{site.port}", "4200", *LINK_DOWN]
    is_from_ops(site.send(argv), kind)


def openssh_inform_is_acknowledged(site):
    """ssh passes the octets of the inform and those of the response."""
    before = len(site.lines())
    argv = ["ssh", "-F", "none", "-p", site.port_of("ssh"), "-i", site.directory / "sender", "-o", "BatchMode=yes", "-o",
            f"UserKnownHostsFile={site.directory / 'known_hosts'}", "ops@127.0.0.1", "-s", "snmp"]
    done = subprocess.run([str(word) for word in argv], input=ber.v3_tsm_inform("1.3.6.1.6.3.1.1.5.3"), capture_output=True,
                          timeout=60)
    assert ber.is_response(done.stdout) and ber.error_status(done.stdout) == 0, f"{done.stdout}\n{done.stderr.decode()}"
    # The response is sent after the line is on disk.
    [line] = site.lines()[before:]
    is_from_ops(line, "inform")


def is_from_ops(line, kind):
    name = {"trap": "TRAP2", "inform": "INFORM"}[kind]
    assert f"{name}, SNMP v3, user ops, context" in line and "IF-MIB::linkDown" in line, line


def other_authority_is_refused(site):
    before = len(site.lines())
    keys = ["--certificate", site.directory / "other-user.pem", "--key", site.directory / "other-user.key"]
    argv = site.own("inform", *keys, "--ca", site.directory / "ca.pem", f"tls:127.0.0.1:{site.port}", "1", "1.3.6.1.6.3.1.1.5.3")
    done = site.run(argv)
    assert done.returncode == 1 and len(site.lines()) == before, netsnmp.transcript(done)


# --- the lines that the receiver prints for its senders


def check_sender_config(directory, peer):
    if not shutil.which("ssh-keygen"):
        return peer.skip("lines of --show-sender-config", "ssh-keygen is not installed")
    site = SessionReceiver(directory, agents.free_port_range())
    write_session_configuration(site)
    with (directory / "trapd.toml").open("a") as file:
        file.write(f"""
[weak]
allow = ["communities"]
[[listen]]
address = "127.0.0.1:{site.port + 3}"
[[listen]]
transport = "tcp"
address = "127.0.0.1:{site.port + 2}"
[[user]]
name = "traps"
auth-pass = "authentic phrase"
priv-pass = "private phrase"
[[community]]
name = "public"
security-name = "anyone"
[[accept]]
name = "traps"
[[accept]]
name = "anyone"
""")
    (directory / "trapd.toml").chmod(0o600)
    shown = subprocess.run([program(), "--config", directory / "trapd.toml", "--show-sender-config"], check=True,
                           capture_output=True, text=True)
    with running(["--config", directory / "trapd.toml"], directory):
        for block in filter(None, map(str.strip, shown.stdout.split("\n\n"))):
            transport = next(iter(re.findall(r'^to = "(\w+):', block, re.M)), None)
            parts = re.split(r"^# \w+: (.*)\n", block, flags=re.M)
            for title, lines in zip(parts[1::2], parts[2::2]):
                peer.check(f"lines for a sender over {transport} work: {title.partition(',')[0]}", lines_work, site,
                           transport, title, lines)


def lines_work(site, transport, title, lines):
    for placeholder, value in {
        "'AUTH PASS PHRASE'": "'authentic phrase'", "'PRIV PASS PHRASE'": "'private phrase'", "COMMUNITY": "public",
        "--identity FILE": f"--identity {site.directory}/sender", "--certificate FILE": f"--certificate {site.directory}/good.pem",
        "--key FILE": f"--key {site.directory}/good.key", "--ca FILE": f"--ca {site.directory}/ca.pem",
        'ssh-key = "FILE"': 'ssh-key = "sender"', 'known-hosts = "FILE"': 'known-hosts = "known_hosts"',
        'certificate = "FILE"': 'certificate = "good.pem"', 'key = "FILE"': 'key = "good.key"',
        'authorities = ["FILE"]': 'authorities = ["ca.pem"]', " OID": f" {LINK_DOWN[0]}", "our_identity=OWN": "our_identity=good",
        "their_identity=RECEIVER": "their_identity=agent", "trust_cert=AUTHORITY": "trust_cert=ca",
    }.items():
        lines = lines.replace(placeholder, value)
    assert "FILE" not in lines, lines
    before = len(site.lines())
    if title == "command":
        argv = shlex.split(lines)
        is_from_sender(site.send(site.own(argv[1], *argv[2:])), "linkDown")
    elif title.startswith("snmpd.conf of Net-SNMP"):
        with started_snmpd(site, lines):
            is_from_sender(next_line(site, before, "coldStart"), "coldStart")
    else:
        write_notifying_configuration(site, lines)
        with agent_in_namespace(site.directory, []):
            is_from_sender(next_line(site, before, "Start"), "Start")


def is_from_sender(line, notification):
    assert "|INFORM, " in line and notification in line, line


def next_line(site, before, text):
    """Waits for a line that contains a text. snmpd of an earlier check may send its last inform before it."""
    deadline = time.monotonic() + TIMEOUT
    while True:
        lines = site.lines()[before:]
        found = next((line for line in lines if text in line), None)
        if found:
            return found
        assert time.monotonic() < deadline, "\n".join([*lines, (site.directory / "trapd.log").read_text()])
        time.sleep(0.02)


@contextlib.contextmanager
def started_snmpd(site, line):
    """Runs Net-SNMP's agent, which sends coldStart as a line of its configuration says."""
    if not notifications.find("snmpd"):
        raise Skip("snmpd is not installed")
    dtls.install_certificates(site, site.directory / "net-snmp")
    conf = site.directory / "notifying-snmpd.conf"
    conf.write_text(f"agentaddress udp:127.0.0.1:{site.port + 4}\n{line}")
    with (site.directory / "snmpd.log").open("w") as log:
        process = subprocess.Popen([notifications.find("snmpd"), "-f", "-Lo", "-C", "-c", str(conf)], stdin=subprocess.DEVNULL,
                                   env=netsnmp.bare_environment(site.directory), stdout=log, stderr=log)
        try:
            yield
        finally:
            agents.stop(process)


def write_notifying_configuration(site, notify):
    shutil.rmtree(site.directory / "notifying-state", ignore_errors=True)
    path = site.directory / "notifying.toml"
    path.write_text(f"""
[agent]
state-dir = "notifying-state"
[weak]
allow = ["communities"]
[[listen]]
address = "127.0.0.1:{site.port + 4}"
[[user]]
name = "traps"
auth-pass = "authentic phrase"
priv-pass = "private phrase"
access = "read"
view = "all"
{notify}""")
    path.chmod(0o600)


# --- our agent


def check_agent(directory, peer):
    if os.geteuid() != 0 or not shutil.which("ip"):
        return peer.skip("link changes of an agent", "root and the program ip are needed")
    site = SessionReceiver(directory, agents.free_port_range())
    write_session_configuration(site)
    write_agent_configuration(site)
    ip("netns", "add", NAMESPACE)
    try:
        for words in ("link set lo up", "link add left type veth peer name right", "link set left up", "link set right up"):
            ip("-n", NAMESPACE, *words.split())
        prefix = ["ip", "netns", "exec", NAMESPACE]
        with running(["--config", directory / "trapd.toml"], directory, prefix), agent_in_namespace(directory, prefix):
            for transport in ("ssh", "tls", "dtls"):
                peer.check(f"coldStart of the agent arrives over {transport}", is_printed, site, transport, "coldStart", "")
            ip("-n", NAMESPACE, "link", "set", "left", "down")
            for transport in ("ssh", "tls", "dtls"):
                peer.check(f"linkDown of the agent arrives over {transport}", is_printed, site, transport, "linkDown",
                           "ifOperStatus")
            ip("-n", NAMESPACE, "link", "set", "left", "up")
            peer.check("linkUp of the agent arrives over ssh", is_printed, site, "ssh", "linkUp", "ifOperStatus")
    finally:
        ip("netns", "delete", NAMESPACE)


def ip(*words):
    subprocess.run(["ip", *words], check=True, capture_output=True)


def write_agent_configuration(site):
    targets = "".join(f"""
[[notify]]
name = "by-{transport}"
to = "{transport}:{'ops@' if transport == 'ssh' else ''}127.0.0.1:{site.port_of(transport)}"
{keys}
""" for transport, keys in (("ssh", 'ssh-key = "sender"\nknown-hosts = "known_hosts"'),
                            ("tls", 'certificate = "good.pem"\nkey = "good.key"\nauthorities = ["ca.pem"]'),
                            ("dtls", 'certificate = "good.pem"\nkey = "good.key"\nauthorities = ["ca.pem"]')))
    path = site.directory / "notifying.toml"
    path.write_text(f"""
[agent]
state-dir = "notifying-state"
[[listen]]
address = "127.0.0.1:{site.port + 2}"
[[user]]
name = "ops"
auth-pass = "authentic phrase"
priv-pass = "private phrase"
access = "read"
view = "all"
{targets}""")
    path.chmod(0o600)


@contextlib.contextmanager
def agent_in_namespace(directory, prefix):
    argv = [*prefix, str(agents.portreeved()), "run", "--config", str(directory / "notifying.toml")]
    with (directory / "notifying.log").open("w") as log:
        process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            assert process.stdout.readline().strip() == "ready", (directory / "notifying.log").read_text()
            yield
        finally:
            agents.stop(process)


def is_printed(site, transport, notification, words):
    """The receiver prints one line for the notification of this transport."""
    name = {"ssh": "SSH", "tls": "TLSTCP", "dtls": "DTLSUDP"}[transport]
    deadline = time.monotonic() + TIMEOUT
    while True:
        lines = [line for line in site.lines() if line.startswith(f"{name}: ") and notification in line]
        if lines or time.monotonic() > deadline:
            break
        time.sleep(0.02)
    assert len(lines) == 1 and words in lines[0], f"{lines}\n{(site.directory / 'notifying.log').read_text()}"
