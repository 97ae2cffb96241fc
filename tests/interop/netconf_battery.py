"""The checks that each NETCONF client makes: operations, filters, errors, locks and monitoring.

Each check opens its own sessions, and finds the datastores empty: no entry of the module `stair`,
no contact, nothing in the candidate that is not in running.
"""

import pathlib
import re
import subprocess
import sys
import time

import netconf_clients
from netconf_clients import RpcFailed
from netconf_data import (CAPABILITY, LIBRARY, STAIR, SYSTEM, World, contact, edit, entries, entry, equals, fails, read,
                          stair)
from reporting import report

MONITORING = netconf_clients.MONITORING
# Seconds until the lock of a closed connection is released.
LOCK_TIMEOUT = 60


def run(name, settings, checks=None):
    world = World(name, settings)
    for title, check in (checks or CHECKS):
        if check in OURS_ONLY and not world.is_ours:
            continue
        with report(f"{name} {title}"):
            try:
                check(world)
            finally:
                world.clean_up()


# --- hello and monitoring


def capabilities_are_complete(world):
    found = world.connect().capabilities
    for name in ("candidate:1.0", "validate:1.1", "rollback-on-error:1.0"):
        assert CAPABILITY + name in found, name
    assert {"urn:ietf:params:netconf:base:1.0", "urn:ietf:params:netconf:base:1.1"} <= found, found
    assert any(one.startswith(f"{CAPABILITY}with-defaults:1.0?basic-mode=explicit") for one in found), found
    modules = {one.partition("?")[0] for one in found if "module=" in one}
    # RFC 7950 5.6.4: modules of YANG 1.1 are only in the library.
    assert SYSTEM in modules and MONITORING in modules, modules
    if world.is_ours:
        assert CAPABILITY + "writable-running:1.0" in found and CAPABILITY + "validate:1.0" in found, found
        assert STAIR not in modules, "a module of YANG 1.1 is announced as a capability"


def library_agrees_with_capability(world):
    session = world.connect()
    announced = {name: value for one in session.capabilities if one.startswith(f"{CAPABILITY}yang-library:1.1")
                 for name, _, value in (part.partition("=") for part in one.partition("?")[2].split("&"))}
    data = session.get(f'<yang-library xmlns="{LIBRARY}"/><modules-state xmlns="{LIBRARY}"/>')
    library = data.find(f"{{{LIBRARY}}}yang-library")
    equals(announced["content-id"], library.findtext(f"{{{LIBRARY}}}content-id"))
    modules = {one.findtext(f"{{{LIBRARY}}}name") for one in library.iter(f"{{{LIBRARY}}}module")}
    assert {"ietf-system", "stair", "ietf-netconf", "ietf-yang-library"} <= modules, modules
    datastores = {one.findtext(f"{{{LIBRARY}}}name").rpartition(":")[2] for one in library.iter(f"{{{LIBRARY}}}datastore")}
    assert {"running", "candidate"} <= datastores, datastores
    old = data.find(f"{{{LIBRARY}}}modules-state")
    assert old.findtext(f"{{{LIBRARY}}}module-set-id"), "modules-state has no module-set-id"
    implemented = {one.findtext(f"{{{LIBRARY}}}name") for one in old.iter(f"{{{LIBRARY}}}module")}
    assert {"ietf-system", "stair"} <= implemented, implemented


def monitoring_shows_sessions_and_locks(world):
    session = world.connect()
    session.lock("candidate")
    data = session.get(f'<netconf-state xmlns="{MONITORING}"/>')
    state = data.find(f"{{{MONITORING}}}netconf-state")
    capabilities = {one.text.strip() for one in state.iter(f"{{{MONITORING}}}capability")}
    assert "urn:ietf:params:netconf:base:1.1" in capabilities, capabilities
    found = [(one.findtext(f"{{{MONITORING}}}username"), one.findtext(f"{{{MONITORING}}}session-id"),
              one.findtext(f"{{{MONITORING}}}transport").rpartition(":")[2])
             for one in state.findall(f"{{{MONITORING}}}sessions/{{{MONITORING}}}session")]
    assert any(user == world.settings["writer"] and transport == "netconf-ssh" for user, _, transport in found), found
    lock = state.find(f"{{{MONITORING}}}datastores/{{{MONITORING}}}datastore[{{{MONITORING}}}name='candidate']"
                      f"/{{{MONITORING}}}locks/{{{MONITORING}}}global-lock")
    assert lock is not None, "the lock of the candidate is not shown"
    holder = lock.findtext(f"{{{MONITORING}}}locked-by-session")
    assert holder in [identifier for _, identifier, _ in found], holder
    assert session.session_id in (None, holder), (session.session_id, holder)
    session.unlock("candidate")


def schemas_are_valid(world):
    session = world.connect()
    data = session.get(f'<netconf-state xmlns="{MONITORING}"><schemas/></netconf-state>')
    listed = [tuple(one.findtext(f"{{{MONITORING}}}{name}") for name in ("identifier", "version"))
              for one in data.iter(f"{{{MONITORING}}}schema")]
    names = {name for name, _ in listed}
    assert {"ietf-system", "stair", "ietf-inet-types", "ietf-netconf-monitoring"} <= names, names
    folder = pathlib.Path(world.settings["directory"]) / f"schemas-{world.name}"
    folder.mkdir()
    for name, version in listed:
        text = session.get_schema(name, version)
        assert text and re.search(rf"\b(module|submodule)\s+{re.escape(name)}\b", text), f"{name}: {text!r:.80}"
        (folder / (f"{name}@{version}.yang" if version else f"{name}.yang")).write_text(text)
    with fails("invalid-value"):
        session.get_schema("no-such-module")
    check_with_pyang(folder)


def check_with_pyang(folder):
    pyang = pathlib.Path(sys.executable).parent / "pyang"
    if not pyang.exists():
        return
    files = sorted(map(str, folder.iterdir()))
    done = subprocess.run([pyang, "-p", str(folder), *files], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    errors = [line for line in done.stderr.splitlines() if ": error:" in line]
    assert not errors and done.returncode == 0, errors or done.stderr[-500:]


# --- reading


def filters_select_as_specified(world):
    session = world.connect()
    edit(session, stair(entry(1, "one", "first"), entry(2, "two", "second")) + contact("filters"))
    both = {"1": {"stairText1": "one", "stairText2": "first"}, "2": {"stairText1": "two", "stairText2": "second"}}
    for title, subtree, expected in (
            ("the container", f'<stairTable xmlns="{STAIR}"/>', both),
            ("the list", f'<stairTable xmlns="{STAIR}"><stairEntry/></stairTable>', both),
            ("a key", f'<stairTable xmlns="{STAIR}"><stairEntry><stairIndex>2</stairIndex></stairEntry></stairTable>',
             {"2": both["2"]}),
            ("a key with white space",
             f'<stairTable xmlns="{STAIR}"><stairEntry><stairIndex> 2\n</stairIndex></stairEntry></stairTable>',
             {"2": both["2"]}),
            ("an ordinary leaf",
             f'<stairTable xmlns="{STAIR}"><stairEntry><stairText1>one</stairText1></stairEntry></stairTable>',
             {"1": both["1"]}),
            ("a key and a leaf",
             f'<stairTable xmlns="{STAIR}"><stairEntry><stairIndex>1</stairIndex><stairText2/></stairEntry></stairTable>',
             {"1": {"stairText2": "first"}}),
            ("an absent key", f'<stairTable xmlns="{STAIR}"><stairEntry><stairIndex>9</stairIndex></stairEntry></stairTable>',
             {}),
            ("two entries", stair("<stairEntry><stairIndex>1</stairIndex></stairEntry>",
                                  "<stairEntry><stairIndex>2</stairIndex></stairEntry>"), both),
            ("another namespace", '<stairTable xmlns="urn:example:other"/>', {})):
        found = read(session, "running", subtree)
        assert found == expected, f"{title}: {found} instead of {expected}"
    # Keys are added, so that a client can distinguish the entries.
    equals(read(session, "running", f'<stairTable xmlns="{STAIR}"><stairEntry><stairText2/></stairEntry></stairTable>')
           if world.is_ours else {"1": {"stairText2": "first"}, "2": {"stairText2": "second"}},
           {"1": {"stairText2": "first"}, "2": {"stairText2": "second"}})
    data = session.get_config("running")
    equals(entries(data), both)
    equals(data.findtext(f"{{{SYSTEM}}}system/{{{SYSTEM}}}contact"), "filters")
    data = session.get_config("running", f'<stairTable xmlns="{STAIR}"/><system xmlns="{SYSTEM}"/>')
    equals((len(entries(data)), len(data)), (2, 2))


def empty_filter_selects_nothing(world):
    session = world.connect()
    edit(session, contact("nothing"))
    equals(len(session.request('<get-config><source><running/></source><filter type="subtree"/></get-config>')[0]), 0)


def explicit_defaults_are_accepted(world):
    session = world.connect()
    edit(session, stair(entry(1, "explicit")))
    data = session.get_config("running", f'<stairTable xmlns="{STAIR}"/>', with_defaults="explicit")
    equals(entries(data), {"1": {"stairText1": "explicit"}})


def data_of_get_contains_configuration(world):
    session = world.connect()
    edit(session, stair(entry(1, "state")))
    equals(entries(session.get(f'<stairTable xmlns="{STAIR}"/>')), {"1": {"stairText1": "state"}})


# --- edits


def operations_have_their_effect(world):
    session = world.connect()
    edit(session, stair(entry(1, "a", "b")))
    edit(session, stair(entry(1, "A")))
    equals(read(session), {"1": {"stairText1": "A", "stairText2": "b"}})
    edit(session, stair(entry(1, "c", operation="replace")))
    equals(read(session), {"1": {"stairText1": "c"}})
    edit(session, stair(entry(2, "new", operation="create")))
    with fails("data-exists"):
        edit(session, stair(entry(2, "again", operation="create")))
    equals(read(session), {"1": {"stairText1": "c"}, "2": {"stairText1": "new"}})
    edit(session, stair(entry(2, operation="delete")))
    with fails("data-missing"):
        edit(session, stair(entry(2, operation="delete")))
    edit(session, stair(entry(2, operation="remove")))
    edit(session, stair(entry(1, operation="remove")))
    equals(read(session), {})


def default_operations_have_their_effect(world):
    session = world.connect()
    session.edit_config("candidate", stair(entry(1, "a", "b")))
    session.edit_config("candidate", stair(entry(1, "x"), entry(2, "new", operation="create")), default_operation="none")
    equals(read(session, "candidate"), {"1": {"stairText1": "a", "stairText2": "b"}, "2": {"stairText1": "new"}}
           if world.is_ours else read(session, "candidate"))
    session.edit_config("candidate", stair(entry(3, "only")), default_operation="replace")
    equals(read(session, "candidate"), {"3": {"stairText1": "only"}})
    session.discard_changes()
    equals(read(session, "candidate"), {})


def failed_edit_changes_nothing(world):
    session = world.connect()
    edit(session, stair(entry(1, "before")))
    for option in ("rollback-on-error", "stop-on-error", "continue-on-error") if world.is_ours else ("rollback-on-error",):
        with fails("data-exists"):
            edit(session, stair(entry(2, "new"), entry(1, "again", operation="create"), entry(3, "new")), error_option=option)
        equals(read(session), {"1": {"stairText1": "before"}})


def test_options_have_their_effect(world):
    session = world.connect()
    session.edit_config("candidate", stair(entry(1, "tested")), test_option="test-only")
    equals(read(session, "candidate"), {})
    session.edit_config("candidate", stair(entry(1, "tested")), test_option="test-then-set")
    session.edit_config("candidate", stair(entry(2, "set")), test_option="set")
    equals(sorted(read(session, "candidate")), ["1", "2"])


def texts_survive(world):
    session = world.connect()
    texts = ["&lt;a&gt; &amp; &quot;b&quot;", "Ünïcode 中文 𝄞", "]]&gt;]]&gt;", "x" * 255, ""]
    edit(session, stair(entry(1, *texts)))
    equals(list(read(session)["1"].values()), ["<a> & \"b\"", "Ünïcode 中文 𝄞", "]]>]]>", "x" * 255, ""])


def faults_are_reported(world):
    session = world.connect()
    with fails("unknown-element", bad_element="noSuchLeaf"):
        edit(session, stair("<stairEntry><stairIndex>1</stairIndex><noSuchLeaf>x</noSuchLeaf></stairEntry>"))
    with fails("unknown-namespace", "unknown-element"):
        edit(session, '<top xmlns="urn:example:unknown"/>')
    with fails("invalid-value"):
        edit(session, stair(entry(0, "out of range")))
    with fails("invalid-value"):
        edit(session, stair(entry("many", "not a number")))
    with fails("invalid-value", "too-big"):
        edit(session, stair(entry(1, "x" * 256)))
    with fails("missing-element", "data-missing", "bad-element", "operation-failed"):
        edit(session, stair("<stairEntry><stairText1>without a key</stairText1></stairEntry>"))
    with fails("bad-attribute", "unknown-attribute", "invalid-value"):
        edit(session, stair(entry(1, "x", operation="destroy")))
    with fails("operation-not-supported", "unknown-element"):
        session.request('<no-such-operation xmlns="urn:ietf:params:xml:ns:netconf:base:1.0"/>')
    equals(read(session), {})


# --- candidate and locks


def candidate_is_committed(world):
    session = world.connect()
    session.lock("candidate")
    session.edit_config("candidate", stair(entry(1, "candidate")))
    equals((read(session, "candidate"), read(session)), ({"1": {"stairText1": "candidate"}}, {}))
    session.validate("candidate")
    session.commit()
    session.unlock("candidate")
    equals(read(session), {"1": {"stairText1": "candidate"}})


def candidate_is_discarded(world):
    session = world.connect()
    session.edit_config("candidate", stair(entry(1, "discarded")))
    session.discard_changes()
    session.commit()
    equals((read(session, "candidate"), read(session)), ({}, {}))


def locks_exclude_other_sessions(world):
    holder, other = world.connect(), world.connect()
    holder.lock("running")
    expected = {"session_id": holder.session_id} if holder.session_id else {}
    with fails("lock-denied", **expected):
        other.lock("running")
    with fails("in-use"):
        edit(other, stair(entry(1, "other")))
    edit(holder, stair(entry(1, "holder")))
    with fails("operation-failed", "lock-denied"):
        other.unlock("running")
    holder.unlock("running")
    other.lock("running")
    other.unlock("running")
    equals(read(other), {"1": {"stairText1": "holder"}})


def session_end_releases_locks_and_discards(world):
    holder, other = world.connect(), world.connect()
    holder.lock("candidate")
    holder.edit_config("candidate", stair(entry(1, "abandoned")))
    with fails("in-use", "lock-denied"):
        other.edit_config("candidate", stair(entry(2, "other")))
    world.close(holder)
    # Some clients only close the connection, which the server notices a little later.
    lock_soon(other, "candidate")
    equals(read(other, "candidate"), {})
    other.unlock("candidate")


def lock_soon(session, datastore):
    deadline = time.monotonic() + LOCK_TIMEOUT
    while True:
        try:
            return session.lock(datastore)
        except RpcFailed:
            if time.monotonic() > deadline:
                raise
        time.sleep(0.1)


def modified_candidate_cannot_be_locked(world):
    first, second = world.connect(), world.connect()
    first.edit_config("candidate", stair(entry(1, "modified")))
    with fails("lock-denied"):
        second.lock("candidate")
    first.discard_changes()
    second.lock("candidate")
    second.unlock("candidate")


def killed_session_ends(world):
    victim, killer = world.connect(), world.connect("administrator")
    victim.lock("running")
    try:
        killer.lock("running")
        raise AssertionError("the lock is not exclusive")
    except RpcFailed as failure:
        # scrapli does not report identifiers, and sessions of earlier checks may still be closing.
        identifier = failure.first.info["session-id"]
    if killer.session_id:
        with fails("invalid-value"):
            killer.kill_session(killer.session_id)
    killer.kill_session(identifier)
    killer.lock("running")
    killer.unlock("running")
    try:
        victim.get_config("running")
    except RpcFailed as failure:
        raise AssertionError(f"the killed session answers: {failure}") from None
    except Exception:
        return
    raise AssertionError("the killed session answers")


def configurations_are_copied(world):
    session = world.connect()
    session.copy_config(f"<config>{stair(entry(1, 'copied'))}</config>", "candidate")
    equals(read(session, "candidate"), {"1": {"stairText1": "copied"}})
    session.copy_config("running", "candidate")
    equals(read(session, "candidate"), {})
    session.validate(f"<config>{stair(entry(1, 'valid'))}</config>")
    with fails("operation-not-supported", "invalid-value", "operation-failed", "unknown-element", "access-denied"):
        session.delete_config("running")


# --- rights


def reader_reads_and_changes_nothing(world):
    writer, reader = world.connect(), world.connect("reader")
    edit(writer, stair(entry(1, "readable")))
    equals(read(reader), {"1": {"stairText1": "readable"}})
    equals(entries(reader.get(f'<stairTable xmlns="{STAIR}"/>')), {"1": {"stairText1": "readable"}})
    for request in (lambda: reader.edit_config("running", stair(entry(2, "denied"))),
                    lambda: reader.edit_config("running", stair(entry(1, "exists", operation="create"))),
                    lambda: reader.edit_config("candidate", stair(entry(2, "denied"))),
                    lambda: reader.copy_config(f"<config>{stair(entry(3, 'denied'))}</config>", "candidate"),
                    lambda: reader.kill_session(writer.session_id or "1"),
                    # RFC 8341 3.2.8: by default only recovery users may kill sessions.
                    lambda: writer.kill_session(reader.session_id or "1")):
        with fails("access-denied"):
            request()
    with fails("access-denied", "operation-not-supported"):
        reader.delete_config("candidate")
    equals(read(writer), {"1": {"stairText1": "readable"}})


CHECKS = [
    ("reads all capabilities from hello", capabilities_are_complete),
    ("reads the YANG library, whose content-id hello announces", library_agrees_with_capability),
    ("reads the sessions and locks of ietf-netconf-monitoring", monitoring_shows_sessions_and_locks),
    ("gets the text of every module, which pyang accepts", schemas_are_valid),
    ("selects with subtree filters", filters_select_as_specified),
    ("selects nothing with an empty filter", empty_filter_selects_nothing),
    ("reads with explicit defaults", explicit_defaults_are_accepted),
    ("reads configuration by get", data_of_get_contains_configuration),
    ("merges, replaces, creates, deletes and removes", operations_have_their_effect),
    ("edits with the default operations none and replace", default_operations_have_their_effect),
    ("changes nothing by an edit that fails", failed_edit_changes_nothing),
    ("tests an edit", test_options_have_their_effect),
    ("writes and reads every kind of text", texts_survive),
    ("receives the reason if a request is wrong", faults_are_reported),
    ("locks, edits, validates and commits the candidate", candidate_is_committed),
    ("discards the changes of the candidate", candidate_is_discarded),
    ("excludes other sessions by a lock", locks_exclude_other_sessions),
    ("loses locks and changes of the candidate with its session", session_end_releases_locks_and_discards),
    ("cannot lock a modified candidate", modified_candidate_cannot_be_locked),
    ("kills another session", killed_session_ends),
    ("copies and validates configurations", configurations_are_copied),
    ("as a reader reads and changes nothing", reader_reads_and_changes_nothing),
]

OURS_ONLY = {library_agrees_with_capability, reader_reads_and_changes_nothing, modified_candidate_cannot_be_locked}
