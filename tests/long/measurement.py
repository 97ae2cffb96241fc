"""Shared code of the measurements that attack an agent over SSH and TCP, or load it with SETs.

A measurement is a script that defines `measure(quick)`, prints a line with figures for each case,
and exits with 1 if a limit is exceeded. With `--quick` it is small and has no time limits: it only
checks that the attack works and that nothing is lost. If a program is missing, it prints `skip` and
the reason, and exits with SKIPPED. All traffic is on loopback.
"""

import argparse
import asyncio
import contextlib
import gc
import logging
import multiprocessing
import os
import pathlib
import resource
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/interop"))

import agents
import ber
import pysnmp_peer
import ssh

SKIPPED = 77
TIMEOUT = 20
# The time after which a request or a login is lost. Requests are not repeated.
LOSS_TIMEOUT = 5
# The measurements end after this time in any case, so that nothing remains if they are abandoned.
QUICK_SECONDS, LONG_SECONDS = 120, 1800
SYS_UP_TIME = "1.3.6.1.2.1.1.3.0"


class MissingProgram(Exception):
    """The measurement cannot run here; the message names what is missing."""


class LimitExceeded(Exception):
    """The agent did not meet a criterion of the measurement."""


def run(measure):
    """Runs a measurement in the venv of the SSH checks, and exits."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="small, without time limits")
    quick = parser.parse_args().quick
    use_environment()
    raise_descriptor_limit()
    if hasattr(os, "sched_setscheduler"):
        # The attackers must not have precedence over the agent, even if the measurements are
        # started with a real-time priority.
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    for number in (signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, exit_on_signal)
    signal.alarm(QUICK_SECONDS if quick else LONG_SECONDS)
    try:
        measure(quick)
    except MissingProgram as missing:
        print(f"skip: {missing}")
        sys.exit(SKIPPED)
    except (LimitExceeded, AssertionError) as reason:
        print(f"FAIL: {reason}", flush=True)
        sys.exit(1)


def use_environment():
    """Continues in the interpreter of the venv that has AsyncSSH."""
    if pathlib.Path(sys.prefix).resolve() == (ROOT / "target/interop/ssh").resolve():
        return
    python, missing = pysnmp_peer.environment("ssh", ssh.PACKAGES)
    if missing:
        print(f"skip: {missing}")
        sys.exit(SKIPPED)
    os.execv(python, [python, "-B", *sys.argv])


def exit_on_signal(number, _):
    # Exits by an exception, so that the agent and the attackers are stopped.
    sys.exit(f"ended by {signal.Signals(number).name}")


def raise_descriptor_limit():
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


# --- figures


@dataclass
class Figures:
    """The durations of exchanges or logins in seconds, and the number of those that are lost."""

    durations: list = field(default_factory=list)
    lost: int = 0

    def add(self, other):
        self.durations += other.durations
        self.lost += other.lost

    def quantile(self, fraction):
        """The smallest duration that at least this fraction of all durations does not exceed."""
        ranked = sorted(self.durations)
        return ranked[max(0, -int(-fraction * len(ranked) // 1) - 1)] if ranked else float("inf")

    def __str__(self):
        values = [("p50", self.quantile(0.5)), ("p99", self.quantile(0.99)), ("max", self.quantile(1))]
        shown = " ".join(f"{name}={milliseconds(value)}" for name, value in values)
        return f"n={len(self.durations) + self.lost} {shown} lost={self.lost}"


def milliseconds(seconds):
    return f"{seconds * 1000:.2f}ms"


def report(title, text):
    print(f"{title}: {text}", flush=True)


def require(condition, reason):
    if not condition:
        raise LimitExceeded(reason)


# --- the agent


@contextlib.contextmanager
def temporary_directory():
    with tempfile.TemporaryDirectory(prefix="portreeve-long-") as name:
        yield pathlib.Path(name)


@contextlib.contextmanager
def start_agent(directory, configuration, prefix=()):
    """Runs the agent in `directory`, with a command prefix if the measurement needs one."""
    if not agents.portreeved().exists():
        raise MissingProgram("portreeved is not built")
    path = directory / "portreeved.toml"
    path.write_text(configuration)
    path.chmod(0o600)
    with (directory / "agent.log").open("w") as log:
        argv = [*prefix, str(agents.portreeved().resolve()), "run", "--config", str(path)]
        process = subprocess.Popen(argv, cwd=directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log,
                                   text=True)
    try:
        ready = process.stdout.readline().strip() == "ready"
        assert ready, (directory / "agent.log").read_text()[-4000:]
        yield process
        assert process.poll() is None, "the agent has ended:\n" + (directory / "agent.log").read_text()[-4000:]
    finally:
        agents.stop(process)
        process.stdout.close()


def cpu_time(process):
    """Returns the processor time of a process in seconds."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# --- attackers


@contextlib.contextmanager
def attackers(function, arguments):
    """Runs `function(counters, *arguments)` in a process for each element of `arguments`.

    Returns the counters, which the processes share.
    """
    context = multiprocessing.get_context("fork")
    counters = Counters(context)
    processes = [context.Process(target=run_attacker, args=(os.getpid(), function, counters, *each), daemon=True)
                 for each in arguments]
    try:
        for process in processes:
            process.start()
        yield counters
        ended = [process.exitcode for process in processes if not process.is_alive()]
        assert not ended, f"attackers have ended: {ended}"
    finally:
        for process in processes:
            if process.pid:
                process.kill()
                process.join()


def run_attacker(parent, function, *arguments):
    for number in (signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    # If the measurement is killed, the attackers end with it.
    signal.signal(signal.SIGALRM, lambda *_: os.getppid() == parent or os._exit(1))
    signal.setitimer(signal.ITIMER_REAL, 1, 1)
    # The agent closes connections while the attackers still send.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    function(*arguments)


class Counters:
    """Counters of all attackers together."""

    def __init__(self, context):
        self.connections = context.Value("q", 0)
        self.accepted = context.Value("q", 0)
        self.open = context.Value("q", 0)

    def read(self):
        return self.connections.value, self.accepted.value


def count(counter, amount=1):
    with counter.get_lock():
        counter.value += amount


def busy_loop(_):
    """An attacker of the control: uses a processor and sends nothing."""
    while True:
        pass


def wait_until(condition, reason):
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        require(time.monotonic() < deadline, reason)
        time.sleep(0.01)


# --- clients


def login(host_key, address, source, **options):
    """Options of asyncssh.connect for a client that trusts `host_key`, at the address `source`."""
    host, _, port = address.rpartition(":")
    return {"host": host, "port": int(port), "local_addr": (source, 0), "known_hosts": ([host_key], [], []),
            "config": None, "agent_path": None, "username": "ops", **options}


def measure_logins(count, attempt, pause=0.05):
    """Measures `count` logins, one after the other; `attempt(number)` performs one of them."""
    async def measure_all():
        figures, last_error = Figures(), None
        for number in range(count):
            start = time.perf_counter()
            try:
                await asyncio.wait_for(attempt(number), LOSS_TIMEOUT)
                figures.durations.append(time.perf_counter() - start)
            except Exception as error:
                last_error = error
                figures.lost += 1
            await asyncio.sleep(pause)
        return figures, last_error

    figures, last_error = asyncio.run(measure_all())
    if last_error is not None:
        report("last error of a login", repr(last_error))
    return figures


async def read_object(connection):
    """Reads sysUpTime through the subsystem `snmp`."""
    writer, reader, _ = await connection.open_session(subsystem="snmp", encoding=None)
    writer.write(ber.v3_tsm(ber.GET, SYS_UP_TIME))
    response = b""
    while not ber.is_complete(response):
        chunk = await reader.read(65536)
        assert chunk, "the agent closed the session"
        response += chunk
    assert ber.is_response(response) and ber.error_status(response) == 0, repr(response)


class Poller:
    """A v2c client that reads sysUpTime over UDP from several ports in turn, at a fixed rate."""

    PORTS = 16
    INTERVAL = 0.005

    def __init__(self, address, community):
        host, _, port = address.rpartition(":")
        self.community = community.encode()
        self.sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(self.PORTS)]
        self.poll = select.poll()
        self.by_descriptor = {}
        for each in self.sockets:
            each.connect((host, int(port)))
            each.setblocking(False)
            self.poll.register(each, select.POLLIN)
            self.by_descriptor[each.fileno()] = each
        self.last_request = 0

    def measure(self, seconds):
        """Sends requests for `seconds` and returns the durations until their responses."""
        figures, sent = Figures(), {}
        gc.disable()
        try:
            begin = time.perf_counter()
            next_request, end = begin, begin + seconds
            while True:
                now = time.perf_counter()
                if now < end and now >= next_request:
                    self.send(sent)
                    next_request += self.INTERVAL
                    continue
                if now >= end and (not sent or now >= end + LOSS_TIMEOUT):
                    break
                wake = next_request if now < end else end + LOSS_TIMEOUT
                for descriptor, _ in self.poll.poll(max(0, (wake - now) * 1000)):
                    self.receive(self.by_descriptor[descriptor], sent, figures)
        finally:
            gc.enable()
        late = sum(duration > LOSS_TIMEOUT for duration in figures.durations)
        figures.durations = [duration for duration in figures.durations if duration <= LOSS_TIMEOUT]
        figures.lost += len(sent) + late
        return figures

    def send(self, sent):
        self.last_request += 1
        binding = ber.tlv(0x30, ber.object_id(SYS_UP_TIME) + b"\x05\x00")
        pdu = ber.tlv(ber.GET, ber.integer(self.last_request) + ber.integer(0) + ber.integer(0) + ber.tlv(0x30, binding))
        message = ber.tlv(0x30, ber.integer(1) + ber.octets(self.community) + pdu)
        sent[self.last_request] = time.perf_counter()
        self.sockets[self.last_request % self.PORTS].send(message)

    @staticmethod
    def receive(from_socket, sent, figures):
        with contextlib.suppress(BlockingIOError):
            while True:
                message = from_socket.recv(65536)
                now = time.perf_counter()
                response = ber.elements(message)[2]
                request, status, *_ = ber.elements(response)
                assert response[0] == ber.RESPONSE and ber.decode_integer(status) == 0, repr(message)
                start = sent.pop(ber.decode_integer(request), None)
                if start is not None:
                    figures.durations.append(now - start)

    def close(self):
        for each in self.sockets:
            each.close()
