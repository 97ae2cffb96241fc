"""DTLS with foreign programs, in both directions: OpenSSL's s_client and s_server, Net-SNMP's commands and agent.

Net-SNMP finds certificates by name in the folders `tls/certs`, `tls/private` and `tls/ca-certs` of its configuration.
Debian's speaks DTLS 1.2 over UDP; over TCP it speaks TLS 1.0, which nobody here answers."""

import concurrent.futures
import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import agents
import ber
import netsnmp
import openssl_peer
import secured
from openssl_peer import SYS_DESCR, get
from results import Skip

SYSTEM = "1.3.6.1.2.1.1"
SYS_CONTACT = "1.3.6.1.2.1.1.4.0"
DTLS12 = "-dtls1_2"


def run(agent, peer):
    if agent.kind != "portreeved":
        return peer.skip("all checks", "only our agent is asked")
    if not shutil.which("openssl"):
        return peer.skip("all checks", "openssl is not installed")
    with tempfile.TemporaryDirectory(prefix="portreeve-dtls-") as directory:
        with secured.served(pathlib.Path(directory)) as site:
            with_openssl(site, peer)
            with_commands(site, peer)
            with_snmpd(site, peer)


# --- OpenSSL


def with_openssl(site, peer):
    peer.check("s_client -dtls1_2 reads an object by v3 and TSM", reads, site)
    peer.check("s_client -dtls1 is refused", gets_nothing, site, "good", ["-dtls1", "-cipher", "ALL:@SECLEVEL=0"])
    for who in ("nobody", "stranger", "expired", "revoked"):
        peer.check(f"s_client -dtls1_2 as {who} gets no answer", gets_nothing, site, who, [DTLS12])
    peer.check("a pinned certificate needs no authority", reads, site, "pinned")
    peer.check("renegotiation is refused", no_renegotiation, site)
    peer.check("no session is kept to be resumed", is_not_resumed, site)
    for options in ([DTLS12], [DTLS12, "-listen"]):
        peer.check(f"our command reads from s_server {' '.join(options)}", reads_from_server, site, options)
    peer.check("our command refuses s_server -dtls1", refuses_server, site)


def reads(site, who="good"):
    answer, complaint = get(site, options=[DTLS12], who=who)
    assert ber.is_response(answer), f"{answer!r}\n{complaint}"
    assert ber.security_flags(answer) == 3, "the answer is not authPriv"


def gets_nothing(site, who, options):
    answer, complaint = get(site, options=options, who=who)
    assert not answer, f"{answer!r}"
    assert "alert" in complaint, complaint


def no_renegotiation(site):
    """s_client asks for it, and waits; the agent says nothing to it, or ends the session."""
    process = subprocess.Popen(openssl_peer.client(site, [DTLS12]), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT)
    try:
        process.stdin.write(b"R\n")
        process.stdin.flush()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(3)
    finally:
        process.kill()
    said = process.communicate()[0].decode(errors="replace")
    assert "RENEGOTIATING" in said, said
    _, _, after = said.partition("RENEGOTIATING")
    assert "depth=" not in after and "verify return" not in after, f"it has begun again:\n{after}"


def is_not_resumed(site):
    session = site.directory / "dtls-session"
    answer, complaint = get(site, options=[DTLS12, "-sess_out", str(session)])
    assert ber.is_response(answer), complaint
    if session.exists():
        gets_nothing(site, "nobody", [DTLS12, "-sess_in", str(session)])


def reads_from_server(site, options):
    done = asked(site, options)
    assert done.returncode == 0 and openssl_peer.NAME_OF_RESPONDER.decode() in done.stdout, done.stdout + done.stderr


def refuses_server(site):
    done = asked(site, ["-dtls1", "-cipher", "ALL:@SECLEVEL=0"])
    assert done.returncode == 1 and not done.stdout, done.stdout
    assert "agreeing on a protocol" in done.stderr, done.stderr


def asked(site, options):
    port = agents.free_port_range()
    with openssl_peer.server(site, options, port):
        return ours(site, "get", f"dtls:127.0.0.1:{port}", SYS_DESCR)


def ours(site, verb, *arguments, **how):
    """Again where the other end was not listening yet."""
    if not agents.portreeve():
        raise Skip("portreeve is not built")
    deadline = time.monotonic() + openssl_peer.ANSWER_SECONDS
    while True:
        done = site.portreeve(verb, *arguments, **how)
        if "cannot be reached" not in done.stderr or time.monotonic() > deadline:
            return done
        time.sleep(0.1)


# --- Net-SNMP's commands, and our agent


def with_commands(site, peer):
    if not shutil.which("snmpget"):
        return peer.skip("Net-SNMP's commands", "snmpget is not installed")
    lay_out(site, site.directory / "net-snmp")
    peer.check("snmpget -v 3 reads an object", gets, site)
    peer.check("snmpget names the agent's certificate by its fingerprint", gets, site, their_identity=agents_print(site))
    peer.check("snmpwalk reads what our own walk reads", walks, site)
    peer.check("eight snmpgets at once are all answered", gets_at_once, site)
    peer.check("snmpset may not write", may_not_write, site)
    peer.check("snmpget as somebody else's user gets no answer", refused, site, our_identity="stranger")
    peer.check("snmpget refuses an agent that it does not expect", refused, site, their_identity="good")
    peer.check("snmpget over tlstcp is refused, for it speaks TLS 1.0", refuses_old_tls, site)


def lay_out(site, home):
    """The folders in which Net-SNMP looks for certificates."""
    for folder in ("certs", "private", "ca-certs"):
        (home / "tls" / folder).mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in ("agent", "good", "stranger"):
        shutil.copy(site.directory / f"{name}.pem", home / f"tls/certs/{name}.crt")
        shutil.copy(site.directory / f"{name}.key", home / f"tls/private/{name}.key")
    shutil.copy(site.directory / "ca.pem", home / "tls/ca-certs/ca.crt")


def agents_print(site):
    return secured.fingerprint(site.directory / "agent.pem").replace(":", "")


def foreign(site, program, *arguments, transport="dtls", our_identity="good", their_identity="agent",
            **environment):
    """One of Net-SNMP's commands with the options that its DTLS needs."""
    kind = {"dtls": "dtlsudp", "tls": "tlstcp"}[transport]
    argv = [program, "-v", "3", "-On", "-t", "2", "-r", "1", "-T", f"our_identity={our_identity}",
            "-T", f"their_identity={their_identity}", "-T", "trust_cert=ca", f"{kind}:{site.address[transport]}", *arguments]
    return subprocess.run(argv, env={**netsnmp.bare_environment(site.directory), **environment}, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, errors="replace", timeout=60)


def gets(site, **identities):
    done = foreign(site, "snmpget", SYS_DESCR, **identities)
    assert done.returncode == 0 and " = STRING: " in done.stdout, netsnmp.text(done)


def walks(site):
    done = foreign(site, "snmpwalk", SYSTEM)
    assert done.returncode == 0, netsnmp.text(done)
    own = ours(site, "walk", "-On", f"dtls:{site.address['dtls']}", SYSTEM)
    assert own.returncode == 0, own.stderr
    names = [[line.split(" = ")[0] for line in said.splitlines()] for said in (done.stdout, own.stdout)]
    assert names[0] == names[1] and len(names[0]) > 5, netsnmp.text(done)


def gets_at_once(site):
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for outcome in [pool.submit(gets, site) for _ in range(8)]:
            outcome.result()


def may_not_write(site):
    done = foreign(site, "snmpset", SYS_CONTACT, "s", "nobody")
    assert done.returncode == 2 and "noAccess" in done.stderr, netsnmp.text(done)


def refused(site, **identities):
    done = foreign(site, "snmpget", SYS_DESCR, **identities)
    assert done.returncode == 1 and not done.stdout, netsnmp.text(done)


def refuses_old_tls(site):
    """Net-SNMP allows itself TLS 1.0 alone, which OpenSSL 3 offers only where the security level is lowered."""
    configuration = site.directory / "old.cnf"
    configuration.write_text("openssl_conf = all\n[all]\nssl_conf = ssl\n[ssl]\nsystem_default = old\n[old]\n"
                             "MinProtocol = TLSv1\nCipherString = ALL:@SECLEVEL=0\n")
    before = site.log().count("session refused")
    done = foreign(site, "snmpget", SYS_DESCR, transport="tls", OPENSSL_CONF=str(configuration))
    assert done.returncode == 1 and not done.stdout, netsnmp.text(done)
    assert site.log().count("session refused") > before, "the agent's log says nothing of it"


# --- our command, and Net-SNMP's agent


def with_snmpd(site, peer):
    if not shutil.which("snmpd"):
        return peer.skip("our command and snmpd", "snmpd is not installed")
    with snmpd(site) as address:
        peer.check("our command reads from snmpd as whom its certificate's fingerprint names", reads_from_snmpd, site, address)
        peer.check("our command walks over snmpd", walks_over_snmpd, site, address)
        peer.check("our command finds certificates where Net-SNMP keeps them", reads_as_net_snmp, site, address)
        peer.check("our command refuses snmpd where its authority is not trusted", refuses_snmpd, site, address)
        peer.check("our command gets nothing from snmpd as a stranger", nothing_for_stranger, site, address)
        peer.check("our command refuses snmpd over tls, which is TLS 1.0", refuses_tls_of_snmpd, site, address)


@contextlib.contextmanager
def snmpd(site):
    """snmpd over DTLS and TLS, which calls the holder of good.pem ops."""
    home = site.directory / "snmpd"
    lay_out(site, home)
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
    done = ours(site, "get", f"dtls:{address}", SYS_DESCR)
    assert done.returncode == 0 and " = STRING: " in done.stdout, done.stdout + done.stderr


def walks_over_snmpd(site, address):
    done = ours(site, "walk", "-On", f"dtls:{address}", SYSTEM)
    assert done.returncode == 0 and len(done.stdout.splitlines()) > 5, done.stdout + done.stderr


def reads_as_net_snmp(site, address):
    done = ours(site, "get", "-T", "our_identity=good", "-T", "their_identity=agent", f"dtlsudp:{address}", SYS_DESCR,
                who=None, authority=None, SNMPCONFPATH=str(site.directory / "snmpd"))
    assert done.returncode == 0 and " = STRING: " in done.stdout, done.stdout + done.stderr


def refuses_snmpd(site, address):
    done = ours(site, "get", f"dtls:{address}", SYS_DESCR, authority="other-ca")
    assert done.returncode == 1 and "checking who the server is" in done.stderr, done.stderr


def nothing_for_stranger(site, address):
    done = ours(site, "get", "-t", "1", "-r", "0", f"dtls:{address}", SYS_DESCR, who="stranger")
    assert done.returncode == 1 and not done.stdout, done.stdout


def refuses_tls_of_snmpd(site, address):
    done = ours(site, "get", f"tls:{address}", SYS_DESCR)
    assert done.returncode == 1 and "agreeing on a protocol" in done.stderr, done.stderr
