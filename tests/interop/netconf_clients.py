"""NETCONF clients with one interface: ncclient, scrapli-netconf, and OpenSSH with our own XML.

Each class uses the functions that its client offers for an operation. `request` sends the text of
any other operation.
"""

import contextlib
import os
import pathlib
import select
import subprocess
import xml.etree.ElementTree as ElementTree

NC = "urn:ietf:params:xml:ns:netconf:base:1.0"
MONITORING = "urn:ietf:params:xml:ns:yang:ietf-netconf-monitoring"
WITH_DEFAULTS = "urn:ietf:params:xml:ns:yang:ietf-netconf-with-defaults"
TIMEOUT = 60


class RpcFailed(Exception):
    """The reply contains rpc-error elements."""

    def __init__(self, errors):
        self.errors = errors
        super().__init__("; ".join(map(str, errors)))

    @property
    def first(self):
        return self.errors[0]


class RpcError:
    """An rpc-error element."""

    def __init__(self, element):
        def text(name):
            return (element.findtext(f"{{{NC}}}{name}") or "").strip()

        self.type, self.tag, self.severity = text("error-type"), text("error-tag"), text("error-severity")
        self.app_tag, self.path, self.message = text("error-app-tag"), text("error-path"), text("error-message")
        info = element.find(f"{{{NC}}}error-info")
        self.info = {local(child): (child.text or "").strip() for child in (info if info is not None else ())}

    def __str__(self):
        return " ".join(filter(None, (self.tag, self.app_tag, self.path, str(self.info or ""), self.message)))


def local(element):
    """The name of an element without its namespace."""
    return element.tag.rpartition("}")[2]


def parse_reply(text):
    """Returns the rpc-reply element. Raises RpcFailed if it contains errors."""
    reply = ElementTree.fromstring(text)
    assert reply.tag == f"{{{NC}}}rpc-reply", reply.tag
    errors = [RpcError(element) for element in reply.iter(f"{{{NC}}}rpc-error")]
    if errors:
        raise RpcFailed(errors)
    return reply


def data_of(reply):
    data = reply.find(f"{{{NC}}}data")
    assert data is not None, ElementTree.tostring(reply)
    return data


def source_of(config):
    """A datastore's name, or the text of a `config` element, as a parameter of an operation."""
    return config if config.startswith("<") else f"<{config}/>"


class Client:
    """The operations as XML text, for a client that has no function for them."""

    def request(self, operation):
        """Sends an operation and returns the rpc-reply element."""
        raise NotImplementedError

    def get_config(self, source, subtree=None, with_defaults=None):
        options = filter_text(subtree) + defaults_text(with_defaults)
        return data_of(self.request(f"<get-config><source><{source}/></source>{options}</get-config>"))

    def get(self, subtree=None, with_defaults=None):
        return data_of(self.request(f"<get>{filter_text(subtree)}{defaults_text(with_defaults)}</get>"))

    def edit_config(self, target, config, default_operation=None, test_option=None, error_option=None):
        options = "".join(f"<{name}>{value}</{name}>" for name, value in (
            ("default-operation", default_operation), ("test-option", test_option), ("error-option", error_option)) if value)
        self.request(f"<edit-config><target><{target}/></target>{options}<config>{config}</config></edit-config>")

    def copy_config(self, source, target):
        self.request(f"<copy-config><target><{target}/></target><source>{source_of(source)}</source></copy-config>")

    def delete_config(self, target):
        self.request(f"<delete-config><target><{target}/></target></delete-config>")

    def lock(self, target):
        self.request(f"<lock><target><{target}/></target></lock>")

    def unlock(self, target):
        self.request(f"<unlock><target><{target}/></target></unlock>")

    def validate(self, source):
        self.request(f"<validate><source>{source_of(source)}</source></validate>")

    def commit(self):
        self.request("<commit/>")

    def discard_changes(self):
        self.request("<discard-changes/>")

    def kill_session(self, identifier):
        self.request(f"<kill-session><session-id>{identifier}</session-id></kill-session>")

    def get_schema(self, identifier, version=None):
        version = f"<version>{version}</version>" if version else ""
        reply = self.request(f'<get-schema xmlns="{MONITORING}"><identifier>{identifier}</identifier>{version}</get-schema>')
        return reply.findtext(f"{{{MONITORING}}}data")


def filter_text(subtree):
    return "" if subtree is None else f'<filter type="subtree">{subtree}</filter>'


def defaults_text(mode):
    return f'<with-defaults xmlns="{WITH_DEFAULTS}">{mode}</with-defaults>' if mode else ""


# --- OpenSSH


class OpenSsh(Client):
    """`ssh -s HOST netconf` with XML and framing of our own."""

    HELLO = ('<?xml version="1.0" encoding="UTF-8"?>\n<hello xmlns="urn:ietf:params:xml:ns:netconf:base:1.0">'
             "<capabilities>{}</capabilities></hello>")

    def __init__(self, settings, user, versions=("1.0", "1.1"), hello=None):
        self.stream = SshStream(settings, user)
        self.is_chunked = False
        self.last_id = 0
        capabilities = "".join(f"<capability>urn:ietf:params:netconf:base:{version}</capability>" for version in versions)
        self.stream.write((hello or self.HELLO.format(capabilities)).encode() + b"]]>]]>")
        greeting = ElementTree.fromstring(self.receive())
        assert greeting.tag == f"{{{NC}}}hello", greeting.tag
        self.capabilities = {element.text.strip() for element in greeting.iter(f"{{{NC}}}capability")}
        self.session_id = greeting.findtext(f"{{{NC}}}session-id")
        self.is_chunked = "1.1" in versions and "urn:ietf:params:netconf:base:1.1" in self.capabilities

    def send(self, text):
        octets = text.encode()
        self.stream.write(b"\n#%d\n%s\n##\n" % (len(octets), octets) if self.is_chunked else octets + b"]]>]]>")

    def receive(self):
        """Returns the text of the next message."""
        if not self.is_chunked:
            return self.stream.read_until(b"]]>]]>")
        chunks = []
        while True:
            assert self.stream.read(2) == b"\n#", "a chunk does not begin with LF and #"
            size = self.stream.read_until(b"\n")
            if size == b"#":
                return b"".join(chunks)
            assert size.isdigit() and not size.startswith(b"0"), size
            chunks.append(self.stream.read(int(size)))

    def request(self, operation):
        self.last_id += 1
        self.send(f'<rpc xmlns="{NC}" message-id="{self.last_id}">{operation}</rpc>')
        reply = parse_reply(self.receive())
        assert reply.get("message-id") == str(self.last_id), reply.attrib
        return reply

    def close(self):
        with contextlib.suppress(OSError, AssertionError, EOFError, ValueError, SyntaxError):
            self.request("<close-session/>")
        self.stream.close()


class SshStream:
    """The standard streams of a running `ssh -s`."""

    def __init__(self, settings, user, subsystem="netconf"):
        directory = pathlib.Path(settings["directory"])
        options = {"StrictHostKeyChecking": "yes", "UserKnownHostsFile": directory / "known_hosts",
                   "GlobalKnownHostsFile": "none", "IdentityFile": directory / f"{user}.key", "IdentitiesOnly": "yes",
                   "IdentityAgent": "none", "BatchMode": "yes", "LogLevel": "ERROR"}
        argv = ["ssh", "-F", "none", "-p", str(settings["port"])]
        for name, value in options.items():
            argv += ["-o", f"{name}={value}"]
        self.process = subprocess.Popen([*argv, "-s", f"{user}@{settings['host']}", subsystem], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.buffer = b""

    def write(self, octets):
        self.process.stdin.write(octets)
        self.process.stdin.flush()

    def read(self, count):
        while len(self.buffer) < count:
            self.fill()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def read_until(self, end):
        while end not in self.buffer:
            self.fill()
        taken, _, self.buffer = self.buffer.partition(end)
        return taken

    def fill(self):
        readable, _, _ = select.select([self.process.stdout], [], [], TIMEOUT)
        if not readable:
            raise EOFError("the server is silent")
        chunk = os.read(self.process.stdout.fileno(), 1 << 16)
        if not chunk:
            raise EOFError("the server has closed the session: " + self.errors())
        self.buffer += chunk

    def is_closed(self):
        """Returns True if the server sends nothing more and closes the session."""
        try:
            rest, _ = self.process.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            return False
        return not rest.strip()

    def errors(self):
        self.process.kill()
        return self.process.stderr.read().decode(errors="replace").strip()

    def close(self):
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):
                stream.close()


# --- ncclient


class Ncclient(Client):
    """ncclient's manager. It checks a capability before it sends an operation that needs it."""

    def __init__(self, settings, user):
        from ncclient import manager

        host = (pathlib.Path(settings["directory"]) / "host.key.pub").read_text().split()[1]
        key = str(pathlib.Path(settings["directory"]) / f"{user}.key")
        self.manager = manager.connect(host=settings["host"], port=settings["port"], username=user, key_filename=key,
                                       hostkey_b64=host, look_for_keys=False, allow_agent=False, timeout=TIMEOUT)
        self.capabilities = set(self.manager.server_capabilities)
        self.session_id = self.manager.session_id

    def run(self, operation, *arguments, **options):
        """Calls a function of the manager. Returns the rpc-reply element."""
        from ncclient.operations import RPCError

        try:
            reply = getattr(self.manager, operation)(*arguments, **options)
        except RPCError as failure:
            errors = failure.errors if getattr(failure, "errors", None) else [failure]
            raise RpcFailed([RpcError(error_element(error)) for error in errors]) from None
        return parse_reply(reply.xml)

    def request(self, operation):
        from ncclient.xml_ import to_ele

        # An operation without a namespace of its own gets that of NETCONF.
        return self.run("rpc", to_ele(f'<rpc xmlns="{NC}">{operation}</rpc>')[0])

    @staticmethod
    def filter(subtree):
        return None if subtree is None else f'<filter xmlns="{NC}" type="subtree">{subtree}</filter>'

    def get_config(self, source, subtree=None, with_defaults=None):
        return data_of(self.run("get_config", source, filter=self.filter(subtree), with_defaults=with_defaults))

    def get(self, subtree=None, with_defaults=None):
        return data_of(self.run("get", filter=self.filter(subtree), with_defaults=with_defaults))

    def edit_config(self, target, config, default_operation=None, test_option=None, error_option=None):
        self.run("edit_config", config=f'<config xmlns="{NC}">{config}</config>', target=target,
                 default_operation=default_operation, test_option=test_option, error_option=error_option)

    def copy_config(self, source, target):
        if source.startswith("<"):
            return super().copy_config(source, target)
        return self.run("copy_config", source, target)

    def delete_config(self, target):
        self.run("delete_config", target)

    def lock(self, target):
        self.run("lock", target)

    def unlock(self, target):
        self.run("unlock", target)

    def validate(self, source):
        if source.startswith("<"):
            return super().validate(source)
        return self.run("validate", source)

    def commit(self):
        self.run("commit")

    def discard_changes(self):
        self.run("discard_changes")

    def kill_session(self, identifier):
        self.run("kill_session", identifier)

    def get_schema(self, identifier, version=None):
        return self.run("get_schema", identifier, version=version).findtext(f"{{{MONITORING}}}data")

    def close(self):
        with contextlib.suppress(Exception):
            self.manager.close_session()


def error_element(error):
    from ncclient.xml_ import to_xml

    return ElementTree.fromstring(to_xml(error.xml))


# --- scrapli-netconf


class Scrapli(Client):
    """scrapli-netconf's driver, with one of its transports."""

    def __init__(self, settings, user, transport):
        from scrapli_netconf.driver import NetconfDriver

        directory = pathlib.Path(settings["directory"])
        # With paramiko, scrapli-netconf reads only RSA keys, and signs with SHA-1 by default.
        is_paramiko = transport == "paramiko"
        key = f"{user}.rsa" if is_paramiko else f"{user}.key"
        self.driver = NetconfDriver(host=settings["host"], port=settings["port"], auth_username=user,
                                    auth_private_key=str(directory / key), auth_strict_key=True,
                                    ssh_known_hosts_file=str(directory / "known_hosts"), transport=transport,
                                    timeout_ops=TIMEOUT,
                                    transport_options={"enable_rsa2": True} if is_paramiko else None)
        self.driver.open()
        self.capabilities = {capability.strip() for capability in self.driver.server_capabilities}
        self.session_id = None

    @staticmethod
    def reply(response):
        return parse_reply(response.result)

    def request(self, operation):
        return self.reply(self.driver.rpc(operation))

    def get_config(self, source, subtree=None, with_defaults=None):
        options = {"default_type": with_defaults} if with_defaults else {}
        return data_of(self.reply(self.driver.get_config(source=source, filter_=subtree, **options)))

    def get(self, subtree=None, with_defaults=None):
        if subtree is None or with_defaults:
            return super().get(subtree, with_defaults)
        return data_of(self.reply(self.driver.get(filter_=subtree)))

    def edit_config(self, target, config, default_operation=None, test_option=None, error_option=None):
        if default_operation or test_option or error_option:
            return super().edit_config(target, config, default_operation, test_option, error_option)
        return self.reply(self.driver.edit_config(config=f"<config>{config}</config>", target=target))

    def copy_config(self, source, target):
        if source.startswith("<"):
            return super().copy_config(source, target)
        return self.reply(self.driver.copy_config(source=source, target=target))

    def delete_config(self, target):
        self.reply(self.driver.delete_config(target=target))

    def lock(self, target):
        self.reply(self.driver.lock(target=target))

    def unlock(self, target):
        self.reply(self.driver.unlock(target=target))

    def validate(self, source):
        if source.startswith("<"):
            return super().validate(source)
        return self.reply(self.driver.validate(source=source))

    def commit(self):
        self.reply(self.driver.commit())

    def discard_changes(self):
        self.reply(self.driver.discard())

    def close(self):
        with contextlib.suppress(Exception):
            self.driver.close()


CLIENTS = {
    "openssh-1.0": lambda settings, user: OpenSsh(settings, user, versions=("1.0",)),
    "openssh-1.1": lambda settings, user: OpenSsh(settings, user),
    "ncclient": Ncclient,
    "scrapli-system": lambda settings, user: Scrapli(settings, user, "system"),
    "scrapli-paramiko": lambda settings, user: Scrapli(settings, user, "paramiko"),
    "scrapli-ssh2": lambda settings, user: Scrapli(settings, user, "ssh2"),
}
