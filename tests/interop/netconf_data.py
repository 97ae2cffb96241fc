"""Data of the NETCONF checks, sessions that are closed after each check, and expected errors."""

import contextlib

import netconf_clients
from netconf_clients import NC, RpcFailed, local

STAIR = "https://github.com/portreeve/portreeve/yang/stair"
SYSTEM = "urn:ietf:params:xml:ns:yang:ietf-system"
LIBRARY = "urn:ietf:params:xml:ns:yang:ietf-yang-library"
CAPABILITY = "urn:ietf:params:netconf:capability:"


class World:
    """Opens sessions of one client, and cleans up after each check."""

    def __init__(self, name, settings):
        self.name = name
        self.settings = settings
        self.is_ours = settings["kind"] == "portreeved"
        self.opened = []

    def connect(self, user="writer"):
        session = netconf_clients.CLIENTS[self.name](self.settings, self.settings[user])
        self.opened.append(session)
        return session

    def close(self, session):
        self.opened.remove(session)
        session.close()

    def clean_up(self):
        for session in self.opened:
            session.close()
        self.opened = []
        session = netconf_clients.CLIENTS["openssh-1.1"](self.settings, self.settings["writer"])
        with contextlib.suppress(RpcFailed):
            session.discard_changes()
        for text in (f'<stairTable xmlns="{STAIR}" xmlns:nc="{NC}" nc:operation="remove"/>',
                     f'<system xmlns="{SYSTEM}" xmlns:nc="{NC}"><contact nc:operation="remove"/></system>'):
            edit(session, text)
        session.close()


# --- data


def entry(index, *texts, operation="", first=1):
    """An entry of stair with its index and texts. `operation` is the value of its attribute."""
    attribute = f' xmlns:nc="{NC}" nc:operation="{operation}"' if operation else ""
    leafs = "".join(f"<stairText{number}>{text}</stairText{number}>" for number, text in enumerate(texts, first))
    return f"<stairEntry{attribute}><stairIndex>{index}</stairIndex>{leafs}</stairEntry>"


def stair(*entries):
    return f'<stairTable xmlns="{STAIR}">{"".join(entries)}</stairTable>'


def contact(value, operation=""):
    attribute = f' xmlns:nc="{NC}" nc:operation="{operation}"' if operation else ""
    return f'<system xmlns="{SYSTEM}"><contact{attribute}>{value}</contact></system>'


def edit(session, config, **options):
    """Edits running, or the candidate with a commit if running cannot be edited."""
    if f"{CAPABILITY}writable-running:1.0" in session.capabilities:
        return session.edit_config("running", config, **options)
    session.edit_config("candidate", config, **options)
    try:
        session.commit()
    except RpcFailed:
        session.discard_changes()
        raise
    return None


def entries(data):
    """The entries of stair as {index: {leaf: text}}."""
    found = {}
    for element in data.iter(f"{{{STAIR}}}stairEntry"):
        leafs = {local(leaf): leaf.text or "" for leaf in element}
        found[leafs.pop("stairIndex", None)] = leafs
    return found


def read(session, source="running", subtree=None):
    return entries(session.get_config(source, subtree or f'<stairTable xmlns="{STAIR}"/>'))


def read_contact(session, source="running"):
    data = session.get_config(source, f'<system xmlns="{SYSTEM}"><contact/></system>')
    return data.findtext(f"{{{SYSTEM}}}system/{{{SYSTEM}}}contact")


@contextlib.contextmanager
def fails(*tags, **info):
    """Requires that the block fails with one of these error-tags, and with this error-info."""
    try:
        yield
    except RpcFailed as failure:
        error = failure.first
        assert error.severity == "error" and error.tag in tags, f"expected {tags}, got {error}"
        for name, value in info.items():
            found = error.info.get(name.replace("_", "-"), "")
            # The name of an element or attribute may have a prefix.
            assert value in (found, found.rpartition(":")[2]), f"expected {info}, got {error}"
    else:
        raise AssertionError(f"expected {tags}, got no error")


def equals(found, expected):
    assert found == expected, f"{found} instead of {expected}"
