"""OpenSSL's s_client and sslyze against our agent, and our command against OpenSSL's s_server.

Client certificates are good, expired, revoked, of another authority, or missing.
"""

import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

import agents
import ber
import hostile_servers
import openssl_peer
import pysnmp_peer
import secure_site
from openssl_peer import RESPONSE_TIMEOUT, SYS_DESCR, client, exchange, get, read_message
from results import Skip

SSLYZE = ["sslyze==6.3.1"]
SCANS = ["--sslv2", "--sslv3", "--tlsv1", "--tlsv1_1", "--tlsv1_2", "--tlsv1_3", "--compression", "--early_data",
         "--openssl_ccs", "--heartbleed", "--robot", "--reneg"]
INVALID_CLIENT_CERTIFICATES = "1.3.6.1.2.1.198.2.1.7.0"
WEAK_CIPHERS = ["-cipher", "ALL:@SECLEVEL=0"]


def run(agent, peer):
    if agent.kind != "portreeved":
        return peer.skip("all checks", "only our agent is tested")
    if not shutil.which("openssl"):
        return peer.skip("all checks", "openssl is not installed")
    with tempfile.TemporaryDirectory(prefix="portreeve-tls-") as directory:
        with secure_site.start(pathlib.Path(directory)) as site:
            check_reads(site, peer)
            check_refusals(site, peer)
            peer.check("the agent loads a new certificate at SIGHUP", reloads, site)
            for version in ("tls1_2", "tls1_3"):
                peer.check(f"our command reads from s_server -{version}", reads_from_server, site, version)
            for version in ("tls1", "tls1_1"):
                peer.check(f"our command refuses s_server -{version}", refuses_server, site, version)
            peer.check("our command refuses an s_server of another authority", refuses_other_authority, site)
            hostile_servers.run(site, peer)


def check_reads(site, peer):
    for version in ("-tls1_2", "-tls1_3"):
        peer.check(f"s_client {version} reads an object with SNMPv3 and TSM", reads, site, [version])
        peer.check(f"s_client {version} has the same identity in a resumed session", resumes, site, version)
    peer.check("a pinned client certificate is accepted without a trusted authority", reads, site, ["-tls1_3"], "pinned")


def check_refusals(site, peer):
    for version in ("-tls1", "-tls1_1"):
        peer.check(f"s_client {version} is refused", refused_version, site, version)
    for certificate in ("none", "other-user", "expired", "revoked"):
        for version in ("-tls1_2", "-tls1_3"):
            peer.check(f"s_client {version} gets no response (certificate: {certificate})", gets_nothing, site,
                       certificate, version)
    peer.check("a connection with an untrusted client certificate is counted", untrusted_certificate_is_counted, site)
    peer.check("a SET of a read-only user is rejected", set_is_rejected, site)
    peer.check("renegotiation is refused", renegotiation_is_refused, site)
    peer.check("a request in early data (0-RTT) is refused", early_data_is_refused, site)
    peer.check("sslyze finds no version below TLS 1.2 and no weak cipher suite", sslyze, site)


def reads(site, options, certificate="good"):
    response, errors = get(site, options=options, certificate=certificate)
    assert ber.is_response(response), f"{response!r}\n{errors}"
    assert ber.security_flags(response) == 3, "the response is not authPriv"


def resumes(site, version):
    """The second connection presents no certificate, so its identity is that of the first."""
    session = kept_session(site, version)
    output = talk(site, [version, "-sess_in", session], certificate="none", until=has_response)
    assert b"Reused, " in output, output.decode(errors="replace")


def kept_session(site, version):
    session = site.directory / f"session{version}"
    response, errors = get(site, options=[version, "-sess_out", str(session)])
    assert ber.is_response(response) and session.exists(), errors
    return str(session)


def talk(site, options, certificate, until):
    """Sends a request. Returns s_client's output with session details once `until` accepts it."""
    process = subprocess.Popen(client(site, options, certificate), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT)
    try:
        process.stdin.write(ber.v3_tsm(ber.GET, SYS_DESCR))
        process.stdin.flush()
        output = b""
        while not until(output):
            chunk = process.stdout.read1()
            assert chunk, f"connection closed:\n{output.decode(errors='replace')}"
            output += chunk
        return output
    finally:
        process.kill()
        process.communicate()


def has_response(output):
    return b"\x06\x08\x2b\x06\x01\x02\x01\x01\x01\x00\x04" in output


def early_data_is_refused(site):
    """A replay must have no effect: the ticket allows no data before the handshake ends."""
    session = kept_session(site, "-tls1_3")
    early = site.directory / "early"
    early.write_bytes(ber.v3_tsm(ber.GET, SYS_DESCR))
    output = talk(site, ["-tls1_3", "-sess_in", session, "-early_data", str(early)], "good", has_response)
    assert b"Early data was not sent" in output or b"Early data was rejected" in output, output.decode(errors="replace")


def refused_version(site, version):
    response, errors = get(site, options=[version, *WEAK_CIPHERS])
    assert not response and "alert" in errors, f"{response!r}\n{errors}"


def gets_nothing(site, certificate, version):
    response, errors = get(site, options=[version], certificate=certificate)
    assert not response, f"{response!r}"
    assert "alert" in errors, errors


def untrusted_certificate_is_counted(site):
    before = invalid_certificates(site)
    get(site, certificate="other-user")
    after = invalid_certificates(site)
    assert after == before + 1, f"{before}, then {after}"


def invalid_certificates(site):
    response, errors = get(site, INVALID_CLIENT_CERTIFICATES)
    assert ber.is_response(response), errors
    return ber.only_integer(response)


def set_is_rejected(site):
    response, errors = exchange(site, ber.v3_tsm(ber.SET, "1.3.6.1.2.1.1.4.0", ber.octets(b"interop")))
    assert ber.is_response(response), errors
    assert ber.error_status(response) == 6, f"expected noAccess(6): {response!r}"


def renegotiation_is_refused(site):
    done = subprocess.run(client(site, ["-tls1_2"]), input=b"R\n", capture_output=True, timeout=20)
    errors = done.stderr.decode(errors="replace")
    assert "no renegotiation" in errors or done.returncode, errors


def reloads(site):
    """Replaces the agent's certificate by one of another authority while a session is open."""
    session = subprocess.Popen(client(site, ["-quiet", "-tls1_3"]), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL)
    try:
        read_again(session)
        for name in ("agent.pem", "agent.key"):
            shutil.copy(site.directory / f"other-{name}", site.directory / name)
        site.process.send_signal(1)
        deadline = time.monotonic() + RESPONSE_TIMEOUT
        while time.monotonic() < deadline:
            response, errors = get(site)
            if not response and "verify error" in errors:
                break
            time.sleep(0.1)
        else:
            raise AssertionError("the old certificate is still presented")
        read_again(session)
    finally:
        session.kill()
        session.communicate()
        for name in ("agent.pem", "agent.key"):
            shutil.copy(site.directory / f"first-{name}", site.directory / name)
        site.process.send_signal(1)
        deadline = time.monotonic() + RESPONSE_TIMEOUT
        while time.monotonic() < deadline and not get(site)[0]:
            time.sleep(0.1)


def read_again(process):
    process.stdin.write(ber.v3_tsm(ber.GET, SYS_DESCR))
    process.stdin.flush()
    response = read_message(process)
    assert ber.is_response(response), f"{response!r}"


def reads_from_server(site, version):
    done = get_from_server(site, f"-{version}")
    assert done.returncode == 0 and openssl_peer.RESPONDER_NAME.decode() in done.stdout, done.stdout + done.stderr


def refuses_server(site, version):
    done = get_from_server(site, f"-{version}", *WEAK_CIPHERS)
    assert done.returncode == 1 and not done.stdout, done.stdout
    assert "negotiating protocol" in done.stderr, done.stderr


def refuses_other_authority(site):
    done = get_from_server(site, certificate="other-agent")
    assert done.returncode == 1 and not done.stdout, done.stdout
    assert "verifying the server" in done.stderr, done.stderr


def get_from_server(site, *options, certificate="agent"):
    """Runs our command against s_server with these options, and retries until s_server listens."""
    if not agents.portreeve():
        raise Skip("portreeve is not built")
    port = agents.free_port_range()
    with openssl_peer.server(site, options, port, certificate):
        deadline = time.monotonic() + RESPONSE_TIMEOUT
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
    for version in ("ssl_2_0", "ssl_3_0", "tls_1_0", "tls_1_1"):
        assert not result[f"{version}_cipher_suites"]["accepted_cipher_suites"], version
    suites = [suite["cipher_suite"]["name"] for version in ("tls_1_2", "tls_1_3")
              for suite in result[f"{version}_cipher_suites"]["accepted_cipher_suites"]]
    assert suites, "no suite at all"
    weak = [suite for suite in suites if not re.search("GCM|CHACHA20", suite) or suite.startswith("TLS_RSA")]
    assert not weak, f"weak: {weak}"
    assert not result["heartbleed"]["is_vulnerable_to_heartbleed"]
    assert not result["openssl_ccs_injection"]["is_vulnerable_to_ccs_injection"]
    assert not result["tls_compression"]["supports_compression"]
    # A newer sslyze omits this scan if it considers it pointless.
    assert not result.get("tls_1_3_early_data", {}).get("supports_early_data")
    assert not result["session_renegotiation"]["is_vulnerable_to_client_renegotiation_dos"]
    assert result["session_renegotiation"]["supports_secure_renegotiation"]
    assert result["robot"]["robot_result"].startswith("NOT_VULNERABLE")
