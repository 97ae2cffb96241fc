"""Net-SNMP's commands against our agent.

Covers every version, level, algorithm pair and transport, and contexts, SET, errors and remote
configuration.
"""

import os
import re
import shutil
import socket
import subprocess

import ber
from results import Skip

SYS_DESCR = ".1.3.6.1.2.1.1.1.0"
SYS_UP_TIME = ".1.3.6.1.2.1.1.3.0"
SYS_CONTACT = ".1.3.6.1.2.1.1.4.0"
SYS_NAME = ".1.3.6.1.2.1.1.5.0"
SYS_LOCATION = ".1.3.6.1.2.1.1.6.0"
SYSTEM = ".1.3.6.1.2.1.1"
SNMP_IN_ASN_PARSE_ERRS = ".1.3.6.1.2.1.11.6.0"
IF_TABLE = ".1.3.6.1.2.1.2.2"
IF_DESCR = ".1.3.6.1.2.1.2.2.1.2"
IF_IN_OCTETS = ".1.3.6.1.2.1.2.2.1.10"
IF_HC_IN_OCTETS = ".1.3.6.1.2.1.31.1.1.1.6"
VACM_CONTEXT_NAME = ".1.3.6.1.6.3.16.1.1.1.1"
USM_USER_STATUS = ".1.3.6.1.6.3.15.1.2.2.1.13"

# The algorithms of Debian's build: no 3DES, and Reeder's key extension only under its -C names.
AUTHS = {"MD5", "SHA", "SHA-224", "SHA-256", "SHA-384", "SHA-512"}
PRIVS = {"DES", "AES", "AES-192", "AES-256", "AES-192-C", "AES-256-C"}


def run(agent, peer):
    if not shutil.which("snmpget"):
        return peer.skip("all checks", "snmpget is not installed (Debian: snmp)")
    for version in ("1", "2c"):
        for transport in ("udp", "tcp"):
            community_checks(agent, peer, version, transport)
    for user in agent.users:
        peer.check(f"v3 snmpget reads sysUpTime ({label(user)})", user_reads, agent, user, "udp")
    for level in ("noAuthNoPriv", "authNoPriv", "authPriv"):
        user = next((u for u in agent.users if u.level == level and is_supported(u)), None)
        if user:
            peer.check(f"v3 {level} snmpwalk and snmpbulkwalk over tcp read the same objects", walks_agree, agent, v3(user), "tcp")
    peer.check("v3 snmpset changes sysContact, sysName and sysLocation", set_and_read, agent, v3(agent.writer))
    security_checks(agent, peer)
    context_checks(agent, peer)
    remote_configuration(agent, peer)


# --- SNMPv1 and SNMPv2c


def community_checks(agent, peer, version, transport):
    read = ["-v", version, "-c", agent.read_community]
    write = ["-v", version, "-c", agent.write_community]
    where = f"v{version} {transport}"
    peer.check(f"{where} snmpget reads two objects", get, agent, read, transport)
    peer.check(f"{where} snmpgetnext reads the next object", get_next, agent, read, transport)
    peer.check(f"{where} snmpget reports a missing object", missing_object, agent, version, read, transport)
    peer.check(f"{where} snmpgetnext reports the end of the MIB", past_the_end, agent, version, read, transport)
    peer.check(f"{where} snmpset changes sysContact, sysName and sysLocation", set_and_read, agent, write, transport)
    peer.check(f"{where} snmpset with the read-only community is rejected", set_is_rejected, agent, version, read, transport)
    peer.check(f"{where} snmpset with one invalid varbind changes nothing", set_is_atomic, agent, version, write, transport)
    if version == "1":
        peer.check(f"{where} Counter64 objects are not returned", no_counter64, agent, read, transport)
    else:
        peer.check(f"{where} snmpwalk and snmpbulkwalk of ifTable read the same objects", walks_agree, agent, read, transport)
        peer.check(f"{where} snmpbulkget with a non-repeater reads four variables", bulk_get, agent, read, transport)
    if transport == "udp" and version == "1":
        peer.check(f"{where} a request with a Counter64 gets no response and is a parse error", counter64_is_dropped, agent)
    if transport == "udp":
        peer.check(f"{where} a request with a wrong community gets no response", wrong_community, agent, version)


def get(agent, credentials, transport):
    output = ok("snmpget", agent, credentials, transport, SYS_UP_TIME, SYS_DESCR)
    assert re.search(r"^\.1\.3\.6\.1\.2\.1\.1\.3\.0 = Timeticks: \(\d+\)", output, re.M), output
    assert f"{SYS_DESCR} = STRING: " in output, output


def get_next(agent, credentials, transport):
    output = ok("snmpgetnext", agent, credentials, transport, SYSTEM)
    assert output.startswith(f"{SYS_DESCR} = STRING: "), output


def bulk_get(agent, credentials, transport):
    output = ok("snmpbulkget", agent, [*credentials, "-Cn1", "-Cr3"], transport, SYSTEM, IF_DESCR)
    lines = output.strip().splitlines()
    assert lines[0].startswith(f"{SYS_DESCR} = "), output
    assert len(lines) == 4 and lines[1].startswith(f"{IF_DESCR}."), output


def missing_object(agent, version, credentials, transport):
    done = command("snmpget", agent, credentials, transport, ".1.3.6.1.2.1.1.999.0")
    if version == "1":
        assert done.returncode == 2 and "noSuchName" in done.stderr, transcript(done)
    else:
        assert done.returncode == 0 and re.search("No Such (Object|Instance)", done.stdout), transcript(done)


def past_the_end(agent, version, credentials, transport):
    done = command("snmpgetnext", agent, credentials, transport, ".2.999")
    if version == "1":
        assert done.returncode == 2 and "noSuchName" in done.stderr, transcript(done)
    else:
        assert done.returncode == 0 and "No more variables left" in done.stdout, transcript(done)


def no_counter64(agent, credentials, transport):
    done = command("snmpget", agent, credentials, transport, f"{IF_HC_IN_OCTETS}.1")
    assert done.returncode == 2 and "noSuchName" in done.stderr, transcript(done)
    walked = ok("snmpwalk", agent, [*credentials, "-Cc"], transport, ".1.3.6.1.2.1.31.1.1")
    assert "Counter64" not in walked, walked


def counter64_is_dropped(agent):
    """RFC 3584 section 4.2.2.1: no response may repeat the value. Net-SNMP's commands cannot send it."""
    if agent.kind == "snmpd":
        raise Skip("snmpd responds to it")
    credentials = ["-v", "2c", "-c", agent.read_community, "-Oqv"]
    errors_before = int(ok("snmpget", agent, credentials, "udp", SNMP_IN_ASN_PARSE_ERRS))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.settimeout(5)
        sender.connect(agent.host_port())
        sender.send(ber.v1(agent.read_community, ber.GET, SYS_DESCR[1:], ber.tlv(0x46, b"\x05")))
        sender.send(ber.v1(agent.read_community, ber.GET, SYS_UP_TIME[1:]))
        # The agent answers in order, so the first response is that to the second request.
        response = sender.recv(65535)
    assert ber.object_id(SYS_UP_TIME[1:]) in response, repr(response)
    errors_after = int(ok("snmpget", agent, credentials, "udp", SNMP_IN_ASN_PARSE_ERRS))
    assert errors_after == errors_before + 1, f"{errors_before} parse errors before, {errors_after} after"


def walks_agree(agent, credentials, transport):
    walked = columns(ok("snmpwalk", agent, credentials, transport, IF_TABLE))
    bulk = columns(ok("snmpbulkwalk", agent, credentials, transport, IF_TABLE))
    assert walked == bulk, f"only one of them: {sorted(set(walked) ^ set(bulk))[:5]}"
    assert any(name.startswith(f"{IF_DESCR}.") for name in walked), f"{len(walked)} objects, no ifDescr"


def set_and_read(agent, credentials, transport="udp"):
    wanted = {SYS_CONTACT: "ops@example.net", SYS_NAME: "gate.example.net", SYS_LOCATION: "rack 4, \u00e9tage 2"}
    varbinds = [field for name, value in wanted.items() for field in (name, "s", value)]
    ok("snmpset", agent, credentials, transport, *varbinds)
    for name, value in wanted.items():
        output = ok("snmpget", agent, [*credentials, "-Oqva"], transport, name)
        expected = value.encode().decode("latin-1")
        assert output.strip().strip('"') in (value, re.sub(r"[^ -~]", ".", expected)), output


def set_is_rejected(agent, version, credentials, transport):
    done = command("snmpset", agent, credentials, transport, SYS_CONTACT, "s", "intruder")
    # authorizationError if there is no write view at all (RFC 3413); noAccess if the write view
    # does not contain the object (RFC 3416).
    expected = "noSuchName" if version == "1" else "noAccess|authorizationError"
    assert done.returncode == 2 and re.search(expected, done.stderr), transcript(done)


def set_is_atomic(agent, version, credentials, transport):
    before = ok("snmpget", agent, [*credentials, "-Oqv"], transport, SYS_CONTACT)
    done = command("snmpset", agent, credentials, transport, SYS_CONTACT, "s", "half a change", SYS_NAME, "i", "5")
    expected = "badValue" if version == "1" else "wrongType"
    assert done.returncode == 2 and expected in done.stderr, transcript(done)
    assert ok("snmpget", agent, [*credentials, "-Oqv"], transport, SYS_CONTACT) == before


def wrong_community(agent, version):
    done = command("snmpget", agent, ["-v", version, "-c", "guessed", "-t", "0.3", "-r", "0"], "udp", SYS_UP_TIME)
    assert done.returncode == 1 and "Timeout" in done.stderr, transcript(done)


# --- SNMPv3


def user_reads(agent, user, transport):
    if not is_supported(user):
        raise Skip(f"Debian's Net-SNMP does not support {user.auth} with {user.priv}")
    output = ok("snmpget", agent, v3(user), transport, SYS_UP_TIME)
    assert output.startswith(f"{SYS_UP_TIME} = Timeticks: ("), output


def security_checks(agent, peer):
    writer = agent.writer
    cases = {
        "a wrong authentication password is reported": (changed(writer, auth_pass="not the password"), "Authentication failure"),
        "an unknown user is reported": (changed(writer, name="unknown-user"), "Unknown user name"),
    }
    for title, (user, message) in cases.items():
        peer.check(f"v3 {title}", refused, agent, v3(user), 1, message)
    peer.check("v3 a request with a wrong privacy password gets no value", refused, agent,
               v3(changed(writer, priv_pass="not the password")) + ["-t", "0.3", "-r", "0"], 1, "Decryption error|Timeout")
    peer.check("v3 an authPriv user has no access at noAuthNoPriv", refused, agent,
               v3(changed(writer, level="noAuthNoPriv")), 2, "authorizationError")
    peer.check("v3 an authPriv user has no access at authNoPriv", refused, agent,
               v3(changed(writer, level="authNoPriv")), 2, "authorizationError")
    auth_only = next((u for u in agent.users if u.level == "authNoPriv" and is_supported(u)), None)
    if auth_only:
        raised = changed(auth_only, level="authPriv", priv="AES", priv_pass="some password")
        peer.check("v3 an authPriv request of an authNoPriv user is rejected with a reason", refused, agent, v3(raised), 1,
                   "[Uu]nsupported security level")
    peer.check("v3 snmpget with a wrong engine time resynchronizes its clock", stale_clock, agent)


def refused(agent, credentials, exit_code, message):
    done = command("snmpget", agent, credentials, "udp", SYS_UP_TIME)
    assert done.returncode == exit_code and re.search(message, done.stderr), transcript(done)
    assert SYS_UP_TIME not in done.stdout, transcript(done)


def stale_clock(agent):
    output = ok("snmpget", agent, [*v3(agent.writer), "-Z", "1,1"], "udp", SYS_UP_TIME)
    assert "Timeticks" in output, output


# --- contexts


def context_checks(agent, peer):
    peer.check("v3 a request in an unknown context gets no value", unknown_context, agent)
    peer.check("v3 every context in vacmContextTable contains objects", known_contexts, agent)


def unknown_context(agent):
    done = command("snmpget", agent, [*v3(agent.writer), "-n", "nowhere", "-t", "0.5", "-r", "1"], "udp", SYS_UP_TIME)
    if agent.kind == "snmpd" and done.returncode == 0 and "No Such" in done.stdout:
        return
    assert done.returncode in (1, 2) and re.search("[Uu]nknown context|Bad context|noSuchContext|Timeout|Unknown Object",
                                                   done.stderr), transcript(done)


def known_contexts(agent):
    listed = command("snmpwalk", agent, [*v3(agent.writer), "-Oqva"], "udp", VACM_CONTEXT_NAME)
    names = {line.strip().strip('"') for line in listed.stdout.splitlines()} - {""}
    if not names or "No Such" in listed.stdout:
        raise Skip("the agent lists only the default context")
    for name in names:
        output = ok("snmpgetnext", agent, [*v3(agent.writer), "-n", name], "udp", ".1.3")
        assert " = " in output, output


# --- users and views over SNMP


def remote_configuration(agent, peer):
    created = peer.check("snmpusm creates a user as a copy of another", create_user, agent)
    if not created:
        return peer.skip("snmpusm passwd, snmpvacm", "no user could be created")
    peer.check("after snmpusm passwd only the new password is accepted", change_password, agent)
    peer.check("snmpvacm grants the new user a view and removes the view", grant_view, agent)
    peer.check("snmpusm delete removes the user", delete_user, agent)


NEW_USER = "interop"
NEW_PASSWORD = "a fresh password"


def new_user(agent):
    return changed(agent.writer, name=NEW_USER, auth_pass=NEW_PASSWORD, priv_pass=NEW_PASSWORD)


def create_user(agent):
    """Uses createAndWait: a clone becomes active only after its keys are changed (RFC 3414)."""
    output = ok("snmpusm", agent, v3(agent.writer), "udp", "-Cw", "create", NEW_USER, agent.writer.name)
    assert "successfully created" in output, output
    status = ok("snmpwalk", agent, [*v3(agent.writer), "-Oqv"], "udp", USM_USER_STATUS)
    assert status.split(), "usmUserTable is empty"


def change_password(agent):
    admin = v3(agent.writer)
    ok("snmpusm", agent, admin, "udp", "-Ca", "passwd", agent.writer.auth_pass, NEW_PASSWORD, NEW_USER)
    ok("snmpusm", agent, admin, "udp", "-Cx", "passwd", agent.writer.priv_pass, NEW_PASSWORD, NEW_USER)
    ok("snmpusm", agent, admin, "udp", "activate", NEW_USER)
    refused(agent, v3(changed(agent.writer, name=NEW_USER)), 1, "Authentication failure")
    refused(agent, v3(new_user(agent)), 2, "authorizationError")


def grant_view(agent):
    admin = v3(agent.writer)
    user = v3(new_user(agent))
    ok("snmpvacm", agent, admin, "udp", "createView", "interopView", SYSTEM, "FE")
    ok("snmpvacm", agent, admin, "udp", "createSec2Group", "3", NEW_USER, "interopGroup")
    ok("snmpvacm", agent, admin, "udp", "createAccess", "interopGroup", "3", "3", "1",
       "interopView", "interopView", "interopView")
    assert "Timeticks" in ok("snmpget", agent, user, "udp", SYS_UP_TIME)
    not_in_view = ok("snmpget", agent, user, "udp", f"{IF_IN_OCTETS}.1")
    assert "No Such" in not_in_view, not_in_view
    ok("snmpvacm", agent, admin, "udp", "deleteAccess", "interopGroup", "3", "3")
    ok("snmpvacm", agent, admin, "udp", "deleteSec2Group", "3", NEW_USER)
    ok("snmpvacm", agent, admin, "udp", "deleteView", "interopView", SYSTEM)
    refused(agent, user, 2, "authorizationError")


def delete_user(agent):
    ok("snmpusm", agent, v3(agent.writer), "udp", "delete", NEW_USER)
    refused(agent, v3(new_user(agent)), 1, "Unknown user name")


# --- running the commands


def command(program, agent, credentials, transport, *arguments):
    """Runs a Net-SNMP command with numeric output and without the user's configuration."""
    address = f"{transport}:{agent.udp if transport == 'udp' else agent.tcp}"
    defaults = [] if "-t" in credentials else ["-t", "20", "-r", "0"]
    argv = [program, "-On", *defaults, *credentials, address, *arguments]
    return subprocess.run(argv, env=bare_environment(agent.directory), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace", timeout=60)


def bare_environment(directory):
    """An environment without configuration, MIB files or state of the user who runs the tests."""
    state = directory / "net-snmp"
    state.mkdir(exist_ok=True)
    return {"PATH": os.environ["PATH"], "HOME": str(state), "SNMPCONFPATH": str(state), "MIBS": "",
            "SNMP_PERSISTENT_DIR": str(state), "LC_ALL": "C.UTF-8"}


def ok(program, agent, credentials, transport, *arguments):
    done = command(program, agent, credentials, transport, *arguments)
    # snmpusm and snmpvacm exit with 0 even if the agent has returned an error.
    assert done.returncode == 0 and "Error in packet" not in done.stderr, transcript(done)
    return done.stdout


def transcript(done):
    return f"{' '.join(done.args)}\nexit {done.returncode}\n{done.stdout[-1500:]}{done.stderr[-1500:]}"


def v3(user):
    credentials = ["-v", "3", "-u", user.name, "-l", user.level]
    if user.level != "noAuthNoPriv":
        credentials += ["-a", user.auth, "-A", user.auth_pass]
    if user.level == "authPriv":
        credentials += ["-x", user.priv, "-X", user.priv_pass]
    return credentials


def is_supported(user):
    return (not user.auth or user.auth in AUTHS) and (not user.priv or user.priv in PRIVS)


def changed(user, **fields):
    return type(user)(**{**user.__dict__, **fields})


def label(user):
    return " ".join(filter(None, [user.level, user.auth, user.priv]))


def columns(walk):
    return [line.split(" = ")[0] for line in walk.splitlines() if line.startswith(IF_TABLE)]
