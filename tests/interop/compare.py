"""Runs every line of pairs.txt with Net-SNMP's command and with ours, and compares byte for byte.

The agent simulates recordings/frozen.snmprec, so that values are constant; SETs go to the demo
agent. Standard output, standard error and the exit code are compared. `normalize` removes parts
that may differ.
"""

import concurrent.futures
import contextlib
import difflib
import pathlib
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass

import agents
import netsnmp
import node
import pairs_file
import smi

HERE = pathlib.Path(__file__).resolve().parent
MAX_WORKERS = 2
TIMEOUT = 60
USERS = ["reader", "clerk SHA-256 clerk-auth-secret", "chief SHA-256 chief-auth-secret AES chief-priv-secret"]


def run(agent, peer):
    files, missing = prepare(agent)
    if missing:
        return peer.skip("all pairs", missing)
    pairs = pairs_file.read(HERE / "pairs.txt")
    with frozen_agent(agent.directory) as address:
        addresses = {"frozen": address, "demo": f"udp:{agent.udp}", "silent": files.silent, "none": None}
        runner = Runner(files, addresses, {"$RW": agent.write_community})
        runnable = [pair for pair in pairs if runner.can_run(pair)]
        with concurrent.futures.ThreadPoolExecutor(MAX_WORKERS) as pool:
            verdicts = list(pool.map(runner.compare, runnable))
    for pair in pairs:
        if pair not in runnable:
            peer.skip(f"line {pair.line}", f"the {pair.mibs} definitions are not installed")
    for pair, difference in zip(runnable, verdicts):
        if difference:
            peer.check(f"pairs.txt:{pair.line} {pair.program} {shlex.join(pair.flags)}", fail, difference)
    intended = [pair for pair in runnable if pair.intended_difference]
    differ = sum(map(bool, verdicts))
    peer.check(f"{len(runnable)} compared, {differ} differ, {len(intended)} must differ", assert_all_agree, differ, len(runnable))
    for reason in dict.fromkeys(pair.intended_difference for pair in intended):
        lines = ", ".join(str(pair.line) for pair in intended if pair.intended_difference == reason)
        print(f"      line {lines}: {reason}", flush=True)


@dataclass
class Files:
    """Paths of definitions and state, and an address without an agent."""

    directory: pathlib.Path
    npm: pathlib.Path
    silent: str


class Runner:
    """Runs both commands with the same arguments and environment."""

    def __init__(self, files, addresses, communities):
        self.files = files
        self.addresses = addresses
        self.communities = communities
        self.net_snmp = {program: shutil.which(program) for program in PROGRAMS}

    def can_run(self, pair):
        return pair.mibs != "npm" or self.files.npm is not None

    def compare(self, pair):
        """Describes an unexpected or a missing difference. Empty if there is none."""
        theirs = self.outcome(pair, self.net_snmp[pair.program], self.definitions(pair, ours=False))
        ours = self.outcome(pair, agents.portreeve(), self.definitions(pair, ours=True))
        if pair.intended_difference:
            return "" if theirs != ours else f"no longer differs: remove `! {pair.intended_difference}`\n" + self.describe(pair)
        return "" if theirs == ours else difference(theirs, ours) + self.describe(pair)

    def outcome(self, pair, program, definitions):
        environment = {**netsnmp.bare_environment(self.files.directory), **definitions}
        done = subprocess.run(self.command(pair), executable=program, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=TIMEOUT)
        return [normalize(done.stdout), normalize(done.stderr), done.returncode]

    def definitions(self, pair, ours):
        """The same definitions for both: Net-SNMP reads those that are built into our command."""
        mibs = self.files.directory / "mibs"
        if pair.mibs == "none":
            return {"MIBS": "", "MIBDIRS": "/nonexistent"}
        if pair.mibs == "npm":
            return {"MIBS": "SNMPv2-MIB:IF-MIB", "MIBDIRS": str(self.files.npm)}
        modules = ["FROZEN-MIB"] if ours else [*EXPORTED, "FROZEN-MIB"]
        return {"MIBS": ":".join(modules), "MIBDIRS": str(mibs)}

    def describe(self, pair):
        """The line and the command, to repeat it while the agent runs."""
        return f"line {pair.line}: {shlex.join(self.command(pair))}"

    def command(self, pair):
        words = pair.arguments(self.addresses[pair.agent])
        return [pair.program, *(self.communities.get(word, word) for word in words)]


def normalize(output):
    """Removes the parts of the output that may differ.

    - `USAGE:` and all text after it: the help for options is our own.
    - Lines that begin with `hint:`, which Net-SNMP does not have.
    - `MIB search path:`, the directories in which Net-SNMP looked for a module; ours are built in.
    - The text in brackets after a session error, if it is left over from an earlier step: a name
      that was found only at a later attempt, or the errno of a file that was not found.
    - The random source port in the output of snmpstatus.
    """
    output = re.sub(rb"^MIB search path: .*\n", b"", output, flags=re.M)
    output = re.sub(rb"->\[0\.0\.0\.0\]:\d+(?=\]=>)", b"", output)
    output = re.sub(rb"^(snmp\w+: .*) \((Sub-id not found: .*|No such file or directory)\)$", rb"\1", output, flags=re.M)
    usage = re.search(rb"^(USAGE|Usage):.*", output, re.M | re.S)
    if usage:
        output = output[:usage.start()] + b"USAGE:\n"
    return re.sub(rb"^hint: .*\n", b"", output, flags=re.M)


def difference(theirs, ours):
    lines = []
    for name, a, b in zip(("stdout", "stderr"), theirs, ours):
        a, b = (text.decode("utf-8", "backslashreplace").splitlines() for text in (a, b))
        lines += difflib.unified_diff(a, b, f"Net-SNMP's {name}", f"our {name}", lineterm="", n=1)
    if theirs[:2] != ours[:2] and not lines:
        lines.append(f"line endings differ: {theirs[:2]} and {ours[:2]}")
    if theirs[2] != ours[2]:
        lines.append(f"Net-SNMP's exit code is {theirs[2]}, ours {ours[2]}")
    return "\n".join(lines[:MAX_LINES]) + "\n"


def prepare(agent):
    """Writes the definitions. Returns the files, or None and what is missing."""
    if not agents.portreeve():
        return None, "portreeve is not built"
    if not shutil.which("snmptranslate"):
        return None, "Net-SNMP's commands are not installed (Debian: snmp)"
    directory = agent.directory / "compare"
    mibs = directory / "mibs"
    mibs.mkdir(parents=True)
    for module in [*smi.BASE.iterdir(), HERE / "recordings/FROZEN-MIB"]:
        shutil.copy(module, mibs / module.name)
    for module in EXPORTED:
        smi.export(mibs, module)
    home, _ = node.installed()
    npm = home / "node_modules/net-snmp/lib/mibs" if home else None
    # The first command reports the directories that it creates.
    environment = {**netsnmp.bare_environment(directory), "MIBS": "ALL", "MIBDIRS": str(mibs)}
    subprocess.run(["snmptranslate", ".1"], env=environment, stdin=subprocess.DEVNULL, capture_output=True)
    return Files(directory, npm, f"udp:127.0.0.1:{agents.free_port_range()}"), None


@contextlib.contextmanager
def frozen_agent(directory):
    """Runs the simulator and yields its address."""
    binary = agents.PROGRAMS / "portreeve-simulate"
    address = f"127.0.0.1:{agents.free_port_range()}"
    users = directory / "compare/users.txt"
    users.write_text("\n".join(USERS) + "\n")
    argv = [binary, "--listen", f"udp:{address}", "--listen", f"tcp:{address}", "--users", users,
            HERE / "recordings/frozen.snmprec"]
    process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    try:
        assert any(line.strip() == "ready" for line in process.stdout), "portreeve-simulate did not become ready"
        yield f"udp:{address}"
    finally:
        agents.stop(process)


def fail(difference):
    raise AssertionError(difference)


def assert_all_agree(differ, compared):
    assert not differ and compared, f"{differ} of {compared} differ"


PROGRAMS = [f"snmp{verb}" for verb in ("get", "getnext", "bulkget", "walk", "bulkwalk", "set", "table", "translate",
                                       "status", "usm", "vacm")]
# The modules that define the objects in the recording.
EXPORTED = [*smi.MODULES, "IP-MIB"]
MAX_LINES = 40
