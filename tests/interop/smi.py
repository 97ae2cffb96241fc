"""Our definitions as SMIv2 text, checked with libsmi's smilint and loaded by Net-SNMP."""

import os
import re
import shutil
import subprocess

import agents
import netsnmp

MODULES = ["SNMPv2-MIB", "SNMP-FRAMEWORK-MIB", "SNMP-MPD-MIB", "SNMP-TARGET-MIB", "SNMP-NOTIFICATION-MIB",
           "SNMP-USER-BASED-SM-MIB", "SNMP-VIEW-BASED-ACM-MIB", "SNMP-COMMUNITY-MIB", "IF-MIB", "IP-MIB",
           "IP-FORWARD-MIB", "TCP-MIB", "UDP-MIB", "HOST-RESOURCES-MIB"]
KNOWN_NAMES = {"SNMPv2-MIB::sysUpTime.0": ".1.3.6.1.2.1.1.3.0", "IF-MIB::ifHCInOctets": ".1.3.6.1.2.1.31.1.1.1.6",
               "TCP-MIB::tcpConnectionState": ".1.3.6.1.2.1.6.19.1.7",
               "IP-FORWARD-MIB::inetCidrRouteType": ".1.3.6.1.2.1.4.24.7.1.8",
               "SNMP-USER-BASED-SM-MIB::usmUserStatus": ".1.3.6.1.6.3.15.1.2.2.1.13",
               "SNMP-VIEW-BASED-ACM-MIB::vacmAccessTable": ".1.3.6.1.6.3.16.1.4"}
# The base modules, which all others import. Debian packages them neither for libsmi nor for
# Net-SNMP.
BASE = agents.ROOT / "tests/interop/mibs"
# smilint's severities: 0 internal, 1 fatal, 2 severe, 3 error; higher numbers are warnings.
ERROR_LEVEL = "3"
# An error that is ignored: the standard modules lack these size restrictions too.
IGNORED_ERROR = "index-element-no-size"
# Index objects for which smilint requires a size, but the standards define none.
SIZELESS_BY_STANDARD = ("`ifRcvAddressAddress'", "`inetCidrRoutePolicy'", "`snmpNotifyFilterSubtree'", "`vacmViewTreeFamilySubtree'")


def run(agent, peer):
    if not agents.portreeve():
        return peer.skip("all checks", "portreeve is not built")
    directory = agent.directory / "mibs"
    directory.mkdir()
    for module in BASE.iterdir():
        shutil.copy(module, directory / module.name)
    if not all([peer.check(f"portreeve exports {module}", export, directory, module) for module in MODULES]):
        return
    for module in exported(directory):
        if not shutil.which("smilint"):
            peer.skip(f"smilint accepts {module}", "smilint is not installed (Debian: smitools)")
        else:
            peer.check(f"smilint accepts {module}", lint, directory, module)
    if not shutil.which("snmptranslate"):
        return peer.skip("Net-SNMP loads the modules", "snmptranslate is not installed (Debian: snmp)")
    peer.check("Net-SNMP loads the modules without errors", modules_load, directory)
    for name, oid in KNOWN_NAMES.items():
        peer.check(f"Net-SNMP resolves {name}", name_resolves, directory, name, oid)
    peer.check("snmptable prints ifTable with the names of the exported modules", snmptable_prints, agent, directory)


def export(directory, module):
    """Exports the module and the modules that it imports, unless they exist already."""
    if (directory / module).exists():
        return
    done = subprocess.run([agents.portreeve(), "translate", "--export-smi", module], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"exit {done.returncode}: {done.stderr}"
    assert re.match(rf"(--.*\n|\s)*{module} DEFINITIONS ::= BEGIN", done.stdout), done.stdout[:200]
    (directory / module).write_text(done.stdout)
    for imported in re.findall(r"\bFROM\s+([A-Za-z][\w-]*)", done.stdout):
        export(directory, imported)


def exported(directory):
    return sorted(path.name for path in directory.iterdir() if not (BASE / path.name).exists())


def lint(directory, module):
    done = subprocess.run(["smilint", "-l", ERROR_LEVEL, "-i", IGNORED_ERROR, "-s", module],
                          env={**os.environ, "SMIPATH": str(directory)}, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    errors = [line for line in (done.stdout + done.stderr).splitlines() if "warning" not in line
              and not any(name in line for name in SIZELESS_BY_STANDARD)
              and not any(f"/{base.name}:" in line for base in BASE.iterdir())]
    assert not errors, "\n".join(errors[:20])


def modules_load(directory):
    done = translate(directory, "-Tp")
    assert done.returncode == 0, done.stderr
    # The first Net-SNMP command reports the directories that it creates.
    errors = [line for line in done.stderr.splitlines() if not line.startswith("Created directory:")]
    assert not any(errors), "\n".join(errors)[:2000]
    for name in ("sysDescr", "ifDescr", "usmUserStatus", "vacmViewTreeFamilyMask", "snmpTargetAddrTAddress"):
        assert re.search(rf"\b{name}\(", done.stdout), f"{name} is not in the tree"


def name_resolves(directory, name, oid):
    done = translate(directory, "-On", name)
    assert done.stdout.strip() == oid, done.stdout + done.stderr


def snmptable_prints(agent, directory):
    done = subprocess.run(["snmptable", "-v", "2c", "-c", agent.read_community, *paths(directory), "-Cf", "|",
                           f"udp:{agent.udp}", "IF-MIB::ifTable"], env=environment(directory),
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    lines = [line for line in done.stdout.splitlines() if line.strip()]
    assert done.returncode == 0 and lines[0] == "SNMP table: IF-MIB::ifTable", done.stdout[:500] + done.stderr
    header = lines[1].split("|")
    assert {"ifIndex", "ifDescr", "ifType", "ifOperStatus"} <= set(header), header
    types = [line.split("|")[header.index("ifType")] for line in lines[2:]]
    assert "softwareLoopback" in types, f"ifType is not printed by name: {types}"


def translate(directory, *arguments):
    return subprocess.run(["snmptranslate", *paths(directory), *arguments], env=environment(directory),
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)


def paths(directory):
    return ["-M", str(directory), "-m", ":".join(MODULES)]


def environment(directory):
    return netsnmp.bare_environment(directory / "..")
