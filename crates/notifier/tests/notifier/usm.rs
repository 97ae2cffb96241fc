//! Informs with USM: the keys of the user are those for the engine of the receiver.

use portreeve_lcd::{AccessKey, AccessRow, GroupKey, GroupRow, TargetAddressKey, TargetParamsKey};
use portreeve_lcd::{TargetAddressRow, TargetParamsRow};
use portreeve_notifier::NotifierSettings;
use portreeve_smi::{MessageProcessingModel, SecurityLevel, SecurityModel};
use portreeve_snmp_manager::{Secret, UsmUser};

use crate::{
    receiver::wait_until,
    site::{Site, name},
    usm_receiver::{PROTOCOL, UsmReceiver},
};

/// Returns a site with a target of informs for each receiver, for the user `ops` at authNoPriv.
fn site(targets: &[(&str, &UsmReceiver)]) -> Site {
    let (model, level) = (SecurityModel::USM, SecurityLevel::AuthNoPriv);
    let mut site = Site::new();
    site.insert(TargetParamsKey { name: name("usm") }, |row: &mut TargetParamsRow| {
        row.columns.mp_model = MessageProcessingModel::V3;
        row.columns.security_model = model;
        row.columns.security_name = name("ops");
        row.columns.security_level = level;
    });
    site.insert(GroupKey { model, security_name: name("ops") }, |row: &mut GroupRow| {
        row.columns.group_name = name("operators");
    });
    let key = AccessKey { group_name: name("operators"), context_prefix: name(""), model, level };
    site.insert(key, |row: &mut AccessRow| row.columns.notify_view = name("all"));
    for (target, receiver) in targets {
        site.address(target, "informs", false, receiver.address);
        let key = TargetAddressKey { name: name(target) };
        let mut row: TargetAddressRow = site.tables.target_addresses.get(&key).unwrap().as_ref().clone();
        row.columns.params = name("usm");
        site.tables.insert(row);
    }
    site
}

#[test]
fn receivers_of_one_user_get_informs_with_the_keys_for_their_own_engines() {
    let receivers = [UsmReceiver::start(2, "the second phrase"), UsmReceiver::start(1, "the first phrase")];
    let mut site = site(&[("one", &receivers[0]), ("two", &receivers[1])]);
    receivers.iter().for_each(|receiver| site.tables.insert(receiver.user()));
    let notifier = site.run();
    notifier.submit(1).unwrap();
    for (receiver, target) in receivers.iter().zip(["one", "two"]) {
        assert_eq!(receiver.await_inform(), "ops authNoPriv");
        notifier.await_empty(target);
        assert_eq!(notifier.target(target).last_error, None);
    }
}

#[test]
fn inform_without_keys_for_its_receiver_waits_until_they_are_added() {
    let receivers = [UsmReceiver::start(3, "the third phrase"), UsmReceiver::start(4, "the fourth phrase")];
    let mut site = site(&[("three", &receivers[0]), ("four", &receivers[1])]);
    site.tables.insert(receivers[0].user());
    let notifier = site.run();
    notifier.submit(1).unwrap();
    notifier.await_empty("three");
    notifier.await_target("four", "an error", |target| target.last_error.is_some());
    let target = notifier.target("four");
    assert_eq!(target.queue.entries, 1);
    let error = target.last_error.unwrap().1;
    let expected = "the user \"ops\" has no keys of the target's security level for the engine 0x800000000504 of the receiver";
    assert!(error.starts_with(expected) && error.contains("[[user]]"), "{error}");
    assert!(receivers[1].is_empty());
    site.tables.insert(receivers[1].user());
    notifier.publish(&site.tables);
    notifier.await_empty("four");
    assert_eq!(receivers[1].await_inform(), "ops authNoPriv");
}

#[test]
fn pass_phrase_of_a_user_is_localized_for_each_receiver() {
    let receivers = [UsmReceiver::start(5, "the same phrase"), UsmReceiver::start(6, "the same phrase")];
    let site = site(&[("five", &receivers[0]), ("six", &receivers[1])]);
    let notifier = site.run();
    let user = UsmUser::with_auth(b"ops", PROTOCOL, &Secret::from("the same phrase")).unwrap();
    let users = [(b"ops".to_vec(), user)].into();
    notifier.handle.replace_settings(NotifierSettings { users, ..site.settings() });
    notifier.submit(1).unwrap();
    for receiver in &receivers {
        wait_until("an inform", || !receiver.is_empty());
    }
}
