"""OpenSSL's s_client and sslyze against an agent of our own with certificates that OpenSSL made: good, expired,
revoked, from another authority, and none at all."""

import contextlib
import json
import os
import pathlib
import re
import selectors
import shutil
import subprocess
import sys
import tempfile
import time

import agents
import ber
import pysnmp_peer
from results import Skip

SSLYZE = ["sslyze==6.3.1"]
SCANS = ["--sslv2", "--sslv3", "--tlsv1", "--tlsv1_1", "--tlsv1_2", "--tlsv1_3", "--compression", "--early_data",
         "--openssl_ccs", "--heartbleed", "--robot", "--reneg"]
SYS_DESCR = "1.3.6.1.2.1.1.1.0"
INVALID_CLIENT_CERTIFICATES = "1.3.6.1.2.1.198.2.1.7.0"
ANSWER_SECONDS = 10


def run(agent, peer):
    if agent.kind != "portreeved":
        return peer.skip("all checks", "only our agent is asked")
    if not shutil.which("openssl"):
        return peer.skip("all checks", "openssl is not installed")
    with tempfile.TemporaryDirectory(prefix="portreeve-tls-") as directory, served(pathlib.Path(directory)) as site:
        for version in ("-tls1_2", "-tls1_3"):
            peer.check(f"s_client {version} reads an object by v3 and TSM", reads, site, [version])
        for version in ("-tls1", "-tls1_1"):
            peer.check(f"s_client {version} is refused", refused_version, site, version)
        for who in ("nobody", "stranger", "expired", "revoked"):
            for version in ("-tls1_2", "-tls1_3"):
                peer.check(f"s_client {version} as {who} gets no answer", gets_nothing, site, who, version)
        peer.check("a certificate that is not trusted is counted", is_counted, site)
        peer.check("a pinned certificate needs no authority", reads, site, ["-tls1_3"], "pinned")
        peer.check("what a certificate grants is read-only", may_not_write, site)
        peer.check("renegotiation is refused", no_renegotiation, site)
        peer.check("new certificates after SIGHUP", reloads, site)
        peer.check("sslyze finds nothing below TLS 1.2 and nothing weak", sslyze, site)


class Site:
    """An agent over TLS, and the certificates of its users."""

    def __init__(self, directory, address):
        self.directory = directory
        self.address = address
        self.process = None

    def client(self, options, who):
        argv = ["openssl", "s_client", "-connect", self.address, "-CAfile", self.directory / "ca.pem",
                "-verify_return_error", "-quiet", *options]
        if who != "nobody":
            argv += ["-cert", self.directory / f"{who}.pem", "-key", self.directory / f"{who}.key"]
        return [str(word) for word in argv]

    def ask(self, message, options=(), who="good"):
        """What comes back, or nothing; and what s_client complains of."""
        process = subprocess.Popen(self.client(options, who), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(message)
            process.stdin.flush()
        answer = read_message(process)
        process.kill()
        return answer, process.communicate()[1].decode(errors="replace")

    def get(self, oid, **how):
        return self.ask(ber.v3_tsm(ber.GET, oid), **how)


def reads(site, options, who="good"):
    answer, complaint = site.get(SYS_DESCR, options=options, who=who)
    assert ber.is_response(answer), f"{answer!r}\n{complaint}"
    assert ber.security_flags(answer) == 3, "the answer is not authPriv"


def refused_version(site, version):
    answer, complaint = site.get(SYS_DESCR, options=[version, "-cipher", "ALL:@SECLEVEL=0"])
    assert not answer and "alert" in complaint, f"{answer!r}\n{complaint}"


def gets_nothing(site, who, version):
    answer, complaint = site.get(SYS_DESCR, options=[version], who=who)
    assert not answer, f"{answer!r}"
    assert "alert" in complaint, complaint


def is_counted(site):
    before = counter(site)
    site.get(SYS_DESCR, who="stranger")
    after = counter(site)
    assert after == before + 1, f"{before}, then {after}"


def counter(site):
    answer, complaint = site.get(INVALID_CLIENT_CERTIFICATES)
    assert ber.is_response(answer), complaint
    return ber.last_number(answer)


def may_not_write(site):
    answer, complaint = site.ask(ber.v3_tsm(ber.SET, "1.3.6.1.2.1.1.4.0", ber.octets(b"nobody")))
    assert ber.is_response(answer), complaint
    assert ber.error_status(answer) == 6, f"noAccess(6) wanted: {answer!r}"


def no_renegotiation(site):
    argv = [word for word in site.client(["-tls1_2"], "good") if word != "-quiet"]
    done = subprocess.run(argv, input=b"R\n", capture_output=True, timeout=20)
    complaint = done.stderr.decode(errors="replace")
    assert "no renegotiation" in complaint or done.returncode, complaint


def reloads(site):
    """The agent gets another certificate of another authority while a session is open."""
    open_one = subprocess.Popen(site.client(["-tls1_3"], "good"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL)
    try:
        ask_again(open_one)
        for name in ("agent.pem", "agent.key"):
            shutil.copy(site.directory / f"other-{name}", site.directory / name)
        site.process.send_signal(1)
        deadline = time.monotonic() + ANSWER_SECONDS
        while time.monotonic() < deadline:
            answer, complaint = site.get(SYS_DESCR)
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
        while time.monotonic() < deadline and not site.get(SYS_DESCR)[0]:
            time.sleep(0.1)


def ask_again(process):
    process.stdin.write(ber.v3_tsm(ber.GET, SYS_DESCR))
    process.stdin.flush()
    answer = read_message(process)
    assert ber.is_response(answer), f"{answer!r}"


def sslyze(site):
    python, missing = pysnmp_peer.environment("sslyze", SSLYZE)
    if missing:
        raise Skip(missing)
    report = site.directory / "sslyze.json"
    argv = [python, "-m", "sslyze", *SCANS, f"--json_out={report}", "--quiet", "--cert", str(site.directory / "good.pem"),
            "--key", str(site.directory / "good.key"), site.address]
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


def read_message(process):
    """One BER message, or nothing where the other end closes or stays silent."""
    octets = b""
    deadline = time.monotonic() + ANSWER_SECONDS
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while time.monotonic() < deadline and not ber.is_whole(octets):
            if selector.select(timeout=0.2):
                more = os.read(process.stdout.fileno(), 65536)
                if not more:
                    return b""
                octets += more
    return octets if ber.is_whole(octets) else b""


@contextlib.contextmanager
def served(directory):
    make_certificates(directory)
    site = Site(directory, f"127.0.0.1:{agents.free_port_range()}")
    (directory / "portreeved.toml").write_text(configuration(directory, site.address))
    binary = os.environ.get("PORTREEVED", str(agents.ROOT / "target/release/portreeved"))
    with (directory / "agent.log").open("w+") as log:
        argv = [binary, "run", "--config", str(directory / "portreeved.toml")]
        site.process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            if site.process.stdout.readline().strip() != "ready":
                log.seek(0)
                sys.exit(f"tests/interop/run: the agent for TLS did not get ready\n{log.read()[-4000:]}")
            yield site
        finally:
            agents.stop(site.process)


def configuration(directory, address):
    fingerprint = {name: openssl("x509", "-in", directory / f"{name}.pem", "-noout", "-fingerprint", "-sha256")
                   .partition("=")[2].strip() for name in ("ca", "pinned")}
    return f"""
[agent]
state-dir = "state"

[[listen]]
transport = "tls"
address = "{address}"

[tls]
certificate = "agent.pem"
key = "agent.key"
authorities = ["ca.pem"]
crl = ["ca.crl"]

[[tls.name]]
fingerprint = "{fingerprint["pinned"]}"
name = "ops"

[[tls.name]]
fingerprint = "{fingerprint["ca"]}"
map = "common-name"

[[session-user]]
name = "ops"
access = "read"
"""


def make_certificates(directory):
    """Two authorities, two certificates of the agent's, and one of each kind of user's."""
    for authority in ("ca", "other-ca"):
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
                "-subj", f"/CN={authority}", "-keyout", directory / f"{authority}.key",
                "-out", directory / f"{authority}.pem")
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
            "-subj", "/CN=pinned", "-keyout", directory / "pinned.key", "-out", directory / "pinned.pem")
    for name, authority, subject in (("agent", "ca", "agent"), ("other-agent", "other-ca", "agent"),
                                     ("good", "ca", "ops"), ("stranger", "other-ca", "ops"), ("revoked", "ca", "ops")):
        issue(directory, name, authority, subject, "-days", "30")
    issue(directory, "expired", "ca", "ops", "-not_before", "20200101000000Z", "-not_after", "20200201000000Z")
    for name in ("agent.pem", "agent.key"):
        shutil.copy(directory / name, directory / f"first-{name}")
    (directory / "index").touch()
    (directory / "ca.cnf").write_text(
        f"[ca]\ndefault_ca=d\n[d]\ndatabase={directory}/index\ndefault_md=sha256\ndefault_crl_days=30\n"
        f"crlnumber={directory}/number\n")
    (directory / "number").write_text("01\n")
    signer = ["-config", directory / "ca.cnf", "-cert", directory / "ca.pem", "-keyfile", directory / "ca.key"]
    openssl("ca", *signer, "-revoke", directory / "revoked.pem")
    openssl("ca", *signer, "-gencrl", "-out", directory / "ca.crl")


def issue(directory, name, authority, subject, *validity):
    openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={subject}",
            "-keyout", directory / f"{name}.key", "-out", directory / "request")
    extensions = directory / "extensions"
    extensions.write_text("subjectAltName=IP:127.0.0.1,DNS:localhost\nbasicConstraints=CA:FALSE\n")
    if validity[0] == "-days":
        openssl("x509", "-req", "-in", directory / "request", "-CA", directory / f"{authority}.pem",
                "-CAkey", directory / f"{authority}.key", "-extfile", extensions, "-out", directory / f"{name}.pem",
                *validity)
        return
    # Only `ca` can be told both dates.
    config = directory / "dates.cnf"
    config.write_text(f"[ca]\ndefault_ca=d\n[d]\ndatabase={directory}/dates\nnew_certs_dir={directory}\n"
                      "default_md=sha256\nrand_serial=yes\npolicy=p\n[p]\ncommonName=supplied\n")
    (directory / "dates").touch()
    dates = [{"-not_before": "-startdate", "-not_after": "-enddate"}.get(word, word) for word in validity]
    openssl("ca", "-batch", "-notext", "-config", config, "-cert", directory / f"{authority}.pem",
            "-keyfile", directory / f"{authority}.key", "-extfile", extensions, "-in", directory / "request",
            "-out", directory / f"{name}.pem", *dates)


def openssl(*arguments):
    done = subprocess.run(["openssl", *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, f"openssl {arguments[0]}: {done.stderr}"
    return done.stdout
