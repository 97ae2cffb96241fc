"""Wireshark's dissector decodes all our PDUs without errors and decrypts messages of USM."""

import shutil
import subprocess

import agents
import netsnmp
from relay import Relay, file_header, packet, AGENT, CLIENT, CLIENT_PORT
from results import Skip

# The values of snmp.data, the dissector's numbers for PDU types.
GET, GET_NEXT, RESPONSE, SET, TRAP_V1, GET_BULK, INFORM, TRAP_V2, REPORT = range(9)

AUTH_NAMES = {"MD5": "MD5", "SHA": "SHA1", "SHA-224": "SHA2-224", "SHA-256": "SHA2-256", "SHA-384": "SHA2-384",
              "SHA-512": "SHA2-512"}
PRIV_NAMES = {"DES": "DES", "AES": "AES", "AES-192": "AES192", "AES-256": "AES256",
              "AES-192-C": "AES192", "AES-256-C": "AES256"}
# If the digest is shorter than the key of the cipher, the key is extended. This dissector supports
# only Reeder's method.
DIGEST_OCTETS = {"MD5": 16, "SHA": 20, "SHA-224": 28, "SHA-256": 32, "SHA-384": 48, "SHA-512": 64}
KEY_OCTETS = {"AES-192": 24, "AES-256": 32}


def run(agent, peer):
    for program in ("tshark", "snmpget"):
        if not shutil.which(program):
            return peer.skip("all checks", f"{program} is not installed")
    for version in ("1", "2c"):
        credentials = ["-v", version, "-c", agent.write_community]
        peer.check(f"tshark decodes v{version} requests and responses", requests_decode, agent, credentials, version != "1")
    for level in ("noAuthNoPriv", "authNoPriv"):
        user = next((u for u in agent.users if u.level == level and netsnmp.is_supported(u)), None)
        if user:
            peer.check(f"tshark decodes v3 {level} requests and responses", requests_decode, agent, netsnmp.v3(user), True, writes=False)
    for user in agent.users:
        if user.level == "authPriv":
            peer.check(f"tshark decrypts v3 messages with {user.auth} and {user.priv}", decrypts, agent, user)
    peer.check("tshark decodes the v3 discovery Report", report_decodes, agent)
    peer.check("tshark decodes samples of all PDU types", samples_decode, agent)


def requests_decode(agent, credentials, bulk, writes=True, users=()):
    """Sends each kind of request through the relay and decodes the capture with tshark."""
    capture = agent.directory / "requests.pcap"
    with Relay(agent.host_port(), capture) as relay:
        def run_command(program, *arguments):
            argv = ["-t", "20", "-r", "0", *credentials]
            done = netsnmp.command(program, with_address(agent, relay.address), argv, "udp", *arguments)
            assert done.returncode == 0, netsnmp.transcript(done)
        run_command("snmpget", netsnmp.SYS_UP_TIME, netsnmp.SYS_DESCR)
        run_command("snmpgetnext", netsnmp.SYSTEM)
        expected = {GET, GET_NEXT, RESPONSE}
        if bulk:
            run_command("snmpbulkget", netsnmp.IF_TABLE)
            expected.add(GET_BULK)
        if writes:
            run_command("snmpset", netsnmp.SYS_CONTACT, "s", "ops@example.net")
            expected.add(SET)
    seen = dissect(capture, users)
    assert expected <= {pdu for _, pdu, _ in seen}, f"PDU types {sorted(expected)} expected, found {seen}"
    responses = [names for _, pdu, names in seen if pdu == RESPONSE]
    assert responses and all(responses), f"a response without names: {seen}"


def decrypts(agent, user):
    if user.auth not in AUTH_NAMES or user.priv not in PRIV_NAMES or not netsnmp.is_supported(user):
        raise Skip(f"tshark or Net-SNMP does not support {user.auth} with {user.priv}")
    if KEY_OCTETS.get(user.priv, 0) > DIGEST_OCTETS[user.auth]:
        raise Skip(f"tshark does not support Blumenthal's extension of a {user.auth} key for {user.priv}")
    requests_decode(agent, netsnmp.v3(user), bulk=True, writes=user.name == agent.writer.name, users=[user])


def report_decodes(agent):
    capture = agent.directory / "report.pcap"
    with Relay(agent.host_port(), capture) as relay:
        user = netsnmp.changed(agent.writer, name="unknown-user", level="noAuthNoPriv")
        netsnmp.command("snmpget", with_address(agent, relay.address), netsnmp.v3(user), "udp", netsnmp.SYS_UP_TIME)
    reports = [names for _, pdu, names in dissect(capture) if pdu == REPORT]
    assert any("1.3.6.1.6.3.15.1.1.4.0" in names for names in reports), f"no usmStatsUnknownEngineIDs: {reports}"
    assert any("1.3.6.1.6.3.15.1.1.3.0" in names for names in reports), f"no usmStatsUnknownUserNames: {reports}"


def samples_decode(agent):
    """Decodes samples of all PDU types, also those that a command and an agent do not exchange."""
    lab = agents.PROGRAMS / "portreeve-lab"
    if agent.kind != "portreeved" or not lab.exists():
        raise Skip("portreeve-lab is not built" if agent.kind == "portreeved" else "another agent's encoder")
    directory = agent.directory / "samples"
    subprocess.run([lab, "samples", directory], check=True, timeout=60)
    messages = sorted(directory.glob("*.ber"))
    assert messages, "portreeve-lab wrote no samples"
    capture = agent.directory / "samples.pcap"
    with capture.open("wb") as file:
        file.write(file_header())
        for message in messages:
            file.write(packet(message.read_bytes(), CLIENT, CLIENT_PORT, AGENT, 161))
    seen = dissect(capture)
    assert len(seen) == len(messages), f"{len(messages)} samples, {len(seen)} dissected"
    missing = set(range(9)) - {pdu for _, pdu, _ in seen}
    assert not missing, f"no sample of PDU types {sorted(missing)}"


def dissect(capture, users=()):
    """Returns (frame, PDU type, names) of each packet. Fails if one is malformed or encrypted."""
    argv = ["tshark", "-r", str(capture), "-n", "-T", "fields", "-E", "separator=|", "-e", "frame.number",
            "-e", "snmp.data", "-e", "snmp.name", "-e", "_ws.malformed", "-e", "_ws.expert.message"]
    for user in users:
        argv += ["-o", f"uat:snmp_users:{user_line(user)}"]
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    seen = []
    for line in done.stdout.splitlines():
        frame, pdu, names, malformed, expert = (line.split("|") + [""] * 5)[:5]
        assert not malformed, f"frame {frame} is malformed: {expert}"
        assert pdu, f"frame {frame} is not decoded or not decrypted: {expert}"
        seen.append((int(frame), int(pdu.split(",")[0]), names))
    return seen


def user_line(user):
    fields = ["", user.name, AUTH_NAMES[user.auth], user.auth_pass, PRIV_NAMES[user.priv], user.priv_pass]
    return ",".join(f'"{field}"' for field in fields)


def with_address(agent, address):
    """A copy of the agent with the address of the relay."""
    copy = object.__new__(type(agent))
    copy.__dict__.update(agent.__dict__, udp=address)
    return copy
