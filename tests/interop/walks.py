"""Walks of a live snmpd with Net-SNMP's command and with ours, compared line by line.

Both commands read the same definitions: the SMIv2 text that we export. Only counters and times may
differ. Net-SNMP walks before and after our command, so that rows and values that change during the
test are not taken for errors.
"""

import re
import shutil
import subprocess

import agents
import netsnmp
import smi
import third_party_agents

# One walk for each form of names and values that scripts use.
FORMATS = ["-OS", "-OX", "-OE", "-OQUs", "-Ofe", "-Obn"]
TRIES = 3
TIMEOUT = 120
MIN_VARIABLES = 500
# The state of each of snmpd's caches (nsCacheTable) depends on the time of the last request for it.
CACHE_STATES = re.compile(r"(enterprises|\.4\.1)\.8072\.1\.5\.3\.")
# snmpd listens on this address, so these rows always exist.
ADDRESSES = [r'TCP-MIB::tcpListenerProcess\.ipv4\."127\.0\.0\.1"\.', r'UDP-MIB::udpEndpointProcess\.ipv4\."127\.0\.0\.1"\.']


def run(agent, peer):
    if not agents.portreeve():
        return peer.skip("all walks", "portreeve is not built")
    missing = [program for program in ("snmpd", "snmpbulkwalk") if not shutil.which(program)]
    if missing:
        return peer.skip("all walks", f"{' and '.join(missing)} not installed (Debian: snmp, snmpd)")
    directory = agent.directory / "walks"
    directory.mkdir()
    mibs = directory / "mibs"
    mibs.mkdir()
    for module in smi.BASE.iterdir():
        shutil.copy(module, mibs / module.name)
    for module in exportable():
        smi.export(mibs, module)
    with third_party_agents.snmpd(directory / "snmpd") as target:
        walker = Walker(directory, mibs, target.address)
        for letters in FORMATS:
            peer.check(f"a walk of snmpd with {letters} prints what Net-SNMP prints", walks_agree, walker, letters)
        peer.check("addresses in an index are printed as text", prints_addresses, walker)
        peer.check("printed names with addresses are accepted", accepts_printed_addresses, walker)


def exportable():
    """The names of all modules that our command defines."""
    done = subprocess.run([agents.portreeve(), "translate", "--export-smi"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=True, timeout=60)
    return done.stdout.split()


class Walker:
    """Runs both commands against snmpd with the same definitions."""

    def __init__(self, directory, mibs, address):
        self.directory = directory
        self.mibs = mibs
        self.target = ["-v2c", "-c", "public", "-t", "5", address]

    def theirs(self, verb, *arguments):
        return self.run([shutil.which(f"snmp{verb}")], arguments)

    def ours(self, verb, *arguments):
        # The command line of a process may contain control characters.
        raw = ["--raw"] if verb != "translate" else []
        return self.run([str(agents.portreeve()), verb, *raw], arguments)

    def run(self, program, arguments):
        argv = [*program, "-M", str(self.mibs), "-m", "ALL", *arguments]
        done = subprocess.run(argv, env=netsnmp.bare_environment(self.directory), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="surrogateescape", timeout=TIMEOUT)
        errors = [line for line in done.stderr.splitlines() if not line.startswith("Created directory:")]
        assert done.returncode == 0 and not errors, netsnmp.transcript(done)
        return done.stdout

    def walk(self, runner, letters):
        """The variables by name, in order."""
        return variables(runner("bulkwalk", letters, *self.target, ".1"))


def variables(output):
    """Splits the output of a walk into names and values. A value may consist of several lines."""
    found = {}
    name = None
    for line in output.split("\n"):
        start = re.match(r"((?:\.?[\w-]+(?:::|\.)|\.\d)\S*(?: \S+)*?) = ?(.*)", line)
        # The command line of a process may contain lines that look like variables.
        if start and start.group(1) not in found:
            name = start.group(1)
            found[name] = start.group(2)
        elif name:
            found[name] += "\n" + line
    return found


def walks_agree(walker, letters):
    differences = None
    for _ in range(TRIES):
        before = walker.walk(walker.theirs, letters)
        ours = walker.walk(walker.ours, letters)
        after = walker.walk(walker.theirs, letters)
        found = compare(before, ours, after)
        # A value that changes twice can be the same before and after; it is different next time.
        differences = found if differences is None else {name: text for name, text in found.items() if name in differences}
        if not differences:
            return
    lines = list(differences.values())
    raise AssertionError(f"{len(lines)} of {len(ours)} variables differ:\n" + "\n".join(lines[:20]))


def compare(before, ours, after):
    """The variables that differ although they did not change between Net-SNMP's walks."""
    stable = [name for name in before if name in after]
    assert len(stable) >= MIN_VARIABLES, f"only {len(stable)} variables"
    order = [name for name in ours if name in before and name in after]
    differences = {}
    if order != [name for name in stable if name in ours]:
        differences["order"] = "the order of the variables differs"
    for name in stable:
        if name not in ours:
            differences[name] = f"missing: {name} = {before[name]}"
        elif ours[name] not in (before[name], after[name]) and not may_change(name, before, ours, after):
            differences[name] = f"{name} = {before[name]}\n  ours: {ours[name]}"
    return differences


def may_change(name, before, ours, after):
    """Returns true for counters and times, and for values that changed between Net-SNMP's walks."""
    if CACHE_STATES.search(name):
        return True
    forms = [re.sub(r"\d+( days?,)?", "#", values[name]) for values in (before, ours, after)]
    if forms[0] != forms[2]:
        return True
    is_number = re.match(r"(Counter32|Counter64|Gauge32|Timeticks): ", before[name]) or before[name] != after[name]
    return bool(is_number) and forms[0] == forms[1]


def prints_addresses(walker):
    output = walker.ours("bulkwalk", *walker.target, ".1.3.6.1.2.1")
    for pattern in ADDRESSES:
        assert re.search(pattern, output), f"no line matches {pattern}"


def accepts_printed_addresses(walker):
    lines = walker.ours("bulkwalk", "-OQ", *walker.target, "tcpListenerProcess").splitlines()
    names = [line.split(" = ")[0] for line in lines]
    assert names, "snmpd has no tcpListenerTable"
    numeric = walker.ours("translate", "-On", *names).split()
    assert len(set(numeric)) == len(names), numeric
    # Net-SNMP prints the numeric names as they were typed.
    assert walker.theirs("translate", *numeric).split() == names, numeric
