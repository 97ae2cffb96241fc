"""Traps and informs of our command and our agent, received by Debian's snmptrapd.

Each notification of the command is sent twice, also by Net-SNMP's with the same operands, and
snmptrapd must print the same line for both. The engines of SNMPv3 traps differ, because two senders
with one engine ID would have two clocks. The agent sends coldStart to each of its targets.
"""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

import agents
import dtls
import netsnmp
import notifying_agent
from certificates import make_certificates

TIMEOUT = 60
OUR_ENGINE, THEIR_ENGINE = "8000000005a1a2a3a4a5a6a7a8", "8000000005b1b2b3b4b5b6b7b8"
AUTH = ["-a", "SHA-256", "-A", "authentic phrase"]
PRIVACY = ["-x", "AES", "-X", "private phrase"]
USERS = {"noAuthNoPriv": [], "authNoPriv": AUTH, "authPriv": [*AUTH, *PRIVACY]}
# By default, an inform is sent again after a second, which a slow disk can take to store it.
SENT_ONCE = ["-t", "20", "-r", "0"]
LINK_DOWN = ["1.3.6.1.6.3.1.1.5.3", "1.3.6.1.2.1.2.2.1.1.2", "i", "2", "1.3.6.1.2.1.1.5.0", "s", "a name",
             "1.3.6.1.2.1.1.2.0", "o", "1.3.6.1.4.1.8072", "1.3.6.1.2.1.4.20.1.1.1", "a", "192.0.2.1",
             "1.3.6.1.2.1.31.1.1.1.6.1", "C", "18446744073709551615", "1.3.6.1.2.1.1.4.0", "x", "00ff"]
TRAP_V1 = ["1.3.6.1.4.1.8072.3.2", "192.0.2.1", "6", "17", "4200", "1.3.6.1.2.1.1.5.0", "s", "a name"]


def run(agent, peer):
    if agent.kind != "portreeved":
        return peer.skip("all checks", "only our command is tested")
    for program in ("snmptrapd", "snmptrap", "snmpinform"):
        if not find(program):
            return peer.skip("all checks", f"{program} is not installed")
    if not agents.portreeve():
        return peer.skip("all checks", "portreeve is not built")
    with tempfile.TemporaryDirectory(prefix="portreeve-notifications-") as name:
        directory = pathlib.Path(name)
        make_certificates(directory)
        with receiver(directory) as site:
            for transport in ("udp", "tcp"):
                check_transport(site, peer, transport)
            check_dtls(site, peer)
            check_agent(site, peer)
            peer.check("snmptrapd does not accept a trap with a wrong pass phrase", wrong_pass_phrase_is_refused, site)
            peer.check("snmptrapd refuses a trap with an old clock", old_clock_is_refused, site)


def check_transport(site, peer, transport):
    peer.check(f"v1 trap over {transport} is printed as Net-SNMP's", prints_the_same, site, transport, "trap",
               ["-v", "1", "-c", "public"], TRAP_V1)
    for kind in ("trap", "inform"):
        peer.check(f"v2c {kind} over {transport} is printed as Net-SNMP's", prints_the_same, site, transport, kind,
                   ["-v", "2c", "-c", "public"], ["4200", *LINK_DOWN])
        for level, keys in USERS.items():
            peer.check(f"v3 {kind} at {level} over {transport} is printed as Net-SNMP's", prints_the_same, site, transport,
                       kind, ["-v", "3", "-u", f"{kind}{level}", "-l", level, *keys], ["4200", *LINK_DOWN])


def check_dtls(site, peer):
    for kind in ("trap", "inform"):
        peer.check(f"{kind} over DTLS arrives as the user of the certificate", arrives_over_dtls, site, kind)


class Receiver:
    """A running snmptrapd, and the senders."""

    def __init__(self, directory, port):
        self.directory, self.port = directory, port

    def lines(self):
        """The lines about notifications; the others report errors."""
        return [line for line in self.output().splitlines() if "|" in line]

    def output(self):
        return (self.directory / "notifications").read_text()

    def address(self, transport):
        return f"{transport}:127.0.0.1:{self.port + (transport != 'udp')}"

    def send(self, argv):
        """Sends a notification and returns the line that snmptrapd prints, without addresses of the sender."""
        before = len(self.lines())
        done = self.run(argv)
        assert done.returncode == 0 and not done.stdout + done.stderr, netsnmp.transcript(done)
        deadline = time.monotonic() + TIMEOUT
        while len(self.lines()) == before and time.monotonic() < deadline:
            time.sleep(0.02)
        new = self.lines()[before:]
        assert len(new) == 1, f"snmptrapd has printed {new}\n{netsnmp.transcript(done)}"
        return re.sub(r"\[127\.0\.0\.1\]:\d+->", "[SENDER]->", new[0])

    def run(self, argv):
        environment = {**netsnmp.bare_environment(self.directory), "XDG_RUNTIME_DIR": str(self.directory / "run")}
        return subprocess.run([str(word) for word in argv], env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=60)

    def own(self, kind, *arguments):
        return [agents.portreeve(), kind, *arguments]


@contextlib.contextmanager
def receiver(directory):
    """Runs snmptrapd with UDP, TCP and DTLS."""
    site = Receiver(directory, agents.free_port_range())
    (directory / "run").mkdir(mode=0o700)
    dtls.install_certificates(site, directory / "net-snmp")
    engines = [("trap", f"-e 0x{engine} ") for engine in (OUR_ENGINE, THEIR_ENGINE, notifying_agent.ENGINE)]
    users = [f"createUser {engine}{kind}{level} {keys}" for kind, engine in [*engines, ("inform", "")]
             for level, keys in (("noAuthNoPriv", ""), ("authNoPriv", 'SHA-256 "authentic phrase"'),
                                 ("authPriv", 'SHA-256 "authentic phrase" AES "private phrase"'))]
    rules = [f"authUser log {kind}{level} {word}" for kind in ("trap", "inform")
             for level, word in (("noAuthNoPriv", "noauth"), ("authNoPriv", "auth"), ("authPriv", "priv"))]
    (directory / "snmptrapd.conf").write_text("\n".join([
        *users, *rules, "authCommunity log public", "authUser log -s tsm ops priv",
        "[snmp] localCert agent", "[snmp] trustCert ca", "[snmptrapd] certSecName 10 good --sn ops",
        # %b: the addresses; %P: the security; %N %w %q %a %T: the fields of v1; %v: the variables.
        *(rf"format{number} %b|%P|%N|%w|%q|%a|%T|%v\n" for number in (1, 2)), ""]))
    argv = [find("snmptrapd"), "-n", "-f", "-On", "-Lf", directory / "notifications", "-C", "-c", directory / "snmptrapd.conf",
            site.address("udp"), site.address("tcp"), f"dtlsudp:127.0.0.1:{site.port + 2}"]
    with (directory / "snmptrapd.log").open("w") as log:
        process = subprocess.Popen([str(word) for word in argv], env=netsnmp.bare_environment(directory),
                                   stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            deadline = time.monotonic() + TIMEOUT
            while not (directory / "notifications").exists() or "NET-SNMP version" not in site.output():
                assert time.monotonic() < deadline and process.poll() is None, (directory / "snmptrapd.log").read_text()
                time.sleep(0.02)
            yield site
        finally:
            agents.stop(process)


def prints_the_same(site, transport, kind, credentials, operands):
    engines = [(), ()]
    if kind == "trap" and credentials[1] == "3":
        engines = [("-e", OUR_ENGINE), ("-e", THEIR_ENGINE)]
    address = site.address(transport)
    theirs = site.send([f"snmp{kind}", *credentials, *engines[1], *SENT_ONCE, address, *operands])
    ours = site.send(site.own(kind, *credentials, *engines[0], *SENT_ONCE, address, *operands))
    assert ours == theirs, f"{ours}\n{theirs}"


def arrives_over_dtls(site, kind):
    port, keys = site.port + 2, ["--certificate", site.directory / "good.pem", "--key", site.directory / "good.key"]
    line = site.send(site.own(kind, *keys, "--ca", site.directory / "ca.pem", f"dtls:127.0.0.1:{port}", "4200", *LINK_DOWN))
    name = {"trap": "TRAP2", "inform": "INFORM"}[kind]
    assert f"{name}, SNMP v3, user ops, context" in line and "1.3.6.1.6.3.1.1.5.3" in line, line


def check_agent(site, peer):
    transports = [site.address(name).partition(":")[2] for name in ("udp", "tcp")]
    datagrams_and_streams = notifying_agent.over_datagrams_and_streams(*transports)
    sessions = notifying_agent.over_sessions({"dtls": f"127.0.0.1:{site.port + 2}"})
    # snmptrapd does not complete two DTLS handshakes that overlap.
    for targets in (datagrams_and_streams, *([session] for session in sessions)):
        known = len(site.lines())
        with notifying_agent.running(site.directory, targets) as log:
            deadline = time.monotonic() + TIMEOUT
            while len(site.lines()) < known + len(targets) and time.monotonic() < deadline:
                time.sleep(0.02)
        new = site.lines()[known:]
        for target in targets:
            peer.check(f"coldStart of our agent arrives as a {target.title}", is_printed_once, target, new, log)


def is_printed_once(target, lines, log):
    """A line has the addresses, the security, the fields of v1 and the variables."""
    kind = "INFORM" if target.kind == "inform" else "TRAP" if target.version == "v1" else "TRAP2"
    principal = f"user {target.principal}, context " if target.version == "v3" else f"community {target.principal}"
    security = f"{kind}, SNMP {target.version}, {principal}"
    transport = {"udp": "UDP: ", "tcp": "TCP: ", "dtls": "DTLSUDP: "}[target.transport]
    found = [line.split("|") for line in lines if line.startswith(transport) and line.split("|")[1] == security]
    assert len(found) == 1, f"{security}\n{lines}\n{log.read_text()}"
    if target.version == "v1":
        assert found[0][2:6] == [".1.3.6.1.6.3.1.1.5", "0", "0", "127.0.0.1"], found
    else:
        assert found[0][-1].endswith(f" = OID: .{notifying_agent.COLD_START}"), found


def wrong_pass_phrase_is_refused(site):
    credentials = ["-v", "3", "-u", "trapauthNoPriv", "-l", "authNoPriv", "-a", "SHA-256", "-A", "another phrase"]
    is_not_printed(site, [*credentials, "-e", OUR_ENGINE])


def old_clock_is_refused(site):
    credentials = ["-v", "3", "-u", "trapauthNoPriv", "-l", "authNoPriv", *AUTH]
    is_not_printed(site, [*credentials, "-e", OUR_ENGINE, "-Z", "0,1"])


def is_not_printed(site, options):
    """The trap is not printed, but a later one is."""
    before = len(site.lines())
    done = site.run(site.own("trap", *options, site.address("udp"), "1", "1.3.6.1.6.3.1.1.5.3"))
    assert done.returncode == 0, netsnmp.transcript(done)
    site.run(site.own("trap", "-v", "2c", "-c", "public", site.address("udp"), "2", "1.3.6.1.6.3.1.1.5.4"))
    deadline = time.monotonic() + TIMEOUT
    while len(site.lines()) == before and time.monotonic() < deadline:
        time.sleep(0.02)
    new = site.lines()[before:]
    assert len(new) == 1 and "1.3.6.1.6.3.1.1.5.4" in new[0], new


def find(program):
    return shutil.which(program, path=os.pathsep.join([os.environ["PATH"], "/usr/sbin", "/usr/local/sbin"]))
