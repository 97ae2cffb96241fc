"""Data of the NETCONF checks, sessions that are closed after each check, and expected errors."""

import contextlib

import netconf_clients
from netconf_clients import NC, RpcFailed, local

STAIR = "https://github.com/portreeve/portreeve/yang/stair"
# What the module `stair` is called, and what its names begin with. `renamed` changes it.
name = "stair"
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
        for text in (f'<{name}Table xmlns="{namespace()}" xmlns:nc="{NC}" nc:operation="remove"/>',
                     f'<system xmlns="{SYSTEM}" xmlns:nc="{NC}"><contact nc:operation="remove"/></system>'):
            edit(session, text)
        session.close()


# --- data


@contextlib.contextmanager
def renamed(other):
    """Calls the module `stair` and its nodes by another name within the block."""
    global name
    name = other
    try:
        yield
    finally:
        name = "stair"


def namespace():
    return STAIR.replace("stair", name)


def entry(index, *texts, operation="", first=1, more=""):
    """An entry of stair with its index and texts. `operation` is the value of its attribute."""
    attribute = f' xmlns:nc="{NC}" nc:operation="{operation}"' if operation else ""
    leafs = "".join(f"<{name}Text{number}>{text}</{name}Text{number}>" for number, text in enumerate(texts, first))
    return f"<{name}Entry{attribute}><{name}Index>{index}</{name}Index>{leafs}{more}</{name}Entry>"


def stair(*entries):
    return f'<{name}Table xmlns="{namespace()}">{"".join(entries)}</{name}Table>'


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
    for element in data.iter(f"{{{namespace()}}}{name}Entry"):
        # The lists of a renamed module are read by their own check.
        leafs = {local(leaf).replace(name, "stair"): leaf.text or "" for leaf in element if len(leaf) == 0}
        found[leafs.pop("stairIndex", None)] = leafs
    return found


def read(session, source="running", subtree=None):
    return entries(session.get_config(source, subtree or f'<{name}Table xmlns="{namespace()}"/>'))


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
