"""Our agent as a sender of notifications.

It has a `[[notify]]` for each kind, version and level that a receiver accepts. At its start, the
agent sends coldStart to each target.
"""

import contextlib
import pathlib
import subprocess
import tempfile
from dataclasses import dataclass

import agents

ENGINE = "8000000005c1c2c3c4c5c6c7c8"
COMMUNITY = "public"
AUTH_PASS, PRIV_PASS = "authentic phrase", "private phrase"
COLD_START = "1.3.6.1.6.3.1.1.5.1"
LEVELS = ("noAuthNoPriv", "authNoPriv", "authPriv")


@dataclass(frozen=True)
class Target:
    """A target; `principal` is its community or user. Targets in sessions have no level of their own."""

    kind: str
    version: str
    transport: str
    address: str
    principal: str
    level: str = ""

    @property
    def title(self):
        return " ".join(filter(None, [self.version, self.kind, f"at {self.level}" if self.level else "", "over", self.transport]))

    def section(self, number, session_options):
        lines = [f'name = "{number}"', f'to = "{self.transport}:{self.address}"', f'kind = "{self.kind}"']
        if self.version in ("v1", "v2c"):
            lines += [f'version = "{self.version}"', f'community = "{self.principal}"']
        elif self.level:
            lines += [f'user = "{self.principal}"', f'level = "{self.level}"']
        else:
            lines += session_options
        return "\n".join(["[[notify]]", *lines, ""])


def over_datagrams_and_streams(udp, tcp):
    """The targets of a receiver over UDP and, unless `tcp` is None, over TCP."""
    kinds = [("trap", "v1", COMMUNITY, ""), ("trap", "v2c", COMMUNITY, ""), ("inform", "v2c", COMMUNITY, "")]
    kinds += [(kind, "v3", f"{kind}{level}", level) for kind in ("trap", "inform") for level in LEVELS]
    return [Target(kind, version, transport, address, principal, level) for transport, address in (("udp", udp), ("tcp", tcp))
            if address for kind, version, principal, level in kinds]


def over_sessions(transports):
    """The targets of a receiver over TLS or DTLS, which is a dictionary from transport to address."""
    return [Target(kind, "v3", transport, address, "ops") for transport, address in transports.items()
            for kind in ("trap", "inform")]


@contextlib.contextmanager
def running(directory, targets):
    """Runs the agent until the end of the block; its certificate is good.pem in `directory`."""
    home = pathlib.Path(tempfile.mkdtemp(prefix="notifying-", dir=directory))
    session_options = [f'certificate = "{directory / "good.pem"}"', f'key = "{directory / "good.key"}"',
                       f'authorities = ["{directory / "ca.pem"}"]']
    sections = [target.section(number, session_options) for number, target in enumerate(targets)]
    users = dict.fromkeys((target.principal, target.level) for target in targets if target.level)
    path = home / "portreeved.toml"
    path.write_text("\n".join([
        f'[agent]\nstate-dir = "state"\nengine-id = "0x{ENGINE}"\n',
        f'[[listen]]\naddress = "127.0.0.1:{agents.free_port_range()}"\n',
        '[weak]\nallow = ["communities", "noAuthNoPriv"]\n', *(user_section(*user) for user in users), *sections]))
    path.chmod(0o600)
    argv = [str(agents.portreeved()), "run", "--first-start", "--config", str(path)]
    with (home / "log").open("w") as log:
        process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            assert process.stdout.readline().strip() == "ready", (home / "log").read_text()
            yield home / "log"
        finally:
            agents.stop(process)


def user_section(name, level):
    lines = [f'name = "{name}"', f'level = "{level}"']
    if level != "noAuthNoPriv":
        lines.append(f'auth-pass = "{AUTH_PASS}"')
    if level == "authPriv":
        lines.append(f'priv-pass = "{PRIV_PASS}"')
    return "\n".join(["[[user]]", *lines, ""])
