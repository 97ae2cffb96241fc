"""ncclient, scrapli-netconf and Ansible against NETCONF, in venvs below target/."""

import json
import pathlib
import subprocess
import zipfile

import agents
import netconf_site
import pysnmp_peer
import third_party
from netconf_data import LIBRARY, STAIR

PYANG = "pyang==2.7.1"
NCCLIENT = ["ncclient==0.7.1", "paramiko==5.1.0", "lxml==6.1.3", "cryptography==50.0.2", PYANG]
# scrapli 2026.10 is another program, which scrapli-netconf cannot use.
SCRAPLI = ["scrapli-netconf==2026.1.12", "scrapli==2026.2.20", "paramiko==5.1.0", "ssh2-python==1.2.0.post1", "lxml==6.1.3",
           "cryptography==50.0.2", PYANG]
ANSIBLE = ["ansible-core==2.19.14", "ncclient==0.7.1", "paramiko==5.1.0", "lxml==6.1.3", "cryptography==50.0.2",
           "jxmlease==1.0.3", "ansible==12.3.0"]
# Of the many collections in the last package, only two are unpacked.
WANTED_COLLECTIONS = ("ansible_collections/ansible/netcommon/", "ansible_collections/ansible/utils/")
TIMEOUT = 600


class Ncclient:
    """ncclient as a peer of `run`."""

    @staticmethod
    def run(agent, peer):
        run_battery(agent, peer, "ncclient", NCCLIENT, ["ncclient"], demo=True)


class Scrapli:
    """scrapli-netconf with three SSH libraries."""

    @staticmethod
    def run(agent, peer):
        run_battery(agent, peer, "scrapli", SCRAPLI, ["scrapli-system", "scrapli-paramiko", "scrapli-ssh2"])


def unavailable(agent):
    if agent.kind != "portreeved":
        return "only our agent is tested"
    return netconf_site.missing()


def run_battery(agent, peer, folder, packages, clients, demo=False):
    missing = unavailable(agent)
    if missing:
        return peer.skip("all checks", missing)
    python, missing = pysnmp_peer.environment(folder, packages)
    if missing:
        return peer.skip("all checks", missing)
    with netconf_site.start() as site:
        for client in clients:
            run_program(peer, site, python, "netconf_program.py", client)
    if demo and netconf_site.SERVER == "portreeved":
        peer.check("ncclient logs in to the demo with its credentials and edits it", uses_demo, agent, python)
    return None


def run_program(peer, site, python, program, *arguments):
    argv = [python, "-B", str(agents.ROOT / "tests/interop" / program), *arguments]
    done = subprocess.run(argv, input=json.dumps(site.settings()), capture_output=True, text=True, timeout=TIMEOUT)
    if not peer.record_lines(done.stdout.splitlines()) or done.returncode:
        peer.check(f"{program} exits with status 0", pysnmp_peer.fail, f"exit {done.returncode}\n{done.stderr[-3000:]}")


DEMO = """
import os
from ncclient import manager

host, _, port = os.environ["PORTREEVE_NETCONF"].rpartition(":")
with manager.connect(host=host, port=int(port), username=os.environ["PORTREEVE_SSH_USER"],
                     key_filename=os.environ["PORTREEVE_SSH_KEY"], hostkey_verify=False, look_for_keys=False) as m:
    text = '<config xmlns="urn:ietf:params:xml:ns:netconf:base:1.0"><system xmlns="urn:ietf:params:xml:ns:yang:ietf-system">' \\
           '<location>by ncclient</location></system></config>'
    m.edit_config(target="running", config=text)
    print(m.get_config("running").data_xml)
"""


def uses_demo(agent, python):
    if "PORTREEVE_NETCONF" not in agent.env:
        raise AssertionError("credentials.env has no PORTREEVE_NETCONF")
    done = subprocess.run([python, "-c", DEMO], env=dict(agent.env), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=60)
    assert done.returncode == 0 and "by ncclient" in done.stdout, done.stdout + done.stderr[-2000:]


# --- Ansible


class Ansible:
    """netconf_get, netconf_config and netconf_rpc of the collection ansible.netcommon."""

    @staticmethod
    def run(agent, peer):
        missing = unavailable(agent)
        if missing:
            return peer.skip("all checks", missing)
        python, missing = pysnmp_peer.environment("ansible", ANSIBLE)
        if missing:
            return peer.skip("all checks", missing)
        with netconf_site.start() as site:
            for title, tasks in plays(site.kind).items():
                peer.check(title, play, site, python, tasks)
        return None


def install_ansible(home, packages):
    """Installs ansible-core and its libraries in a venv, and unpacks the collections beside them."""
    *libraries, collections = packages
    third_party.pypi(home, libraries)
    third_party.run(home / "bin/python", "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--dest", home,
                    collections)
    [archive] = home.glob("ansible-*.whl")
    with zipfile.ZipFile(archive) as wheel:
        wheel.extractall(home, [name for name in wheel.namelist() if name.startswith(WANTED_COLLECTIONS)])
    archive.unlink()


def play(site, python, tasks):
    """Runs tasks against the site. They assert what they expect."""
    directory = site.directory / "ansible"
    (directory / "home").mkdir(parents=True, exist_ok=True)
    hosts = {"all": {"hosts": {"device": {
        "ansible_host": "127.0.0.1", "ansible_port": site.port, "ansible_user": site.writer,
        "ansible_connection": "ansible.netcommon.netconf", "ansible_network_os": "default",
        "ansible_private_key_file": str(site.key(site.writer)), "ansible_python_interpreter": python}}}}
    (directory / "hosts.yml").write_text(json.dumps(hosts))
    (directory / "play.yml").write_text(json.dumps([{"hosts": "all", "gather_facts": False, "tasks": tasks}]))
    home = directory / "home"
    (home / ".ssh").mkdir(mode=0o700, exist_ok=True)
    (home / ".ssh/known_hosts").write_text((site.directory / "known_hosts").read_text())
    environment = {"PATH": f"{pathlib.Path(python).parent}:/usr/bin:/bin", "HOME": str(home), "ANSIBLE_HOME": str(home / ".ansible"),
                   "ANSIBLE_COLLECTIONS_PATH": str(agents.ROOT / "target/interop/ansible"), "ANSIBLE_NOCOLOR": "1",
                   "ANSIBLE_LOCALHOST_WARNING": "False", "ANSIBLE_DEPRECATION_WARNINGS": "False", "LC_ALL": "C.UTF-8"}
    argv = [pathlib.Path(python).parent / "ansible-playbook", "-i", directory / "hosts.yml", directory / "play.yml"]
    done = subprocess.run(argv, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]


def plays(kind):
    """The tasks of each check."""
    get = {"ansible.netcommon.netconf_get": {"source": "running", "filter": f'<stairTable xmlns="{STAIR}"/>'}, "register": "found"}
    every_option = {"default_operation": "merge", "error_option": "rollback-on-error", "validate": True}
    found = {
        "netconf_config merges an entry into the candidate, validates and commits it": [
            config(entry(1, "one"), lock="always", **every_option), changed("result"), get, has("one"),
            config(entry(1, "one"), lock="always", **every_option), unchanged("result")],
        "netconf_config edits with its defaults": [
            config(entry(2, "two")), changed("result"), get, has("two")],
        "netconf_config deletes an entry with an attribute without a prefix": [
            config(entry(3, "three")), get, has("three"),
            config(f'<stairTable xmlns="{STAIR}"><stairEntry operation="remove"><stairIndex>3</stairIndex></stairEntry></stairTable>'),
            get, has_not("three")],
        "netconf_config reports an invalid edit": [
            config("<stairEntry><stairIndex>0</stairIndex></stairEntry>", ignore=True),
            {"ansible.builtin.assert": {"that": ["result is failed"]}}],
        "netconf_get reads state, as XML and as a dictionary": [
            {"ansible.netcommon.netconf_get": {"filter": f'<modules-state xmlns="{LIBRARY}"/>'}, "register": "found"},
            has("ietf-system"),
            {"ansible.netcommon.netconf_get": {"source": "running", "display": "json",
                                               "filter": f'<stairTable xmlns="{STAIR}"/>'}, "register": "found"}],
        "netconf_rpc locks and unlocks": [
            rpc("lock", "<target><candidate/></target>"), rpc("unlock", "<target><candidate/></target>")],
    }
    if kind != "portreeved":
        # netconfd ignores the attribute without a prefix.
        del found["netconf_config deletes an entry with an attribute without a prefix"]
    return found


def entry(index, text):
    return f"<stairEntry><stairIndex>{index}</stairIndex><stairText1>{text}</stairText1></stairEntry>"


def config(content, ignore=False, **options):
    if not content.startswith("<stairTable"):
        content = f'<stairTable xmlns="{STAIR}">{content}</stairTable>'
    text = f'<config xmlns:xc="urn:ietf:params:xml:ns:netconf:base:1.0">{content}</config>'
    task = {"ansible.netcommon.netconf_config": {"content": text, **options}, "register": "result"}
    return {**task, "ignore_errors": True} if ignore else task


def rpc(name, content):
    return {"ansible.netcommon.netconf_rpc": {"rpc": name, "content": content}}


def changed(name):
    return {"ansible.builtin.assert": {"that": [f"{name} is changed"]}}


def unchanged(name):
    return {"ansible.builtin.assert": {"that": [f"{name} is not changed"]}}


def has(text):
    return {"ansible.builtin.assert": {"that": [f"'{text}' in found.stdout"]}}


def has_not(text):
    return {"ansible.builtin.assert": {"that": [f"'{text}' not in found.stdout"]}}
