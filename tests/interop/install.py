"""`make install`, `make alternatives` and `make uninstall`, below a temporary DESTDIR."""

import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile

import agents
from results import Skip

# The seconds for a target: each installation copies half a gigabyte of debug builds.
TIMEOUT = 300
PREFIX = "/opt/snmp"
PAM_SERVICE = "etc/pam.d/portreeve"


def run(agent, peer):
    if agent.kind != "portreeved" or not agents.portreeved().exists():
        return peer.skip("all checks", "our programs are not built")
    peer.check("make uninstall removes everything that make install creates", nothing_remains)
    peer.check("make uninstall keeps files of others and a changed PAM service", other_files_remain)
    peer.check("make uninstall removes the alternatives", alternatives_are_removed)
    peer.check("the installed lab finds the other programs", lab_measures)
    peer.check("each installed program accepts that the reader of its help has gone", readers_may_go)


def nothing_remains():
    with destination() as directory:
        make("install", directory)
        installed = files(directory)
        for path in ("opt/snmp/sbin/portreeved", "opt/snmp/libexec/portreeve/portreeve-poll", "opt/snmp/libexec/portreeve/classic/snmpwalk", PAM_SERVICE,
                     "opt/snmp/libexec/portreeve/portreeve-yang", "opt/snmp/share/man/man1/portreeve-yang.1"):
            assert path in installed, f"{path} is not installed"
        make("uninstall", directory)
        assert files(directory) == set(), files(directory)
        assert not (directory / "opt/snmp/libexec/portreeve").exists()


def lab_measures():
    with destination() as directory:
        make("install", directory)
        portreeve, out = directory / "opt/snmp/bin/portreeve", directory / "run"
        for arguments in (["demo"], ["run", "demo", "--quick", "--out", out]):
            done = subprocess.run([portreeve, "lab", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  timeout=TIMEOUT)
            assert done.returncode == 0, f"{arguments}\n{done.stdout}{done.stderr}"
        samples = (out / "samples.jsonl").read_text()
        for transport in ("udp", "tcp", "ssh", "tls", "dtls"):
            assert f'"transport":"{transport}"' in samples, f"{transport} is not measured\n{samples}"
        assert "unavailable" not in samples, samples


def readers_may_go():
    with destination() as directory:
        make("install", directory)
        # The commands with Net-SNMP's names print their usage on standard error, as those do.
        programs = [path for part in ("bin", "sbin", "libexec") for path in (directory / "opt/snmp" / part).rglob("*")
                    if path.is_file() and os.access(path, os.X_OK) and path.parent.name != "classic"]
        assert len(programs) > 8, programs
        for program in programs:
            reader, writer = os.pipe()
            os.close(reader)
            with os.fdopen(writer) as output:
                ended = subprocess.run([program, "--help"], stdout=output, stderr=subprocess.PIPE, timeout=20)
            assert (ended.returncode, ended.stderr) == (0, b""), f"{program}: {ended}"


def other_files_remain():
    with destination() as directory:
        make("install", directory)
        (directory / PAM_SERVICE).write_text("auth required pam_deny.so\n")
        others = {"opt/snmp/bin/other", "opt/snmp/share/man/man1/other.1", "opt/snmp/libexec/portreeve/other"}
        for path in others:
            (directory / path).write_text("not ours\n")
        output = make("uninstall", directory)
        assert files(directory) == others | {PAM_SERVICE}, files(directory)
        assert f"{directory}/{PAM_SERVICE} has been changed: not removed" in output, output


def alternatives_are_removed():
    if not shutil.which("update-alternatives"):
        raise Skip("update-alternatives is not installed")
    with destination() as directory:
        for path in ("etc/alternatives", "var/lib/dpkg/alternatives", "var/log"):
            (directory / path).mkdir(parents=True)
        make("install", directory)
        # The file of another package stays.
        (directory / "opt/snmp/bin/snmpset").write_text("not ours\n")
        make("alternatives", directory)
        assert {"opt/snmp/bin/snmpwalk", "etc/alternatives/snmpwalk.1"} <= files(directory), files(directory)
        make("uninstall", directory)
        remaining = files(directory) - {"var/log/alternatives.log"}
        assert remaining == {"opt/snmp/bin/snmpset"}, remaining


@contextlib.contextmanager
def destination():
    with tempfile.TemporaryDirectory(prefix="portreeve-install-") as directory:
        yield pathlib.Path(directory)


def make(target, directory):
    command = ["make", "--no-print-directory", target, f"PROGRAMS={agents.PROGRAMS}", f"DESTDIR={directory}",
               f"PREFIX={PREFIX}"]
    done = subprocess.run(command, cwd=agents.ROOT, capture_output=True, text=True, timeout=TIMEOUT)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return done.stdout


def files(directory):
    """Returns the paths below `directory` that are not directories."""
    paths = (path for path in directory.rglob("*") if path.is_symlink() or not path.is_dir())
    return {str(path.relative_to(directory)) for path in paths}
