"""OpenSSH's `ssh -s … netconf` with XML and framing of our own, in both versions of the framing.

Contains the battery of all clients, texts that real clients send in an unusual form, and messages
that end the session.
"""

import sys

import netconf_site
import pysnmp_peer
from netconf_data import STAIR, World, edit, entries, entry, equals, fails, read, stair
from netconf_clients import NC, OpenSsh, RpcFailed, SshStream, parse_reply
from netconf_peers import PYANG, run_program, unavailable

PACKAGES = [PYANG]
HELLO = OpenSsh.HELLO.format("<capability>urn:ietf:params:netconf:base:{}</capability>")
GET_CONFIG = "<get-config><source><running/></source></get-config>"


def run(agent, peer):
    missing = unavailable(agent)
    if missing:
        return peer.skip("all checks", missing)
    with netconf_site.start() as site:
        # pyang is in the venv; without it, only the check of module texts is smaller.
        python, _ = pysnmp_peer.environment("netconf", PACKAGES)
        for client in ("openssh-1.0", "openssh-1.1"):
            run_program(peer, site, python or sys.executable, "netconf_program.py", client)
        world = World("openssh-1.1", site.settings())
        for title, check in CHECKS:
            peer.check(title, attempt, world, check)
    return None


def attempt(world, check):
    try:
        check(world)
    except (OSError, EOFError, SyntaxError, RpcFailed) as failure:
        # The parser's error is a SyntaxError.
        raise AssertionError(f"{type(failure).__name__}: {failure}") from None
    finally:
        world.clean_up()


def session(world, **options):
    opened = OpenSsh(world.settings, world.settings["writer"], **options)
    world.opened.append(opened)
    return opened


def rpc(opened, text):
    """Sends a whole rpc element and returns the reply, or raises RpcFailed."""
    opened.send(text)
    return parse_reply(opened.receive())


# --- unusual, but correct


def framing_of_1_1_needs_both(world):
    only_old = session(world, versions=("1.0",))
    equals(only_old.is_chunked, False)
    only_old.get_config("running")
    only_new = session(world, versions=("1.1",))
    equals(only_new.is_chunked, True)
    only_new.get_config("running")


def hello_after_white_space(world):
    opened = session(world, hello="\n" + HELLO.format("1.1") + "\n")
    opened.get_config("running")


def message_after_line_feeds(world):
    """scrapli-netconf sends a line feed after each message."""
    opened = session(world)
    for _ in range(3):
        opened.get_config("running")
        opened.stream.write(b"\n")
    opened.get_config("running")


def chunks_of_one_octet(world):
    opened = session(world)
    text = f'<rpc xmlns="{NC}" message-id="1">{GET_CONFIG}</rpc>'.encode()
    opened.stream.write(b"".join(b"\n#1\n" + bytes([octet]) for octet in text) + b"\n##\n")
    parse_reply(opened.receive())


def octets_arrive_one_by_one(world):
    opened = session(world, versions=("1.0",))
    for octet in f'<rpc xmlns="{NC}" message-id="1">{GET_CONFIG}</rpc>]]>]]>'.encode():
        opened.stream.write(bytes([octet]))
    parse_reply(opened.receive())


def requests_without_waiting(world):
    opened = session(world)
    for number in range(200):
        opened.send(f'<rpc xmlns="{NC}" message-id="{number}">{GET_CONFIG}</rpc>')
    equals([parse_reply(opened.receive()).get("message-id") for _ in range(200)], [str(number) for number in range(200)])


def attributes_are_returned(world):
    opened = session(world)
    reply = rpc(opened, f'<rpc message-id="a&amp;&lt;&quot;b" xmlns="{NC}" xmlns:ex="urn:example" ex:user="fred" plain="x">'
                        f"{GET_CONFIG}</rpc>")
    equals((reply.get("message-id"), reply.get("{urn:example}user"), reply.get("plain")), ('a&<"b', "fred", "x"))


def prefixes_on_everything(world):
    opened = session(world)
    rpc(opened, f'<?xml version="1.0" encoding="UTF-8"?><n:rpc xmlns:n="{NC}" n:id="1" message-id="1"><!-- comment -->'
                f'<n:edit-config><n:target><n:running></n:running></n:target><n:config><s:stairTable xmlns:s="{STAIR}">'
                f'<s:stairEntry n:operation="create"><s:stairIndex>7</s:stairIndex><s:stairText1><![CDATA[<&>]]></s:stairText1>'
                f"</s:stairEntry></s:stairTable></n:config></n:edit-config></n:rpc>")
    equals(read(opened), {"7": {"stairText1": "<&>"}})


def parameters_in_any_order(world):
    opened = session(world)
    config = stair(entry(1, "order", operation="create"))
    orders = ("{e}{t}{d}<target><running/></target><config>{c}</config>",
              "{d}<target><running/></target><config>{c}</config>{e}{t}")
    for order in orders:
        text = order.format(c=config, d="<default-operation>none</default-operation>", t="<test-option>set</test-option>",
                            e="<error-option>rollback-on-error</error-option>")
        opened.request(f"<edit-config>{text}</edit-config>")
        equals(read(opened), {"1": {"stairText1": "order"}})
        edit(opened, stair(entry(1, operation="delete")))


def operations_without_namespace(world):
    """Ansible sends operations and `config` without a namespace, within prefixed elements."""
    opened = session(world)
    for operation in ("lock", "unlock"):
        rpc(opened, f'<nc:rpc xmlns:nc="{NC}" message-id="1"><{operation}><target><candidate/></target></{operation}></nc:rpc>')
    rpc(opened, f'<nc:rpc xmlns:nc="{NC}" message-id="1"><nc:edit-config><nc:target><nc:running/></nc:target>'
                f"<config>{stair(entry(1, 'x'))}</config></nc:edit-config></nc:rpc>")
    equals(read(opened), {"1": {"stairText1": "x"}})


def target_after_config(world):
    """The configuration is applied while it arrives, so that target and default-operation must be known before."""
    opened = session(world)
    with fails("bad-element", bad_element="default-operation"):
        opened.request(f"<edit-config><target><running/></target><config>{stair(entry(1, 'x'))}</config>"
                       "<default-operation>replace</default-operation></edit-config>")
    with fails("missing-element", bad_element="target"):
        opened.request(f"<edit-config><config>{stair(entry(1, 'x'))}</config><target><running/></target></edit-config>")
    equals(read(opened), {})


def operation_attribute_without_prefix(world):
    opened = session(world)
    edit(opened, stair(entry(1, "removed")))
    edit(opened, f'<stairTable xmlns="{STAIR}"><stairEntry operation="remove"><stairIndex>1</stairIndex></stairEntry></stairTable>')
    equals(read(opened), {})


def filters_without_namespace(world):
    opened = session(world)
    edit(opened, stair(entry(1, "wildcard")))
    # RFC 6241 6.2.1: a filter without a namespace selects in any namespace.
    data = opened.request('<get-config><source><running/></source><filter type="subtree"><stairTable xmlns="">'
                          "<stairEntry><stairIndex>1</stairIndex></stairEntry></stairTable></filter></get-config>")
    equals(entries(data), {"1": {"stairText1": "wildcard"}})


def keys_are_added_to_selected_leafs(world):
    opened = session(world)
    edit(opened, stair(entry(1, "a", "b"), entry(2, "c")))
    subtree = f'<stairTable xmlns="{STAIR}"><stairEntry><stairText1/></stairEntry></stairTable>'
    equals(read(opened, "running", subtree), {"1": {"stairText1": "a"}, "2": {"stairText1": "c"}})


def end_of_message_in_values(world):
    """In 1.0 framing a value must not contain the end of a message."""
    new, old = session(world), session(world, versions=("1.0",))
    edit(new, stair(entry(1, "]]&gt;]]&gt;")))
    equals(read(old), {"1": {"stairText1": "]]>]]>"}})


def session_closes_after_its_reply(world):
    opened = session(world)
    opened.request("<close-session/>")
    assert opened.stream.is_closed(), "the session stays open"


def unknown_subsystem(world):
    stream = SshStream(world.settings, world.settings["writer"], subsystem="no-such-subsystem")
    try:
        assert stream.is_closed(), "an unknown subsystem is accepted"
    finally:
        stream.close()


# --- wrong, but the session continues


def request_without_message_id(world):
    opened = session(world)
    with fails("missing-attribute", bad_attribute="message-id", bad_element="rpc"):
        rpc(opened, f'<rpc xmlns="{NC}">{GET_CONFIG}</rpc>')
    opened.get_config("running")


def unknown_operations_and_parameters(world):
    opened = session(world)
    with fails("unknown-element", "operation-not-supported"):
        opened.request("<no-such-operation/>")
    with fails("unknown-element", "bad-element", bad_element="no-such-parameter"):
        opened.request("<get-config><source><running/></source><no-such-parameter/></get-config>")
    with fails("missing-element", bad_element="source"):
        opened.request("<get-config/>")
    with fails("invalid-value", "bad-element", "unknown-element", "operation-not-supported"):
        opened.request("<get-config><source><no-such-datastore/></source></get-config>")
    with fails("invalid-value", "bad-element"):
        edit(opened, stair(entry(1, "x")), default_operation="destroy")
    opened.get_config("running")


def nothing_before_hello(world):
    stream = SshStream(world.settings, world.settings["writer"])
    try:
        stream.read_until(b"]]>]]>")
        stream.write(f'<rpc xmlns="{NC}" message-id="1">{GET_CONFIG}</rpc>]]>]]>'.encode())
        assert stream.is_closed(), "a request before hello is answered"
    finally:
        stream.close()


# --- wrong, and the session ends


def ends(*messages, versions=("1.0", "1.1")):
    """A check that sends octets after hello and expects the end of the session."""
    def check(world):
        opened = session(world, versions=versions)
        for message in messages:
            opened.stream.write(message)
        rest, _ = opened.stream.process.communicate(timeout=netconf_site.TIMEOUT)
        assert b"<data" not in rest and b"<ok" not in rest, rest[:300]
    return check


def hello_ends(hello):
    def check(world):
        stream = SshStream(world.settings, world.settings["writer"])
        try:
            stream.read_until(b"]]>]]>")
            stream.write(hello.encode() + b"]]>]]>")
            assert stream.is_closed(), "the hello is accepted"
        finally:
            stream.close()
    return check


def large_unknown_subtree(world):
    """The reply names the unknown element, and the rest of the request is skipped."""
    opened = session(world)
    filler = "<x>" + "y" * 1000 + "</x>"
    with fails("unknown-namespace", "unknown-element"):
        edit(opened, f'<top xmlns="urn:example:unknown">{filler * 2000}</top>')
    opened.get_config("running")


CHECKS = [
    ("chunks are used if both sides announce base 1.1", framing_of_1_1_needs_both),
    ("white space before and after hello is ignored", hello_after_white_space),
    ("a line feed after a message is ignored", message_after_line_feeds),
    ("chunks of one octet are joined", chunks_of_one_octet),
    ("a message may arrive octet by octet", octets_arrive_one_by_one),
    ("200 requests are answered in order without waiting", requests_without_waiting),
    ("all attributes of rpc are in the reply", attributes_are_returned),
    ("prefixes, comments and CDATA are understood", prefixes_on_everything),
    ("the test and error options may precede or follow the configuration", parameters_in_any_order),
    ("operations and config need no namespace", operations_without_namespace),
    ("a target or default-operation after the configuration gets an error", target_after_config),
    ("the attribute operation needs no prefix", operation_attribute_without_prefix),
    ("a filter without a namespace selects in all namespaces", filters_without_namespace),
    ("keys are added to selected leafs", keys_are_added_to_selected_leafs),
    ("a value that contains the end of a message survives", end_of_message_in_values),
    ("close-session is answered before the session ends", session_closes_after_its_reply),
    ("an unknown subsystem is refused", unknown_subsystem),
    ("a request without message-id gets an error", request_without_message_id),
    ("unknown operations and parameters get an error", unknown_operations_and_parameters),
    ("a large unknown subtree gets an error", large_unknown_subtree),
    ("a request before hello ends the session", nothing_before_hello),
    ("a hello without a common base version is refused", hello_ends(HELLO.format("9.9"))),
    ("a hello with a session-id is refused",
     hello_ends(HELLO.format("1.1").replace("</capabilities>", "</capabilities><session-id>4</session-id>"))),
    ("a hello with a DOCTYPE is refused", hello_ends('<!DOCTYPE hello [<!ENTITY a "b">]>' + HELLO.format("1.1"))),
    ("ill-formed XML ends a session of 1.0", ends(b"<rpc></get>]]>]]>", versions=("1.0",))),
    ("ill-formed XML ends a session of 1.1", ends(b"\n#11\n<rpc></get>\n##\n")),
    ("a wrong chunk size ends the session", ends(b"\n#x\n")),
    ("a chunk of no octets ends the session", ends(b"\n#0\n\n##\n")),
    ("a chunk size with a leading zero ends the session", ends(b"\n#01\nx\n##\n")),
    ("a chunk size over 4294967295 ends the session", ends(b"\n#4294967296\nx")),
    ("octets between chunks end the session", ends(b"\n#1\n<x\n##\n")),
    ("a control character ends the session", ends(b"\n#6\n<a>\x01</\n##\n")),
    ("an entity that is not defined ends the session",
     ends(b'<rpc xmlns="urn:ietf:params:xml:ns:netconf:base:1.0" message-id="&x;"/>]]>]]>', versions=("1.0",))),
]
