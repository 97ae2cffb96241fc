"""One value by both protocols: NETCONF edits what SNMP reads, and SNMP sets what NETCONF reads.

The agent is killed between the steps, so that each value is read from the state directory.
"""

import netconf_data
import netconf_site
from netconf_data import World, contact, edit, entry, equals, fails, read, read_contact, stair
from netconf_clients import RpcFailed, local
from netconf_peers import unavailable

SYS_CONTACT = "1.3.6.1.2.1.1.4.0"
STAIR_ENTRY = "1.3.6.1.4.1.32473.3.1.1"
# Columns of stairEntry.
INDEX, FIRST_TEXT, ROW_STATUS = 1, 2, 12
ACTIVE, CREATE_AND_GO, DESTROY = "1", "4", "6"
# What a renamed module has as well.
NOTE = 13
RUNG = "1.3.6.1.4.1.32473.3.2.1"
ADDITIONS = f"""      leaf note {{
        type text;
        smiv2:oid "{STAIR_ENTRY}.{NOTE}";
      }}
      list rung {{
        key "number";
        leaf number {{
          type uint8;
          smiv2:oid "{RUNG}.1";
        }}
        leaf height {{
          type uint16;
          smiv2:oid "{RUNG}.2";
        }}
      }}
"""


def run(agent, peer):
    missing = unavailable(agent)
    if missing:
        return peer.skip("all checks", missing)
    if netconf_site.SERVER != "portreeved":
        return peer.skip("all checks", "only our agent serves both protocols")
    with netconf_site.start() as site:
        for title, check in CHECKS:
            peer.check(title, attempt, site, check)
    with netconf_site.start(contact='contact = "from the file"') as site:
        peer.check("a contact in the file cannot be edited", attempt, site, contact_of_file_is_read_only)
    with netconf_data.renamed("ladder"), netconf_site.start(module=("ladder", renamed_module())) as site:
        for title, check in (*CHECKS, ("an added leaf and a nested list are edited by both protocols", additions_by_both_protocols)):
            peer.check(f"renamed module: {title}", attempt, site, check)
    return None


def renamed_module():
    """The module `stair` with another name throughout, with one more leaf, and with a list in each entry."""
    text = (netconf_site.EXAMPLES / "stair.yang").read_text()
    status = "      leaf stairRowStatus {"
    assert text.count(status) == 1, "stair.yang has changed"
    return text.replace(status, ADDITIONS + status).replace("stair", "ladder").replace("Stair", "Ladder")


def attempt(site, check):
    world = World("openssh-1.1", site.settings())
    try:
        check(site, world)
    except (OSError, EOFError, RpcFailed) as failure:
        raise AssertionError(f"{type(failure).__name__}: {failure}\n{site.log()[-1500:]}") from None
    finally:
        world.clean_up()


def restart(site):
    site.kill()
    site.start()


def with_session(world, action, *arguments):
    """Calls `action` with a new session, and closes it."""
    session = world.connect()
    try:
        return action(session, *arguments)
    finally:
        world.close(session)


def contact_by_both_protocols(site, world):
    with_session(world, edit, contact("by NETCONF"))
    restart(site)
    equals(site.snmp("get", SYS_CONTACT), '"by NETCONF"')
    site.snmp("set", SYS_CONTACT, "s", "by SNMP")
    restart(site)
    equals(with_session(world, read_contact), "by SNMP")
    with_session(world, edit, contact("again", operation="replace"))
    equals(site.snmp("get", SYS_CONTACT), '"again"')
    with_session(world, edit, contact("", operation="delete"))
    restart(site)
    equals(site.snmp("get", SYS_CONTACT), '""')


def table_by_both_protocols(site, world):
    with_session(world, edit, stair(entry(5, "five", "fünf"), entry(7, "seven")))
    restart(site)
    equals(site.snmp("get", f"{STAIR_ENTRY}.{FIRST_TEXT}.5"), '"five"')
    equals(site.snmp("getnext", f"{STAIR_ENTRY}.{FIRST_TEXT}.5"), '"seven"')
    equals(site.snmp("get", f"{STAIR_ENTRY}.{ROW_STATUS}.7"), ACTIVE)
    equals(site.snmp("get", f"{STAIR_ENTRY}.{FIRST_TEXT + 1}.7"), "No Such Instance currently exists at this OID")
    site.snmp("set", f"{STAIR_ENTRY}.{FIRST_TEXT}.7", "s", "set", f"{STAIR_ENTRY}.{FIRST_TEXT}.6", "s", "new",
              f"{STAIR_ENTRY}.{ROW_STATUS}.6", "i", CREATE_AND_GO)
    restart(site)
    equals(with_session(world, read), {"5": {"stairText1": "five", "stairText2": "fünf"}, "6": {"stairText1": "new"},
                                       "7": {"stairText1": "set"}})
    site.snmp("set", f"{STAIR_ENTRY}.{ROW_STATUS}.5", "i", DESTROY)
    equals(sorted(with_session(world, read)), ["6", "7"])
    with_session(world, edit, stair(entry(6, operation="delete"), entry(7, operation="delete")))
    walked = site.snmp("walk", STAIR_ENTRY)
    assert "No Such" in walked or "No more" in walked, walked


def candidate_of_earlier_state_is_merged(site, world):
    """A SET between an edit of the candidate and its commit is not lost."""
    with_session(world, edit, stair(entry(1, "one", "two")))
    session = world.connect()
    session.edit_config("candidate", stair(entry(1, "edited")))
    site.snmp("set", f"{STAIR_ENTRY}.{FIRST_TEXT + 1}.1", "s", "set")
    session.commit()
    equals(read(session), {"1": {"stairText1": "edited", "stairText2": "set"}})


def conflict_is_refused(site, world):
    """A SET and the candidate changed one leaf: the commit fails, and the SET stays."""
    with_session(world, edit, stair(entry(1, "one")))
    session = world.connect()
    session.edit_config("candidate", stair(entry(1, "candidate")))
    site.snmp("set", f"{STAIR_ENTRY}.{FIRST_TEXT}.1", "s", "set")
    with fails("operation-failed", "in-use", "data-exists"):
        session.commit()
    equals(read(session), {"1": {"stairText1": "set"}})
    session.discard_changes()
    equals(read(session, "candidate"), {"1": {"stairText1": "set"}})


def lock_stops_sets(site, world):
    session = world.connect()
    session.lock("running")
    try:
        site.snmp("set", SYS_CONTACT, "s", "during the lock")
    except AssertionError as refusal:
        assert "resourceUnavailable" in str(refusal), refusal
    else:
        raise AssertionError("a SET changes running while it is locked")
    session.unlock("running")
    site.snmp("set", SYS_CONTACT, "s", "after the lock")
    equals(read_contact(session), "after the lock")


def one_log_line_for_an_edit(site, world):
    before = len((site.directory / "agent.log").read_text().splitlines())
    with_session(world, edit, stair(entry(1, "logged")) + contact("logged"))
    lines = (site.directory / "agent.log").read_text().splitlines()[before:]
    edits = [line for line in lines if "edit" in line or "commit" in line]
    assert len(edits) == 1 and "ops" in edits[0] and netconf_data.name in edits[0], lines


def additions_by_both_protocols(site, world):
    """The leaf and the nested list that `renamed_module` adds."""
    more = "<note>first</note><rung><number>{0}</number><height>{1}</height></rung>"
    with_session(world, edit, stair(entry(4, "four", more=more.format(2, 20)), entry(3, more=more.format(9, 90))))
    restart(site)
    equals(site.snmp("get", f"{STAIR_ENTRY}.{NOTE}.4"), '"first"')
    equals(site.snmp("get", f"{RUNG}.2.4.2"), "20")
    equals(site.snmp("getnext", f"{RUNG}.2.3"), "90")
    equals(site.snmp("getnext", f"{RUNG}.2.3.9"), "20")
    site.snmp("set", f"{STAIR_ENTRY}.{NOTE}.4", "s", "second", f"{RUNG}.2.4.7", "u", "70")
    restart(site)
    data = with_session(world, lambda session: session.get_config("running", stair(entry(4))))
    found = {local(leaf): leaf.text for leaf in data.iter() if leaf.text and leaf.text.strip()}
    equals((found["note"], found["height"]), ("second", "70"))
    site.snmp("set", f"{STAIR_ENTRY}.{ROW_STATUS}.4", "i", DESTROY)
    equals(sorted(with_session(world, read)), ["3"])


def contact_of_file_is_read_only(site, world):
    session = world.connect()
    equals(read_contact(session), None)
    equals(site.snmp("get", SYS_CONTACT), '"from the file"')
    with fails("operation-failed", "access-denied"):
        edit(session, contact("by NETCONF"))
    equals(site.snmp("get", SYS_CONTACT), '"from the file"')


CHECKS = [
    ("contact is edited by NETCONF and SNMP, with SIGKILL between", contact_by_both_protocols),
    ("entries are edited by NETCONF and SNMP, with SIGKILL between", table_by_both_protocols),
    ("a commit keeps a SET of another leaf", candidate_of_earlier_state_is_merged),
    ("a commit that conflicts with a SET is refused", conflict_is_refused),
    ("a lock on running stops SETs", lock_stops_sets),
    ("an edit is logged in one line with its user", one_log_line_for_an_edit),
]
