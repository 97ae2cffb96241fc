"""Our commands against five agents: snmpd, pysnmp, node's net-snmp, SNMP4J and our own.

The same checks run against each.
"""

import re
import subprocess

import agents
import third_party_agents
from netsnmp import bare_environment, transcript
from results import Skip

SYSTEM = ".1.3.6.1.2.1.1"
SYS_DESCR = f"{SYSTEM}.1.0"
SYS_UP_TIME = f"{SYSTEM}.3.0"
SYS_CONTACT = f"{SYSTEM}.4.0"
MISSING = f"{SYSTEM}.999.0"
IF_TABLE = ".1.3.6.1.2.1.2.2"
IF_DESCR = f"{IF_TABLE}.1.2"


def run(agent, peer):
    if not agents.portreeve():
        return peer.skip("all checks", "portreeve is not built")
    peers = {"snmpd": third_party_agents.snmpd, "snmpd-unix": third_party_agents.snmpd_over_unix_socket,
             "pysnmp": third_party_agents.pysnmp, "node": third_party_agents.node_net_snmp, "snmp4j": third_party_agents.snmp4j}
    with third_party_agents.under_test(agent) as target:
        check_all(agent, peer, target)
    for name, start in peers.items():
        try:
            with start(agent.directory / f"peer-{name}") as target:
                check_all(agent, peer, target)
        except Skip as missing:
            peer.skip(f"{name}: all checks", missing)
        except AssertionError as reason:
            peer.check(f"{name}: the agent program starts", fail, reason)


def check_all(agent, peer, target):
    for level in target.levels:
        shell = Shell(agent, target, level)
        for title, action in CHECKS.items():
            title = f"{level.title} {title}"
            if title in target.unsupported:
                peer.skip(f"{target.name} {title}", target.unsupported[title])
            else:
                peer.check(f"{target.name} {title}", action, shell)


class Shell:
    """Runs our command against one target at one level."""

    def __init__(self, agent, target, level):
        self.directory = agent.directory
        self.target = target
        self.level = level
        self.is_v1 = level.title == "v1"

    def run(self, verb, *names, flags=None, options=("-On",), timeouts=("-t", "20", "-r", "0")):
        argv = [str(agents.portreeve()), verb, *options, *timeouts, *(flags or self.level.read), self.target.address, *names]
        return subprocess.run(argv, env=bare_environment(self.directory), stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, errors="replace", timeout=60)

    def output(self, verb, *names, **settings):
        done = self.run(verb, *names, **settings)
        assert done.returncode == 0 and not done.stderr, transcript(done)
        return done.stdout

    def needs_bulk(self):
        if self.is_v1:
            raise Skip("SNMPv1 has no GetBulk")

    def writer(self):
        if self.level.write is None:
            raise Skip("no user may write at this level")
        return self.level.write


def get(shell):
    lines = shell.output("get", SYS_UP_TIME, SYS_DESCR).splitlines()
    assert re.match(rf"{re.escape(SYS_UP_TIME)} = Timeticks: \(\d+\) ", lines[0]), lines
    assert lines[1].startswith(f"{SYS_DESCR} = STRING: "), lines


def get_missing(shell):
    done = shell.run("get", MISSING)
    if shell.is_v1:
        assert done.returncode == 2 and "noSuchName" in done.stderr, transcript(done)
    else:
        assert done.returncode == 0 and re.match(rf"{re.escape(MISSING)} = No Such (Object|Instance)", done.stdout), transcript(done)


def get_next(shell):
    printed = shell.output("getnext", SYSTEM, SYS_DESCR)
    assert [name(line) for line in printed.splitlines()] == [SYS_DESCR, f"{SYSTEM}.2.0"], printed


def bulk_get(shell):
    shell.needs_bulk()
    lines = shell.output("bulkget", SYSTEM, IF_DESCR, options=["-On", "-Cn1", "-Cr2"]).splitlines()
    assert name(lines[0]) == SYS_DESCR and 2 <= len(lines) <= 3, lines
    assert all(line.startswith(f"{IF_DESCR}.") for line in lines[1:2]), lines


def walk(shell):
    names = [name(line) for line in shell.output("walk", SYSTEM).splitlines() if line.startswith(".")]
    assert names[:3] == [SYS_DESCR, f"{SYSTEM}.2.0", SYS_UP_TIME], names
    order = [tuple(map(int, one.strip(".").split("."))) for one in names]
    assert order == sorted(set(order)) and len(order) >= 6, names


def walks_agree(shell):
    one_by_one = shell.output("walk", IF_TABLE, options=["-On", "--one-by-one"]).splitlines()
    fast = shell.output("walk", IF_TABLE).splitlines()
    assert one_by_one and [name(line) for line in one_by_one] == [name(line) for line in fast], (one_by_one, fast)
    if not shell.is_v1:
        bulk = shell.output("bulkwalk", IF_TABLE, options=["-On", "-Cr5"]).splitlines()
        assert [name(line) for line in bulk] == [name(line) for line in one_by_one], bulk


def set_and_read(shell):
    flags, value = shell.writer(), f"by {shell.level.title}"
    printed = shell.output("set", SYS_CONTACT, "s", value, flags=flags)
    assert printed == f'{SYS_CONTACT} = STRING: {value}\n', printed
    assert shell.output("get", SYS_CONTACT, flags=flags, options=["-Oqv"]).strip().strip('"') == value


def set_is_rejected(shell):
    done = shell.run("set", SYS_UP_TIME, "t", "5", flags=shell.writer())
    assert done.returncode == 2 and "Reason: " in done.stderr, transcript(done)


def table(shell):
    lines = shell.output("table", IF_TABLE, options=["-Os", "-Cf", "|"]).splitlines()
    assert lines[0] == "SNMP table: ifTable", lines
    header = lines[2].split("|")
    assert header[:2] == ["ifIndex", "ifDescr"] and len(lines) >= 4, lines
    assert [line.split("|")[0] for line in lines[3:]] == sorted({line.split("|")[0] for line in lines[3:]}, key=int), lines


def status(shell):
    done = shell.run("status", options=["-Os"])
    assert done.returncode == 0 and re.match(r"\[.*\]=>\[.*\] Up: ", done.stdout), transcript(done)


def storage(shell):
    needs_host_data(shell)
    lines = shell.output("df", options=()).splitlines()
    assert lines[0].split()[:3] == ["Description", "Size", "(kB)"], lines
    assert any(re.match(r"/ +\d+ +\d+ +\d+ +\d+%$", line) for line in lines), lines


def network(shell):
    needs_host_data(shell)
    connections = shell.output("netstat", options=("-Can",)).splitlines()
    assert any(re.match(rf"(udp|tcp)4 +127\.0\.0\.1\.{shell.target.port} ", line) for line in connections), connections
    interfaces = shell.output("netstat", options=("-Cin",)).splitlines()
    assert interfaces[0].split()[:4] == ["Name", "Mtu", "Network", "Address"], interfaces
    assert any(re.match(r"lo +\d+ 127/8 +127\.0\.0\.1 ", line) for line in interfaces), interfaces
    counters = shell.output("netstat", options=("-Cs",)).splitlines()
    assert {"tcp:", "udp:", "ip:", "icmp:"} <= set(counters), counters
    assert any(re.match(r" +[1-9]\d* total datagrams received$", line) for line in counters), counters
    for line in shell.output("netstat", options=("-Crn",)).splitlines():
        assert re.match(r"IPv[46] Routing|Destination |\S+ +\S+ +<U[HDG]*> +\S+$|$", line), line


def needs_host_data(shell):
    if shell.target.name in ("pysnmp", "node", "snmp4j"):
        raise Skip("its agent has no host data")


def wrong_credentials(shell):
    done = shell.run("get", SYS_UP_TIME, flags=shell.level.wrong, timeouts=("-t", "0.3", "-r", "0"))
    assert done.returncode == 1 and not done.stdout, transcript(done)
    expected = "Timeout" if "-c" in shell.level.wrong else "Unknown user name|Authentication failure|Timeout"
    assert re.search(expected, done.stderr), transcript(done)


def name(line):
    return line.split(" = ")[0]


def fail(reason):
    raise AssertionError(reason)


CHECKS = {
    "get reads two objects": get,
    "get reports a missing object": get_missing,
    "getnext reads the next objects": get_next,
    "bulkget reads repeated objects": bulk_get,
    "walk reads the system group in order": walk,
    "sequential, pipelined and bulk walks read the same objects": walks_agree,
    "set changes sysContact": set_and_read,
    "set of read-only sysUpTime is rejected": set_is_rejected,
    "table prints the rows of ifTable": table,
    "status prints name and uptime": status,
    "df prints the root file system": storage,
    "netstat prints sockets, interfaces, counters and routes": network,
    "get with wrong credentials prints no value": wrong_credentials,
}
