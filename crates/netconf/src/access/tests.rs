use std::collections::BTreeSet;
use std::sync::Arc;

use portreeve_netconf_message::rpc::OperationName;

use super::{Level, list_access};
use crate::test_server::{lcd, schema};

fn recovery() -> BTreeSet<Arc<str>> {
    BTreeSet::from(["root".into()])
}

#[test]
fn level_follows_from_views_of_everything() {
    for (user, level) in [
        ("root", Level::Recovery),
        ("writer", Level::Write),
        ("reader", Level::Read),
        ("reader-of-all", Level::Read),
        ("half", Level::Read),
        ("narrow", Level::None),
        ("elsewhere", Level::None),
        ("unknown", Level::None),
        ("", Level::None),
    ] {
        assert_eq!(Level::of(&lcd(), &recovery(), user), level, "{user}");
    }
    assert_eq!(Level::of(&lcd(), &BTreeSet::new(), "root"), Level::None);
}

#[test]
fn levels_permit_operations() {
    use OperationName::{
        CloseSession, Commit, CopyConfig, DeleteConfig, DiscardChanges, EditConfig, Get, GetConfig,
        GetSchema, KillSession, Lock, Unlock, Validate,
    };
    let permitted = |level: Level| -> Vec<OperationName> {
        OperationName::ALL.into_iter().filter(|operation| level.may_execute(*operation)).collect()
    };
    let reading = [Get, GetConfig, CloseSession, Validate, GetSchema];
    assert_eq!(permitted(Level::None), [CloseSession]);
    assert_eq!(permitted(Level::Read), reading);
    let writing = [EditConfig, CopyConfig, Lock, Unlock, Commit, DiscardChanges];
    assert_eq!(permitted(Level::Write).len(), reading.len() + writing.len());
    assert!(writing.iter().all(|operation| permitted(Level::Write).contains(operation)));
    assert!(
        !permitted(Level::Write).contains(&KillSession) && !permitted(Level::Write).contains(&DeleteConfig)
    );
    assert_eq!(permitted(Level::Recovery), OperationName::ALL);
}

#[test]
fn report_lists_exceptions_of_each_user() {
    let report = list_access(&lcd(), &recovery(), &schema());
    let of = |user: &str| report.iter().find(|access| *access.user == *user).unwrap();
    assert_eq!(report.len(), 7);
    assert_eq!(of("reader").hidden, ["/example:top/key", "/example:top/vault"]);
    assert!(of("reader").protected.is_empty());
    assert_eq!(
        of("writer").protected,
        ["/example:top/limits", "/ietf-netconf-acm:nacm", "/ietf-snmp:snmp/vacm", "/ietf-snmp:snmp/usm"]
    );
    assert_eq!((of("narrow").level, of("root").level), (Level::None, Level::Recovery));
    assert!(of("root").hidden.is_empty());
}
