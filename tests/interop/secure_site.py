"""An agent with TLS, DTLS and SSH, credentials for its users, and our command as a client."""

import contextlib
import os
import shutil
import subprocess
import sys

import agents
from certificates import fingerprint, make_certificates

TIMEOUT = 60


class Site:
    """A running agent, its address for each transport, and the directory with all keys."""

    def __init__(self, directory):
        base = agents.free_port_range()
        self.directory = directory
        self.address = {"tls": f"127.0.0.1:{base}", "dtls": f"127.0.0.1:{base}", "ssh": f"127.0.0.1:{base + 1}",
                        "ssh-post-quantum": f"127.0.0.1:{base + 2}"}
        self.process = None

    def log(self):
        return (self.directory / "agent.log").read_text()

    def portreeve(self, *arguments, certificate="good", authority="ca", **environment):
        """Runs our command, isolated from the user who runs the tests."""
        home = self.directory / "home"
        (home / "run").mkdir(mode=0o700, parents=True, exist_ok=True)
        argv = [agents.portreeve(), *arguments[:1]]
        if certificate:
            argv += ["--certificate", self.directory / f"{certificate}.pem", "--key", self.directory / f"{certificate}.key"]
        if authority:
            argv += ["--ca", self.directory / f"{authority}.pem"]
        environment = {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_RUNTIME_DIR": str(home / "run"), "MIBS": "",
                       **environment}
        return subprocess.run([*argv, *arguments[1:]], env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=TIMEOUT)


@contextlib.contextmanager
def start(directory, ssh=False):
    """Runs the agent with TLS and DTLS. With `ssh` also with SSH, which needs ssh-keygen."""
    make_certificates(directory)
    site = Site(directory)
    configuration = tls_configuration(site) + (ssh_configuration(site) if ssh else "")
    (directory / "portreeved.toml").write_text(configuration)
    binary = str(agents.portreeved())
    with (directory / "agent.log").open("w+") as log:
        argv = [binary, "run", "--config", str(directory / "portreeved.toml")]
        site.process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            if site.process.stdout.readline().strip() != "ready":
                log.seek(0)
                sys.exit(f"tests/interop/run: the agent for sessions did not become ready\n{log.read()[-4000:]}")
            yield site
        finally:
            agents.stop(site.process)


def tls_configuration(site):
    return f"""
[agent]
state-dir = "state"

[[listen]]
transport = "tls"
address = "{site.address["tls"]}"

[[listen]]
transport = "dtls"
address = "{site.address["dtls"]}"

[tls]
certificate = "agent.pem"
key = "agent.key"
authorities = ["ca.pem"]
crl = ["ca.crl"]

[[tls.name]]
fingerprint = "{fingerprint(site.directory / "pinned.pem")}"
name = "ops"

[[tls.name]]
fingerprint = "{fingerprint(site.directory / "ca.pem")}"
map = "common-name"

[[session-user]]
name = "ops"
access = "read"
"""


def ssh_configuration(site):
    """Creates the keys, and returns the configuration: ops logs in with a listed key or a certificate of `user_ca`."""
    for name in ("host", "listed", "unlisted", "certified", "user_ca", "other_ca"):
        keygen("-t", "ed25519", "-N", "", "-C", name, "-f", site.directory / name)
    certify(site, "user_ca", "ops", "certified")
    shutil.copy(site.directory / "listed.pub", site.directory / "authorized_keys")
    (site.directory / "authorized_keys").chmod(0o600)
    return f"""
[[listen]]
transport = "ssh"
address = "{site.address["ssh"]}"

[[listen]]
transport = "ssh"
address = "{site.address["ssh-post-quantum"]}"
key-exchanges = ["mlkem768x25519-sha256"]

[ssh]
host-keys = ["host"]
authorized-keys = ["authorized_keys"]
authorities = "user_ca.pub"
"""


def certify(site, authority, principal, key, *options):
    """Creates `{key}-cert.pub`."""
    keygen("-s", site.directory / authority, "-I", key, "-n", principal, *options, site.directory / f"{key}.pub")


def keygen(*arguments):
    done = subprocess.run(["ssh-keygen", "-q", *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True)
    assert done.returncode == 0, f"ssh-keygen: {done.stderr}"
