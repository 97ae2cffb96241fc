"""OpenSSL's s_client and sslyze against an agent of our own with certificates that OpenSSL made: good, expired,
revoked, from another authority, and none at all; and our command against OpenSSL's s_server."""

import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

import agents
import ber
import liars
import openssl_peer
import pysnmp_peer
import secured
from openssl_peer import ANSWER_SECONDS, SYS_DESCR, ask, client, get, read_message
from results import Skip

SSLYZE = ["sslyze==6.3.1"]
SCANS = ["--sslv2", "--sslv3", "--tlsv1", "--tlsv1_1", "--tlsv1_2", "--tlsv1_3", "--compression", "--early_data",
         "--openssl_ccs", "--heartbleed", "--robot", "--reneg"]
INVALID_CLIENT_CERTIFICATES = "1.3.6.1.2.1.198.2.1.7.0"
OLD = ["-cipher", "ALL:@SECLEVEL=0"]


def run(agent, peer):
    if agent.kind != "portreeved":
        return peer.skip("all checks", "only our agent is asked")
    if not shutil.which("openssl"):
        return peer.skip("all checks", "openssl is not installed")
    with tempfile.TemporaryDirectory(prefix="portreeve-tls-") as directory:
        with secured.served(pathlib.Path(directory)) as site:
            answers(site, peer)
            refusals(site, peer)
            peer.check("new certificates after SIGHUP", reloads, site)
            for version in ("tls1_2", "tls1_3"):
                peer.check(f"our command reads from s_server -{version}", reads_from_server, site, version)
            for version in ("tls1", "tls1_1"):
                peer.check(f"our command refuses s_server -{version}", refuses_server, site, version)
            peer.check("our command refuses an s_server of another authority", refuses_stranger, site)
            liars.run(site, peer)


def answers(site, peer):
    for version in ("-tls1_2", "-tls1_3"):
        peer.check(f"s_client {version} reads an object by v3 and TSM", reads, site, [version])
        peer.check(f"s_client {version} resumes as whom its first session has shown", resumes, site, version)
    peer.check("a pinned certificate needs no authority", reads, site, ["-tls1_3"], "pinned")


def refusals(site, peer):
    for version in ("-tls1", "-tls1_1"):
        peer.check(f"s_client {version} is refused", refused_version, site, version)
    for who in ("nobody", "stranger", "expired", "revoked"):
        for version in ("-tls1_2", "-tls1_3"):
            peer.check(f"s_client {version} as {who} gets no answer", gets_nothing, site, who, version)
    peer.check("a certificate that is not trusted is counted", is_counted, site)
    peer.check("what a certificate grants is read-only", may_not_write, site)
    peer.check("renegotiation is refused", no_renegotiation, site)
    peer.check("a request in 0-RTT is not taken", no_early_data, site)
    peer.check("sslyze finds nothing below TLS 1.2 and nothing weak", sslyze, site)


def reads(site, options, who="good"):
    answer, complaint = get(site, options=options, who=who)
    assert ber.is_response(answer), f"{answer!r}\n{complaint}"
    assert ber.security_flags(answer) == 3, "the answer is not authPriv"


def resumes(site, version):
    """Without a certificate there would be no session, and without the first one's name no answer."""
    session = kept_session(site, version)
    said = talk(site, [version, "-sess_in", session], who="nobody", until=is_answered)
    assert b"Reused, " in said, said.decode(errors="replace")


def kept_session(site, version):
    session = site.directory / f"session{version}"
    answer, complaint = get(site, options=[version, "-sess_out", str(session)])
    assert ber.is_response(answer) and session.exists(), complaint
    return str(session)


def talk(site, options, who, until):
    """Asks, with what s_client says of the session in front of the answer, until that is enough."""
    process = subprocess.Popen(client(site, options, who), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT)
    try:
        process.stdin.write(ber.v3_tsm(ber.GET, SYS_DESCR))
        process.stdin.flush()
        said = b""
        while not until(said):
            more = process.stdout.read1()
            assert more, f"cut:\n{said.decode(errors='replace')}"
            said += more
        return said
    finally:
        process.kill()
        process.communicate()


def is_answered(said):
    return b"\x06\x08\x2b\x06\x01\x02\x01\x01\x01\x00\x04" in said


def no_early_data(site):
    """A replayed request must not count: the ticket allows no data before the handshake's end."""
    session = kept_session(site, "-tls1_3")
    early = site.directory / "early"
    early.write_bytes(ber.v3_tsm(ber.GET, SYS_DESCR))
    said = talk(site, ["-tls1_3", "-sess_in", session, "-early_data", str(early)], "good", is_answered)
    assert b"Early data was not sent" in said or b"Early data was rejected" in said, said.decode(errors="replace")


def refused_version(site, version):
    answer, complaint = get(site, options=[version, *OLD])
    assert not answer and "alert" in complaint, f"{answer!r}\n{complaint}"


def gets_nothing(site, who, version):
    answer, complaint = get(site, options=[version], who=who)
    assert not answer, f"{answer!r}"
    assert "alert" in complaint, complaint


def is_counted(site):
    before = counter(site)
    get(site, who="stranger")
    after = counter(site)
    assert after == before + 1, f"{before}, then {after}"


def counter(site):
    answer, complaint = get(site, INVALID_CLIENT_CERTIFICATES)
    assert ber.is_response(answer), complaint
    return ber.last_number(answer)


def may_not_write(site):
    answer, complaint = ask(site, ber.v3_tsm(ber.SET, "1.3.6.1.2.1.1.4.0", ber.octets(b"nobody")))
    assert ber.is_response(answer), complaint
    assert ber.error_status(answer) == 6, f"noAccess(6) wanted: {answer!r}"


def no_renegotiation(site):
    done = subprocess.run(client(site, ["-tls1_2"]), input=b"R\n", capture_output=True, timeout=20)
    complaint = done.stderr.decode(errors="replace")
    assert "no renegotiation" in complaint or done.returncode, complaint


def reloads(site):
    """The agent gets another certificate of another authority while a session is open."""
    open_one = subprocess.Popen(client(site, ["-quiet", "-tls1_3"]), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL)
    try:
        ask_again(open_one)
        for name in ("agent.pem", "agent.key"):
            shutil.copy(site.directory / f"other-{name}", site.directory / name)
        site.process.send_signal(1)
        deadline = time.monotonic() + ANSWER_SECONDS
        while time.monotonic() < deadline:
            answer, complaint = get(site)
            if not answer and "verify error" in complaint:
                break
            time.sleep(0.1)
        else:
            raise AssertionError("the old certificate is still presented")
        ask_again(open_one)
    finally:
        open_one.kill()
        open_one.communicate()
        for name in ("agent.pem", "agent.key"):
            shutil.copy(site.directory / f"first-{name}", site.directory / name)
        site.process.send_signal(1)
        deadline = time.monotonic() + ANSWER_SECONDS
        while time.monotonic() < deadline and not get(site)[0]:
            time.sleep(0.1)


def ask_again(process):
    process.stdin.write(ber.v3_tsm(ber.GET, SYS_DESCR))
    process.stdin.flush()
    answer = read_message(process)
    assert ber.is_response(answer), f"{answer!r}"


def reads_from_server(site, version):
    done = asked(site, f"-{version}")
    assert done.returncode == 0 and openssl_peer.NAME_OF_RESPONDER.decode() in done.stdout, done.stdout + done.stderr


def refuses_server(site, version):
    done = asked(site, f"-{version}", *OLD)
    assert done.returncode == 1 and not done.stdout, done.stdout
    assert "agreeing on a protocol" in done.stderr, done.stderr


def refuses_stranger(site):
    done = asked(site, who="other-agent")
    assert done.returncode == 1 and not done.stdout, done.stdout
    assert "checking who the server is" in done.stderr, done.stderr


def asked(site, *options, who="agent"):
    """What our command says of such an s_server."""
    if not agents.portreeve():
        raise Skip("portreeve is not built")
    port = agents.free_port_range()
    with openssl_peer.server(site, options, port, who):
        deadline = time.monotonic() + ANSWER_SECONDS
        while True:
            done = site.portreeve("get", f"tls:127.0.0.1:{port}", SYS_DESCR)
            if "refused" not in done.stderr or "alert" in done.stderr or time.monotonic() > deadline:
                return done
            time.sleep(0.1)


def sslyze(site):
    python, missing = pysnmp_peer.environment("sslyze", SSLYZE)
    if missing:
        raise Skip(missing)
    report = site.directory / "sslyze.json"
    argv = [python, "-m", "sslyze", *SCANS, f"--json_out={report}", "--quiet", "--cert", str(site.directory / "good.pem"),
            "--key", str(site.directory / "good.key"), site.address["tls"]]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=300)
    assert report.exists(), done.stdout + done.stderr
    [server] = json.loads(report.read_text())["server_scan_results"]
    findings = server["scan_result"]
    assert findings, f"not scanned: {server['connectivity_error_trace']}"
    result = {name: scan["result"] for name, scan in findings.items() if isinstance(scan, dict) and scan.get("result")}
    for old in ("ssl_2_0", "ssl_3_0", "tls_1_0", "tls_1_1"):
        assert not result[f"{old}_cipher_suites"]["accepted_cipher_suites"], old
    suites = [suite["cipher_suite"]["name"] for version in ("tls_1_2", "tls_1_3")
              for suite in result[f"{version}_cipher_suites"]["accepted_cipher_suites"]]
    assert suites, "no suite at all"
    weak = [suite for suite in suites if not re.search("GCM|CHACHA20", suite) or suite.startswith("TLS_RSA")]
    assert not weak, f"weak: {weak}"
    assert not result["heartbleed"]["is_vulnerable_to_heartbleed"]
    assert not result["openssl_ccs_injection"]["is_vulnerable_to_ccs_injection"]
    assert not result["tls_compression"]["supports_compression"]
    # Not scanned where a newer sslyze thinks it has nothing to find.
    assert not result.get("tls_1_3_early_data", {}).get("supports_early_data")
    assert not result["session_renegotiation"]["is_vulnerable_to_client_renegotiation_dos"]
    assert result["session_renegotiation"]["supports_secure_renegotiation"]
    assert result["robot"]["robot_result"].startswith("NOT_VULNERABLE")
