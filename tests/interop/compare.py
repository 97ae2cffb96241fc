"""Byte for byte: every line of pairs.txt carried out by Net-SNMP's command and by ours, against the same agent.

The agent plays recordings/frozen.snmprec, so that nothing changes between two answers; what is written goes to the
demo agent.  Standard output, standard error and the exit code are compared.  What may differ is decided in `normal`.
"""

import concurrent.futures
import contextlib
import difflib
import os
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
AT_ONCE = 2
SECONDS = 20
USERS = ["reader", "clerk SHA-256 clerk-auth-secret", "chief SHA-256 chief-auth-secret AES chief-priv-secret"]


def run(agent, peer):
    places, missing = prepare(agent)
    if missing:
        return peer.skip("all pairs", missing)
    pairs = pairs_file.read(HERE / "pairs.txt")
    with frozen_agent(agent.directory) as address:
        addresses = {"frozen": address, "demo": f"udp:{agent.udp}", "silent": places.silent, "none": None}
        bench = Bench(places, addresses, {"$RW": agent.write_community})
        runnable = [pair for pair in pairs if bench.can(pair)]
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            verdicts = list(pool.map(bench.compare, runnable))
    for pair in pairs:
        if pair not in runnable:
            peer.skip(f"line {pair.line}", f"the definitions called {pair.mibs} are not installed")
    for pair, difference in zip(runnable, verdicts):
        if difference:
            peer.check(f"pairs.txt:{pair.line} {pair.program} {shlex.join(pair.flags)}", fail, difference)
    excepted = [pair for pair in runnable if pair.exception]
    differ = sum(map(bool, verdicts))
    peer.check(f"{len(runnable)} compared, {differ} differ, {len(excepted)} shall differ", agree, differ, len(runnable))
    for reason in dict.fromkeys(pair.exception for pair in excepted):
        lines = ", ".join(str(pair.line) for pair in excepted if pair.exception == reason)
        print(f"      line {lines}: {reason}", flush=True)


@dataclass
class Places:
    """Where definitions and state are."""

    directory: pathlib.Path
    npm: pathlib.Path
    silent: str


class Bench:
    """Runs both commands with nothing different but their programs."""

    def __init__(self, places, addresses, communities):
        self.places = places
        self.addresses = addresses
        self.communities = communities
        self.theirs = {pair: shutil.which(pair) for pair in PROGRAMS}

    def can(self, pair):
        return pair.mibs != "npm" or self.places.npm is not None

    def compare(self, pair):
        """What differs, as text; empty if nothing does, or what shall."""
        theirs = self.outcome(pair, self.theirs[pair.program], self.definitions(pair, ours=False))
        ours = self.outcome(pair, agents.portreeve(), self.definitions(pair, ours=True))
        if pair.exception:
            return "" if theirs != ours else f"no longer differs: take `! {pair.exception}` out\n" + self.repeat(pair)
        return "" if theirs == ours else difference(theirs, ours) + self.repeat(pair)

    def outcome(self, pair, program, definitions):
        environment = {**netsnmp.bare_environment(self.places.directory), **definitions}
        done = subprocess.run(self.command(pair), executable=program, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=SECONDS)
        return [normal(done.stdout), normal(done.stderr), done.returncode]

    def definitions(self, pair, ours):
        """The same definitions for both: ours are built in, and for Net-SNMP what they were exported to."""
        mibs = self.places.directory / "mibs"
        if pair.mibs == "none":
            return {"MIBS": "", "MIBDIRS": "/nonexistent"}
        if pair.mibs == "npm":
            return {"MIBS": "SNMPv2-MIB:IF-MIB", "MIBDIRS": str(self.places.npm)}
        modules = ["FROZEN-MIB"] if ours else [*EXPORTED, "FROZEN-MIB"]
        return {"MIBS": ":".join(modules), "MIBDIRS": str(mibs)}

    def repeat(self, pair):
        """How to see both again while the agent runs."""
        return f"line {pair.line}: {shlex.join(self.command(pair))}"

    def command(self, pair):
        words = pair.arguments(self.addresses[pair.agent])
        return [pair.program, *(self.communities.get(word, word) for word in words)]


def normal(output):
    """Output without what may differ.

    - `USAGE:` and all behind it: the flags' help is our own text.
    - Lines that begin with `hint:`, which Net-SNMP does not have.
    - `MIB search path:`, where Net-SNMP has looked for a module; ours are built in.
    - What stands in brackets behind a failure of the session where it is a leftover: why another name, which was
      found in the end, had not been found at first, or the errno of a file that was looked for before.
    - The random port that snmpstatus says it has asked from.
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
        lines.append(f"the ends of lines differ: {theirs[:2]} and {ours[:2]}")
    if theirs[2] != ours[2]:
        lines.append(f"Net-SNMP's exit code is {theirs[2]}, ours {ours[2]}")
    return "\n".join(lines[:MOST_LINES]) + "\n"


def prepare(agent):
    """Definitions in files and a port where nobody answers; or what is missing."""
    if not agents.portreeve():
        return None, "target/release/portreeve is not built"
    if not shutil.which("snmptranslate"):
        return None, "Net-SNMP's commands are not installed (Debian: snmp)"
    directory = agent.directory / "compare"
    mibs = directory / "mibs"
    mibs.mkdir(parents=True)
    for module in [*smi.BASE.iterdir(), HERE / "recordings/FROZEN-MIB"]:
        shutil.copy(module, mibs / module.name)
    for module in EXPORTED:
        smi.export(mibs, module)
    home, _ = node.installed() if shutil.which("npm") else (None, None)
    npm = home / "node_modules/net-snmp/lib/mibs" if home else None
    # The first command of all tells of the folders it makes for itself.
    environment = {**netsnmp.bare_environment(directory), "MIBS": "ALL", "MIBDIRS": str(mibs)}
    subprocess.run(["snmptranslate", ".1"], env=environment, stdin=subprocess.DEVNULL, capture_output=True)
    return Places(directory, npm, f"udp:127.0.0.1:{agents.free_port_range()}"), None


@contextlib.contextmanager
def frozen_agent(directory):
    """The simulator, until the end of the block; its address."""
    binary = pathlib.Path(os.environ.get("PORTREEVE_SIMULATE", agents.ROOT / "target/release/portreeve-simulate"))
    address = f"127.0.0.1:{agents.free_port_range()}"
    users = directory / "compare/users.txt"
    users.write_text("\n".join(USERS) + "\n")
    argv = [binary, "--listen", f"udp:{address}", "--listen", f"tcp:{address}", "--users", users,
            HERE / "recordings/frozen.snmprec"]
    process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    try:
        assert any(line.strip() == "ready" for line in process.stdout), "portreeve-simulate did not get ready"
        yield f"udp:{address}"
    finally:
        agents.stop(process)


def fail(difference):
    raise AssertionError(difference)


def agree(differ, compared):
    assert not differ and compared, f"{differ} of {compared} differ"


PROGRAMS = [f"snmp{verb}" for verb in ("get", "getnext", "bulkget", "walk", "bulkwalk", "set", "table", "translate",
                                       "status", "usm", "vacm")]
# What the recording shows.
EXPORTED = [*smi.MODULES, "IP-MIB"]
MOST_LINES = 40
