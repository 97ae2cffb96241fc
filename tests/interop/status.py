"""`portreeved status` of a running agent, as text and as JSON, compared with what others see.

Net-SNMP reads the engine ID and changes the state, the kernel knows the files and connections, and
Python parses the JSON.
"""

import json
import shutil
import socket
import subprocess
import time

import agents
from results import Skip

ENGINE_ID = "1.3.6.1.6.3.10.2.1.1.0"
ENGINE_BOOTS = "1.3.6.1.6.3.10.2.1.2.0"
SYS_LOCATION = "1.3.6.1.2.1.1.6.0"
TIMEOUT = 60


def run(agent, peer):
    if agent.kind != "portreeved":
        return peer.skip("all checks", "only our agent is tested")
    peer.check("the JSON contains process, configuration file, lock and queue", json_describes_the_agent, agent)
    peer.check("the text contains the values of the JSON", text_equals_json, agent)
    peer.check("engine ID and boots are those that Net-SNMP reads", engine_equals_net_snmp, agent)
    peer.check("each SET of Net-SNMP is one more generation", sets_are_generations, agent)
    peer.check("the sizes of the state files are those of the file system", sizes_equal_stat, agent)
    peer.check("a TCP connection is counted while it is open", connection_is_counted, agent)
    peer.check("without an agent, the exit status is 3", no_agent, agent)


def json_describes_the_agent(agent):
    status = read_json(agent)
    assert status["process"] == agent.process.pid, status["process"]
    assert status["configuration"]["file"] == str(config(agent)), status["configuration"]
    assert status["configuration"]["loaded"]["owner"] == "start of the agent", status["configuration"]
    assert status["transaction-lock"]["holder"] is None, status["transaction-lock"]
    empty = {"sets": 0, "octets": 0, "refused": 0, "refused-by-user-limit": 0}
    assert status["set-queue"] == empty, status["set-queue"]
    assert agent.udp in [listener["address"] for listener in status["listeners"]], status["listeners"]


def text_equals_json(agent):
    status, text = read_json(agent), status_of(agent)
    lines = [line.split() for line in text.splitlines()]
    assert ["engine", "ID", status["engine-id"]] in lines, text
    assert ["engine", "boots", str(status["engine-boots"])] in lines, text
    assert ["generation", str(status["generation"])] in lines, text
    for listener in status["listeners"]:
        counts = ["-" if listener[key] is None else str(listener[key]) for key in ("sessions", "active-sessions")]
        assert [listener["transport"], listener["address"], *counts] in lines, f"{listener} in\n{text}"
    for file in status["store"]["files"]:
        assert [file["name"], str(file["size"])] in lines, f"{file} in\n{text}"


def engine_equals_net_snmp(agent):
    status = read_json(agent)
    engine_id = net_snmp(agent, "snmpget", "-Oqvx", agent.udp, ENGINE_ID)
    assert "".join(engine_id.strip('" ').split()).lower() == status["engine-id"].removeprefix("0x"), engine_id
    assert net_snmp(agent, "snmpget", "-Oqv", agent.udp, ENGINE_BOOTS) == str(status["engine-boots"])


def sets_are_generations(agent):
    before = read_json(agent)["generation"]
    for number in (1, 2):
        # A SET that is sent again would be one more change.
        net_snmp(agent, "snmpset", "-t", "20", "-r", "0", "-Oqv", agent.udp, SYS_LOCATION, "s", f"rack {number}")
        assert read_json(agent)["generation"] == before + number


def sizes_equal_stat(agent):
    store = read_json(agent)["store"]
    directory = config(agent).parent / store["directory"]
    on_disk = {path.name: path.stat().st_size for path in directory.iterdir() if path.is_file()}
    assert {file["name"]: file["size"] for file in store["files"]} == on_disk, store
    assert on_disk.get("state.log", 0) > 0, on_disk
    assert (store["failed-writes"], store["last-failure"]) == (0, None), store


def connection_is_counted(agent):
    def sessions():
        [listener] = [found for found in read_json(agent)["listeners"] if found["transport"] == "tcp"]
        return listener["sessions"]

    before = sessions()
    host, _, port = agent.tcp.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=TIMEOUT):
        wait_until(lambda: sessions() == before + 1, "the connection is not counted")
    wait_until(lambda: sessions() == before, "the closed connection is still counted")


def no_agent(agent):
    unused = agent.directory / "unused.toml"
    unused.write_text('[agent]\nstate-dir = "unused"\n')
    done = subprocess.run([agents.portreeved(), "status", "--config", unused], text=True, capture_output=True, timeout=TIMEOUT)
    assert (done.returncode, done.stdout) == (3, ""), done
    assert "no agent is running with " in done.stderr, done.stderr


def config(agent):
    return agent.directory / "demo" / "portreeved.toml"


def read_json(agent):
    return json.loads(status_of(agent, "--json"))


def status_of(agent, *arguments):
    done = subprocess.run([agents.portreeved(), "status", *arguments, "--config", config(agent)], text=True,
                          capture_output=True, timeout=TIMEOUT)
    assert done.returncode == 0, done.stderr
    return done.stdout


def net_snmp(agent, command, *arguments):
    if not shutil.which(command):
        raise Skip(f"{command} is not installed")
    done = subprocess.run([command, "-v2c", "-c", agent.write_community, "-m", "", *arguments], text=True,
                          capture_output=True, timeout=TIMEOUT)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def wait_until(condition, failure):
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < deadline, failure
        time.sleep(0.05)
