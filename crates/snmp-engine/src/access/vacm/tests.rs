use portreeve_lcd::{
    AccessKey, AccessRow, Columns, ContextMatch, FamilyType, GroupKey, GroupRow, Lcd, Name, Row, StorageType,
    Tables, ViewFamilyKey, ViewFamilyRow,
};
use portreeve_smi::{Oid, SecurityLevel, SecurityModel};

use super::*;

const SYSTEM: [u32; 7] = [1, 3, 6, 1, 2, 1, 1];
const LEVELS: [SecurityLevel; 3] =
    [SecurityLevel::NoAuthNoPriv, SecurityLevel::AuthNoPriv, SecurityLevel::AuthPriv];
const EXACT: ContextMatch = ContextMatch::Exact;
const PREFIX: ContextMatch = ContextMatch::Prefix;

/// `alice` is in group `friends` under USM. Every view contains one subtree below `1.3.6.1.2.1.1`.
/// The name of the view is the last arc of that subtree.
fn tables() -> Tables {
    let mut tables = Tables::default();
    let mut group = GroupRow::new(GroupKey { model: SecurityModel::USM, security_name: name("alice") });
    group.columns.group_name = name("friends");
    insert(&mut tables, group);
    for arc in 1..=9 {
        let subtree = Oid::new(&[&SYSTEM[..], &[arc]].concat()).unwrap();
        insert(&mut tables, ViewFamilyRow::new(ViewFamilyKey { view_name: name(&arc.to_string()), subtree }));
    }
    tables.contexts = std::sync::Arc::new(["vlan", "vlan1", "vlan12"].into_iter().map(name).collect());
    tables
}

fn insert<C: Columns>(tables: &mut Tables, row: Row<C>) {
    tables.insert(row.into_active(StorageType::ReadOnly));
}

/// An access entry of the group `friends`. The name of its read view is the number of the entry.
#[derive(Clone, Copy)]
struct TestEntry(&'static str, ContextMatch, SecurityModel, SecurityLevel);

fn lcd_with(entries: &[TestEntry]) -> Lcd {
    let mut tables = tables();
    for (number, TestEntry(context_prefix, context_match, model, level)) in entries.iter().enumerate() {
        let mut row = AccessRow::new(AccessKey {
            group_name: name("friends"),
            context_prefix: name(context_prefix),
            model: *model,
            level: *level,
        });
        row.columns.context_match = *context_match;
        row.columns.read_view = name(&(number + 1).to_string());
        insert(&mut tables, row);
    }
    Lcd::compile(tables)
}

fn alice(level: SecurityLevel) -> Principal<'static> {
    Principal { security_model: SecurityModel::USM, security_name: b"alice", security_level: level }
}

/// Returns the number of the entry that applies to alice at the highest level.
#[track_caller]
fn winning_entry(entries: &[TestEntry], context: &str) -> usize {
    let lcd = lcd_with(entries);
    let principal = alice(SecurityLevel::AuthPriv);
    (1..=entries.len())
        .find(|number| {
            let variable = [&SYSTEM[..], &[u32::try_from(*number).unwrap(), 0]].concat();
            is_access_allowed(&lcd, &principal, ViewType::Read, context.as_bytes(), &variable).is_ok()
        })
        .unwrap()
}

fn name(text: &str) -> Name {
    text.as_bytes().into()
}

//= rfc3415#3.2-1
//= type=test
#[test]
fn access_check_rejects_an_unknown_context_before_an_unknown_user() {
    let lcd = Lcd::compile(tables());
    let unknown_user = Principal { security_name: b"mallory", ..alice(SecurityLevel::AuthPriv) };
    for unknown in ["vlan2", "Vlan", "vlan\0", "v"] {
        let error = find_view(&lcd, &unknown_user, ViewType::Read, unknown.as_bytes()).unwrap_err();
        assert_eq!(error, AccessError::NoSuchContext);
    }
    assert_eq!(
        find_view(&lcd, &unknown_user, ViewType::Read, b"vlan1").unwrap_err(),
        AccessError::NoGroupName
    );
}

//= rfc3415#3.2-2
//= type=test
#[test]
fn group_is_found_only_by_exact_security_model_and_name() {
    let lcd = lcd_with(&[TestEntry("", EXACT, SecurityModel::ANY, SecurityLevel::NoAuthNoPriv)]);
    let principal = alice(SecurityLevel::AuthPriv);
    assert!(find_view(&lcd, &principal, ViewType::Read, b"").is_ok());
    for security_model in [
        SecurityModel::ANY,
        SecurityModel::SNMP_V1,
        SecurityModel::SNMP_V2C,
        SecurityModel::TSM,
        SecurityModel(5),
    ] {
        let error =
            find_view(&lcd, &Principal { security_model, ..principal }, ViewType::Read, b"").unwrap_err();
        assert_eq!(error, AccessError::NoGroupName);
    }
    for security_name in [&b""[..], b"alic", b"alice ", b"Alice", b"alice\0", b"root\0x", &[b'a'; 65_536]] {
        let error =
            find_view(&lcd, &Principal { security_name, ..principal }, ViewType::Read, b"").unwrap_err();
        assert_eq!(error, AccessError::NoGroupName);
    }
}

//= rfc3415#3.2-3
//= type=test
#[test]
fn access_entry_applies_to_its_security_level_and_above() {
    for needed in LEVELS {
        let lcd = lcd_with(&[TestEntry("", EXACT, SecurityModel::USM, needed)]);
        for level in LEVELS {
            let found = find_view(&lcd, &alice(level), ViewType::Read, b"").map(drop);
            let expected = if level >= needed { Ok(()) } else { Err(AccessError::NoAccessEntry) };
            assert_eq!(found, expected, "required level {needed}, actual level {level}");
        }
    }
}

//= rfc3415#3.2-3
//= type=test
#[test]
fn access_entry_applies_to_its_security_model_or_to_any_model() {
    for (model, expected) in [
        (SecurityModel::USM, Ok(())),
        (SecurityModel::ANY, Ok(())),
        (SecurityModel::TSM, Err(AccessError::NoAccessEntry)),
        (SecurityModel::SNMP_V2C, Err(AccessError::NoAccessEntry)),
    ] {
        let lcd = lcd_with(&[TestEntry("", EXACT, model, SecurityLevel::NoAuthNoPriv)]);
        let principal = alice(SecurityLevel::AuthPriv);
        assert_eq!(find_view(&lcd, &principal, ViewType::Read, b"").map(drop), expected, "{model}");
    }
}

//= rfc3415#3.2-3
//= type=test
#[test]
fn access_entry_matches_context_exactly_or_by_prefix() {
    let no = Err(AccessError::NoAccessEntry);
    for (prefix, context_match, expected) in [
        ("", EXACT, [Ok(()), no, no, no]),
        ("", PREFIX, [Ok(()); 4]),
        ("vlan", EXACT, [no, Ok(()), no, no]),
        ("vlan", PREFIX, [no, Ok(()), Ok(()), Ok(())]),
        ("vlan1", PREFIX, [no, no, Ok(()), Ok(())]),
        ("vlan12", EXACT, [no, no, no, Ok(())]),
        ("vlan123", PREFIX, [no; 4]),
    ] {
        let lcd = lcd_with(&[TestEntry(prefix, context_match, SecurityModel::USM, LEVELS[0])]);
        let principal = alice(SecurityLevel::AuthPriv);
        let found = ["", "vlan", "vlan1", "vlan12"]
            .map(|context| find_view(&lcd, &principal, ViewType::Read, context.as_bytes()).map(drop));
        assert_eq!(found, expected, "{prefix} {context_match:?}");
    }
}

/// The order of preference of vacmAccessTable. Each criterion takes precedence over all criteria
/// after it.
//= rfc3415#3.2-3
//= type=test
#[test]
fn access_entry_with_highest_precedence_is_used() {
    let [low, middle, high] = LEVELS;
    let (usm, any) = (SecurityModel::USM, SecurityModel::ANY);
    for (better, worse) in [
        // An entry for the exact model takes precedence over an entry for any model.
        (TestEntry("", PREFIX, usm, low), TestEntry("vlan1", EXACT, any, high)),
        // An exact context takes precedence over a prefix.
        (TestEntry("vlan1", EXACT, any, low), TestEntry("vlan", PREFIX, any, high)),
        // A longer prefix takes precedence over a shorter prefix.
        (TestEntry("vlan", PREFIX, usm, low), TestEntry("v", PREFIX, usm, high)),
        (TestEntry("v", PREFIX, usm, low), TestEntry("", PREFIX, usm, high)),
        // A higher level takes precedence over a lower level.
        (TestEntry("", PREFIX, usm, high), TestEntry("", PREFIX, usm, middle)),
        (TestEntry("vlan1", EXACT, usm, middle), TestEntry("vlan1", EXACT, usm, low)),
    ] {
        assert_eq!(winning_entry(&[better, worse], "vlan1"), 1);
        assert_eq!(winning_entry(&[worse, better], "vlan1"), 2);
    }
}

//= rfc3415#3.2-4a
//= type=test
//= rfc3415#3.2-4b
//= type=test
//= rfc3415#3.2-4c
//= type=test
//= rfc3415#3.2-5a
//= type=test
#[test]
fn access_entry_grants_only_access_types_whose_view_exists() {
    let key = || AccessKey {
        group_name: name("friends"),
        context_prefix: name(""),
        model: SecurityModel::USM,
        level: SecurityLevel::NoAuthNoPriv,
    };
    let kinds = [ViewType::Read, ViewType::Write, ViewType::Notify];
    for given in kinds {
        for (view, expected) in
            [("1", None), ("", Some(AccessError::NoSuchView)), ("missing", Some(AccessError::NoSuchView))]
        {
            let mut tables = tables();
            let mut row = AccessRow::new(key());
            let columns = &mut row.columns;
            match given {
                ViewType::Read => columns.read_view = name(view),
                ViewType::Write => columns.write_view = name(view),
                ViewType::Notify => columns.notify_view = name(view),
            }
            insert(&mut tables, row);
            let lcd = Lcd::compile(tables);
            for kind in kinds {
                let expected = if kind == given { expected } else { Some(AccessError::NoSuchView) };
                let found = find_view(&lcd, &alice(SecurityLevel::AuthPriv), kind, b"").err();
                assert_eq!(found, expected, "view type {given:?} granted, {kind:?} requested");
            }
        }
    }
}

//= rfc3415#3.2-5b
//= type=test
//= rfc3415#3.2-5c
//= type=test
#[test]
fn access_is_allowed_only_inside_the_mib_view() {
    let mut tables = tables();
    let subtree = Oid::new(&[&SYSTEM[..], &[1, 0]].concat()).unwrap();
    let mut hole = ViewFamilyRow::new(ViewFamilyKey { view_name: name("1"), subtree });
    hole.columns.kind = FamilyType::Excluded;
    insert(&mut tables, hole);
    let mut row = AccessRow::new(AccessKey {
        group_name: name("friends"),
        context_prefix: name(""),
        model: SecurityModel::USM,
        level: SecurityLevel::NoAuthNoPriv,
    });
    row.columns.read_view = name("1");
    insert(&mut tables, row);
    let lcd = Lcd::compile(tables);
    for (instance, expected) in [
        (&[1][..], Ok(())),
        (&[1, 1], Ok(())),
        (&[1, 0], Err(AccessError::NotInView)),
        (&[1, 0, 5], Err(AccessError::NotInView)),
        (&[2, 0], Err(AccessError::NotInView)),
        (&[], Err(AccessError::NotInView)),
    ] {
        let variable = [&SYSTEM[..], instance].concat();
        let allowed = is_access_allowed(&lcd, &alice(LEVELS[0]), ViewType::Read, b"", &variable);
        assert_eq!(allowed, expected, "{instance:?}");
    }
}

#[test]
fn inactive_access_entry_does_not_grant_access() {
    let mut tables = tables();
    let mut row = AccessRow::new(AccessKey {
        group_name: name("friends"),
        context_prefix: name(""),
        model: SecurityModel::USM,
        level: SecurityLevel::NoAuthNoPriv,
    });
    row.columns.read_view = name("1");
    tables.insert(row);
    let lcd = Lcd::compile(tables);
    let error = find_view(&lcd, &alice(SecurityLevel::AuthPriv), ViewType::Read, b"").unwrap_err();
    assert_eq!(error, AccessError::NoAccessEntry);
}
