"""Creates certificates with OpenSSL: two authorities, agents and users.

Users are good, expired, revoked, pinned, or of the other authority.
"""

import shutil
import subprocess


def make_certificates(directory):
    """Creates two authorities, the agents' certificates, and one user certificate of each kind."""
    for authority in ("ca", "other-ca"):
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
                "-subj", f"/CN={authority}", "-keyout", directory / f"{authority}.key",
                "-out", directory / f"{authority}.pem")
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
            "-subj", "/CN=pinned", "-keyout", directory / "pinned.key", "-out", directory / "pinned.pem")
    for name, authority, subject in (("agent", "ca", "agent"), ("other-agent", "other-ca", "agent"),
                                     ("good", "ca", "ops"), ("other-user", "other-ca", "ops"), ("revoked", "ca", "ops")):
        issue(directory, name, authority, subject, "-days", "30")
    issue(directory, "other-name", "ca", "agent", "-days", "30", names="DNS:other-name.example")
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


def issue(directory, name, authority, subject, *validity, names="IP:127.0.0.1,DNS:localhost"):
    openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={subject}",
            "-keyout", directory / f"{name}.key", "-out", directory / "request")
    extensions = directory / "extensions"
    extensions.write_text(f"subjectAltName={names}\nbasicConstraints=CA:FALSE\n")
    if validity[0] == "-days":
        openssl("x509", "-req", "-in", directory / "request", "-CA", directory / f"{authority}.pem",
                "-CAkey", directory / f"{authority}.key", "-extfile", extensions, "-out", directory / f"{name}.pem",
                *validity)
        return
    # `openssl ca` is the command that can set both dates.
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


def fingerprint(path):
    """The SHA-256 fingerprint in OpenSSL's notation."""
    return openssl("x509", "-in", path, "-noout", "-fingerprint", "-sha256").partition("=")[2].strip()
