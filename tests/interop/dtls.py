"""DTLS with third-party programs in both directions.

They are OpenSSL's s_client and s_server, GnuTLS's client, and Net-SNMP's commands and agent.
Net-SNMP finds certificates by name in `tls/certs`, `tls/private` and `tls/ca-certs` below its
configuration. Debian's build supports DTLS 1.2 over UDP, but over TCP only TLS 1.0, which our
programs refuse.
"""

import concurrent.futures
import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
import time

import agents
import ber
import netsnmp
import openssl_peer
import secure_site
from openssl_peer import SYS_DESCR, get
from results import Skip

SYSTEM = "1.3.6.1.2.1.1"
SYS_CONTACT = "1.3.6.1.2.1.1.4.0"
DTLS12 = "-dtls1_2"
# With this MTU and a long extension, s_client's ClientHello does not fit into one datagram.
FRAGMENTED = ["-mtu", "256", "-alpn", "x" * 150]


def run(agent, peer):
    if agent.kind != "portreeved":
        return peer.skip("all checks", "only our agent is tested")
    if not shutil.which("openssl"):
        return peer.skip("all checks", "openssl is not installed")
    with tempfile.TemporaryDirectory(prefix="portreeve-dtls-") as directory:
        with secure_site.start(pathlib.Path(directory)) as site:
            check_openssl(site, peer)
            peer.check("gnutls-cli with a ClientHello in two fragments opens a session", gnutls_opens, site)
            check_net_snmp_commands(site, peer)
            check_snmpd(site, peer)


# --- OpenSSL


def check_openssl(site, peer):
    peer.check("s_client -dtls1_2 reads an object with SNMPv3 and TSM", reads, site)
    peer.check("s_client with a ClientHello in two fragments reads an object", reads, site, options=FRAGMENTED)
    peer.check("s_client -dtls1 is refused", gets_nothing, site, "good", ["-dtls1", "-cipher", "ALL:@SECLEVEL=0"])
    for certificate in ("none", "other-user", "expired", "revoked"):
        peer.check(f"s_client -dtls1_2 gets no response (certificate: {certificate})", gets_nothing, site, certificate, [DTLS12])
    peer.check("a pinned client certificate is accepted without a trusted authority", reads, site, "pinned")
    peer.check("renegotiation is refused", renegotiation_is_refused, site)
    peer.check("a DTLS session cannot be resumed", session_is_not_resumed, site)
    for options in ([DTLS12], [DTLS12, "-listen"]):
        peer.check(f"our command reads from s_server {' '.join(options)}", reads_from_server, site, options)
    peer.check("our command refuses s_server -dtls1", refuses_server, site)


def reads(site, certificate="good", options=()):
    response, errors = get(site, options=[DTLS12, *options], certificate=certificate)
    assert ber.is_response(response), f"{response!r}\n{errors}"
    assert ber.security_flags(response) == 3, "the response is not authPriv"


def gnutls_opens(site):
    if not shutil.which("gnutls-cli"):
        raise Skip("gnutls-cli is not installed (Debian: gnutls-bin)")
    host, _, port = site.address["dtls"].rpartition(":")
    argv = ["gnutls-cli", "--udp", "--mtu", "200", "--x509cafile", site.directory / "ca.pem", "--x509certfile",
            site.directory / "good.pem", "--x509keyfile", site.directory / "good.key", "--port", port, host]
    done = subprocess.run([str(word) for word in argv], input="", capture_output=True, text=True, timeout=30)
    assert "Handshake was completed" in done.stdout, done.stdout + done.stderr


def gets_nothing(site, certificate, options):
    response, errors = get(site, options=options, certificate=certificate)
    assert not response, f"{response!r}"
    assert "alert" in errors, errors


def renegotiation_is_refused(site):
    """s_client requests a renegotiation; the agent ignores the request or closes the session."""
    process = subprocess.Popen(openssl_peer.client(site, [DTLS12]), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT)
    watchdog = threading.Timer(openssl_peer.RESPONSE_TIMEOUT, process.kill)
    watchdog.start()
    output = ""
    try:
        process.stdin.write(b"R\n")
        process.stdin.flush()
        # s_client repeats its ClientHello at each timeout.
        while output.count("TIMEOUT occurred") < 2 and (chunk := process.stdout.read1()):
            output += chunk.decode(errors="replace")
    finally:
        watchdog.cancel()
        process.kill()
        process.communicate()
    assert "RENEGOTIATING" in output, output
    _, _, after = output.partition("RENEGOTIATING")
    assert "depth=" not in after and "verify return" not in after, f"renegotiated:\n{after}"


def session_is_not_resumed(site):
    session = site.directory / "dtls-session"
    response, errors = get(site, options=[DTLS12, "-sess_out", str(session)])
    assert ber.is_response(response), errors
    if session.exists():
        gets_nothing(site, "none", [DTLS12, "-sess_in", str(session)])


def reads_from_server(site, options):
    done = get_from_server(site, options)
    assert done.returncode == 0 and openssl_peer.RESPONDER_NAME.decode() in done.stdout, done.stdout + done.stderr


def refuses_server(site):
    done = get_from_server(site, ["-dtls1", "-cipher", "ALL:@SECLEVEL=0"])
    assert done.returncode == 1 and not done.stdout, done.stdout
    assert "negotiating protocol" in done.stderr, done.stderr


def get_from_server(site, options):
    port = agents.free_port_range()
    with openssl_peer.server(site, options, port):
        return portreeve(site, "get", f"dtls:127.0.0.1:{port}", SYS_DESCR)


def portreeve(site, verb, *arguments, **settings):
    """Runs our command and retries until the server listens."""
    if not agents.portreeve():
        raise Skip("portreeve is not built")
    deadline = time.monotonic() + openssl_peer.RESPONSE_TIMEOUT
    while True:
        done = site.portreeve(verb, *arguments, **settings)
        if "not reachable" not in done.stderr or time.monotonic() > deadline:
            return done
        time.sleep(0.1)


# --- Net-SNMP's commands and our agent


def check_net_snmp_commands(site, peer):
    if not shutil.which("snmpget"):
        return peer.skip("Net-SNMP's commands", "snmpget is not installed")
    install_certificates(site, site.directory / "net-snmp")
    peer.check("snmpget -v 3 reads an object", snmpget_reads, site)
    peer.check("snmpget identifies the agent by its fingerprint", snmpget_reads, site, their_identity=agent_fingerprint(site))
    peer.check("snmpwalk and our walk read the same objects", walks_agree, site)
    peer.check("eight simultaneous snmpgets get responses", snmpgets_read_at_once, site)
    peer.check("snmpset of a read-only user is rejected", set_is_rejected, site)
    peer.check("snmpget with a certificate of another authority gets no response", snmpget_fails, site,
               our_identity="other-user")
    peer.check("snmpget refuses an unexpected agent certificate", snmpget_fails, site, their_identity="good")
    peer.check("snmpget over tlstcp is refused because it uses TLS 1.0", tls_1_0_is_refused, site)


def install_certificates(site, home):
    """Fills the directories where Net-SNMP looks for certificates."""
    for folder in ("certs", "private", "ca-certs"):
        (home / "tls" / folder).mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in ("agent", "good", "other-user"):
        shutil.copy(site.directory / f"{name}.pem", home / f"tls/certs/{name}.crt")
        shutil.copy(site.directory / f"{name}.key", home / f"tls/private/{name}.key")
    shutil.copy(site.directory / "ca.pem", home / "tls/ca-certs/ca.crt")


def agent_fingerprint(site):
    return secure_site.fingerprint(site.directory / "agent.pem").replace(":", "")


def net_snmp(site, program, *arguments, transport="dtls", our_identity="good", their_identity="agent",
            **environment):
    """Runs a Net-SNMP command with the options that its DTLS needs."""
    kind = {"dtls": "dtlsudp", "tls": "tlstcp"}[transport]
    argv = [program, "-v", "3", "-On", "-t", "2", "-r", "1", "-T", f"our_identity={our_identity}",
            "-T", f"their_identity={their_identity}", "-T", "trust_cert=ca", f"{kind}:{site.address[transport]}", *arguments]
    return subprocess.run(argv, env={**netsnmp.bare_environment(site.directory), **environment}, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, errors="replace", timeout=60)


def snmpget_reads(site, **identities):
    done = net_snmp(site, "snmpget", SYS_DESCR, **identities)
    assert done.returncode == 0 and " = STRING: " in done.stdout, netsnmp.transcript(done)


def walks_agree(site):
    done = net_snmp(site, "snmpwalk", SYSTEM)
    assert done.returncode == 0, netsnmp.transcript(done)
    own = portreeve(site, "walk", "-On", f"dtls:{site.address['dtls']}", SYSTEM)
    assert own.returncode == 0, own.stderr
    names = [[line.split(" = ")[0] for line in output.splitlines()] for output in (done.stdout, own.stdout)]
    assert names[0] == names[1] and len(names[0]) > 5, netsnmp.transcript(done)


def snmpgets_read_at_once(site):
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for outcome in [pool.submit(snmpget_reads, site) for _ in range(8)]:
            outcome.result()


def set_is_rejected(site):
    done = net_snmp(site, "snmpset", SYS_CONTACT, "s", "interop")
    assert done.returncode == 2 and "noAccess" in done.stderr, netsnmp.transcript(done)


def snmpget_fails(site, **identities):
    done = net_snmp(site, "snmpget", SYS_DESCR, **identities)
    assert done.returncode == 1 and not done.stdout, netsnmp.transcript(done)


def tls_1_0_is_refused(site):
    """Net-SNMP enables only TLS 1.0, which OpenSSL 3 supports only at a lowered security level."""
    configuration = site.directory / "old.cnf"
    configuration.write_text("openssl_conf = all\n[all]\nssl_conf = ssl\n[ssl]\nsystem_default = old\n[old]\n"
                             "MinProtocol = TLSv1\nCipherString = ALL:@SECLEVEL=0\n")
    before = site.log().count("session refused")
    done = net_snmp(site, "snmpget", SYS_DESCR, transport="tls", OPENSSL_CONF=str(configuration))
    assert done.returncode == 1 and not done.stdout, netsnmp.transcript(done)
    assert site.log().count("session refused") > before, "the refusal is not logged"


# --- our command and Net-SNMP's agent


def check_snmpd(site, peer):
    if not shutil.which("snmpd"):
        return peer.skip("our command and snmpd", "snmpd is not installed")
    with snmpd(site) as address:
        peer.check("our command reads from snmpd as the user of its certificate", reads_from_snmpd, site, address)
        peer.check("our command walks the objects of snmpd", walks_over_snmpd, site, address)
        peer.check("our command finds certificates in the directories of Net-SNMP", reads_as_net_snmp, site, address)
        peer.check("our command refuses snmpd if its authority is not trusted", refuses_snmpd, site, address)
        peer.check("our command gets no response from snmpd with a certificate of another authority",
                   other_user_gets_nothing, site, address)
        peer.check("our command refuses snmpd over tls because it uses TLS 1.0", refuses_snmpd_over_tls, site, address)


@contextlib.contextmanager
def snmpd(site):
    """Runs snmpd with DTLS and TLS; it maps the certificate good.pem to the user ops."""
    home = site.directory / "snmpd"
    install_certificates(site, home)
    port = agents.free_port_range()
    (home / "snmpd.conf").write_text(
        f"agentaddress dtlsudp:127.0.0.1:{port},tlstcp:127.0.0.1:{port}\n[snmp] localCert agent\n[snmp] trustCert ca\n"
        f"certSecName 10 good --sn ops\nrouser -s tsm ops authpriv\n")
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "SNMPCONFPATH": str(home), "MIBS": "",
                   "SNMP_PERSISTENT_DIR": str(home / "state")}
    with (site.directory / "snmpd.log").open("w") as log:
        process = subprocess.Popen(["snmpd", "-f", "-Le", "-C", "-c", str(home / "snmpd.conf")], env=environment,
                                   stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            yield f"127.0.0.1:{port}"
        finally:
            agents.stop(process)


def reads_from_snmpd(site, address):
    done = portreeve(site, "get", f"dtls:{address}", SYS_DESCR)
    assert done.returncode == 0 and " = STRING: " in done.stdout, done.stdout + done.stderr


def walks_over_snmpd(site, address):
    done = portreeve(site, "walk", "-On", f"dtls:{address}", SYSTEM)
    assert done.returncode == 0 and len(done.stdout.splitlines()) > 5, done.stdout + done.stderr


def reads_as_net_snmp(site, address):
    done = portreeve(site, "get", "-T", "our_identity=good", "-T", "their_identity=agent", f"dtlsudp:{address}", SYS_DESCR,
                     certificate=None, authority=None, SNMPCONFPATH=str(site.directory / "snmpd"))
    assert done.returncode == 0 and " = STRING: " in done.stdout, done.stdout + done.stderr


def refuses_snmpd(site, address):
    done = portreeve(site, "get", f"dtls:{address}", SYS_DESCR, authority="other-ca")
    assert done.returncode == 1 and "verifying the server" in done.stderr, done.stderr


def other_user_gets_nothing(site, address):
    done = portreeve(site, "get", "-t", "1", "-r", "0", f"dtls:{address}", SYS_DESCR, certificate="other-user")
    assert done.returncode == 1 and not done.stdout, done.stdout


def refuses_snmpd_over_tls(site, address):
    done = portreeve(site, "get", f"tls:{address}", SYS_DESCR)
    assert done.returncode == 1 and "negotiating protocol" in done.stderr, done.stderr
