"""A test machine for a document: guides_site.py DOCUMENT PROGRAMS.

Runs as the first process of new namespaces. Prints a JSON list [verdict, line of the document,
reason] for each block.

It sets up what guides take for granted: the host names agent.example, gw.example and nms.example,
the address 192.0.2.1, sshd on port 22, an account `ops`, and a key that logs in as `ops` and as root
on hosts that are in known_hosts. All files that are written disappear with the namespaces.
"""

import json
import os
import pathlib
import select
import subprocess
import sys
import time

import blocks

MOUNT_POINT = pathlib.Path("/mnt")
TIMEOUT = 60
HOST_NAMES = ["agent.example", "gw.example", "nms.example"]
ADDRESS = "192.0.2.1"
COMMANDS = ["sh", "console"]
VERBS = ["broker", "doctor", "keys", "poll", "simulate", "snmp", "trapd", "yang"]


def main():
    document, programs = map(pathlib.Path, sys.argv[1:])
    document_blocks = blocks.parse(document.read_text())
    try:
        mount_overlays(programs)
        join_network()
    except subprocess.CalledProcessError as error:
        return print(json.dumps(["skip", 1, f"the test machine cannot be set up here: {error}"]))
    make_accounts()
    start_sshd()
    return paste(document_blocks)


def mount_overlays(programs):
    run("mount", "--make-rprivate", "/")
    run("mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", MOUNT_POINT)
    (MOUNT_POINT / "programs").mkdir()
    run("mount", "--bind", programs, MOUNT_POINT / "programs")
    for folder in ("etc", "var", "run", "usr/local", "tmp"):
        upper, work = MOUNT_POINT / "over" / folder, MOUNT_POINT / "work" / folder
        upper.mkdir(parents=True, mode=0o1777 if folder == "tmp" else 0o755)
        work.mkdir(parents=True)
        layers = f"lowerdir=/{folder},upperdir={upper},workdir={work}"
        run("mount", "-t", "overlay", "-o", layers, "overlay", f"/{folder}")
    pathlib.Path("/tmp").chmod(0o1777)
    for folder, mode in (("root", "700"), ("home", "755")):
        run("mount", "-t", "tmpfs", "-o", f"mode={mode}", "tmpfs", f"/{folder}")
    (MOUNT_POINT / "site").mkdir()
    # Installs the programs in the same directories as `make install`.
    for name in ("portreeved", "portreeve", *(f"portreeve-{verb}" for verb in VERBS)):
        folder = {"portreeved": "sbin", "portreeve": "bin"}.get(name, "libexec/portreeve")
        installed = pathlib.Path("/usr/local", folder, name)
        installed.parent.mkdir(parents=True, exist_ok=True)
        installed.unlink(missing_ok=True)
        installed.symlink_to(MOUNT_POINT / "programs" / name)
    schema = pathlib.Path("/usr/local/libexec/portreeve/shipped.schema")
    schema.unlink(missing_ok=True)
    schema.symlink_to(MOUNT_POINT / "programs" / schema.name)


def join_network():
    run("hostname", HOST_NAMES[0])
    run("ip", "link", "set", "lo", "up")
    run("ip", "address", "add", f"{ADDRESS}/32", "dev", "lo")
    pathlib.Path("/etc/hosts").write_text(f"127.0.0.1 localhost\n{ADDRESS} {' '.join(HOST_NAMES)}\n")
    pathlib.Path("/etc/nsswitch.conf").write_text("passwd: files\ngroup: files\nhosts: files\n")


def make_accounts():
    home = pathlib.Path("/home/ops")
    for file, line in (("passwd", f"ops:x:5000:5000::{home}:/bin/sh"), ("group", "ops:x:5000:"), ("shadow", "ops:*:20000::::::")):
        with open(f"/etc/{file}", "a") as accounts:
            accounts.write(line + "\n")
    keys = pathlib.Path("/root/.ssh")
    keys.mkdir(mode=0o700)
    home.mkdir()
    (home / ".ssh").mkdir(mode=0o700)
    keygen(keys / "id_ed25519", "me@work")
    public = (keys / "id_ed25519.pub").read_text()
    for listed in (keys / "authorized_keys", home / ".ssh/authorized_keys"):
        listed.write_text(public)
        listed.chmod(0o600)
    for path in (home, home / ".ssh", home / ".ssh/authorized_keys"):
        os.chown(path, 5000, 5000)


def start_sshd():
    host_key = pathlib.Path("/etc/ssh/ssh_host_ed25519_key")
    host_key.parent.mkdir(exist_ok=True)
    for old in (host_key, host_key.with_suffix(".pub")):
        old.unlink(missing_ok=True)
    keygen(host_key, "agent")
    pathlib.Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    pathlib.Path("/etc/ssh/sshd_config").write_text("UsePAM no\nPidFile /run/sshd.pid\nSubsystem sftp internal-sftp\n")
    known = "".join(f"{name} {host_key.with_suffix('.pub').read_text()}" for name in HOST_NAMES)
    pathlib.Path("/root/.ssh/known_hosts").write_text(known)
    # This test machine has no service manager, so a script takes the place of systemctl.
    systemctl = pathlib.Path("/usr/local/sbin/systemctl")
    systemctl.parent.mkdir(exist_ok=True)
    systemctl.write_text('#!/bin/sh\n[ "$*" = "reload ssh" ] && kill -HUP "$(cat /run/sshd.pid)" && sleep 0.5\n')
    systemctl.chmod(0o755)
    run("/usr/sbin/sshd")


def keygen(file, comment):
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", file)


def paste(document_blocks):
    """Pastes the blocks in order until one fails, and reports the result of each."""
    shell, failed = Shell(), False
    for block in document_blocks:
        if block.argument == "not-run":
            report("skip", block, "shown only, not run")
        elif failed:
            report("skip", block, "follows a failed block")
        else:
            failure = run_block(block, shell)
            failed = failure is not None
            if failed or block.language in COMMANDS:
                report("FAIL" if failed else "ok", block, failure)


def run_block(block, shell):
    if block.argument:
        try:
            with open(block.argument, "a") as file:
                file.write("\n" + block.text)
        except OSError as error:
            return str(error)
    elif block.language in COMMANDS:
        return next(filter(None, (shell.paste(*command) for command in block.commands())), None)
    return None


def report(verdict, block, reason):
    print(json.dumps([verdict, block.line, reason]), flush=True)


class Shell:
    """One bash for a whole document. The output of each command goes to a separate file."""

    def __init__(self):
        path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        environment = {"PATH": path, "HOME": "/root", "USER": "root", "LC_ALL": "C.UTF-8", "XDG_RUNTIME_DIR": "/run/user/0"}
        pathlib.Path("/run/user/0").mkdir(parents=True, exist_ok=True)
        pathlib.Path("/run/user/0").chmod(0o700)
        self.count = 0
        self.process = subprocess.Popen(["bash", "--norc"], env=environment, cwd=MOUNT_POINT / "site", stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def paste(self, command, expected):
        """Runs a command. Returns a description of the failure, or None."""
        self.count += 1
        output = MOUNT_POINT / f"printed-{self.count}"
        # If output is documented, it includes errors. Otherwise the first failure ends the block.
        source = MOUNT_POINT / f"pasted-{self.count}"
        source.write_text(command if expected else stop_at_failure(command))
        self.process.stdin.write(f". {source} >{output} 2>&1 </dev/null; echo done $?\n")
        self.process.stdin.flush()
        deadline = time.monotonic() + TIMEOUT
        if not select.select([self.process.stdout], [], [], TIMEOUT)[0]:
            return f"{command}\ntimed out\n{output.read_text(errors='replace')}"
        line = self.process.stdout.readline()
        printed = output.read_text(errors="replace")
        if not line.startswith("done "):
            return f"the shell exited\n{line}{printed}"
        if started := count_background_agents(command):
            while output.read_text(errors="replace").splitlines().count("ready") < started:
                if time.monotonic() > deadline:
                    return f"the agent did not become ready\n{output.read_text(errors='replace')}"
                time.sleep(0.02)
        if expected and not blocks.matches(expected, printed):
            return f"{command}\nprinted\n{printed}"
        if not expected and line != "done 0\n":
            return f"{command}\nexited with {line}{printed}"
        return None


def stop_at_failure(command):
    return f"trap 'return $?' ERR\nset -o pipefail -o errtrace\n{command}\ntrap - ERR\nset +o pipefail\n"


def count_background_agents(command):
    """The number of agents started in the background; each prints `ready`."""
    return sum(line.split("#")[0].rstrip().endswith(" &") for line in command.splitlines())


def run(*argv):
    subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)


if __name__ == "__main__":
    main()
