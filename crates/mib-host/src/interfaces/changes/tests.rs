use portreeve_mib::Kind;

use super::*;
use crate::interfaces::scripted::ethernet;

fn message(index: u32, state: u8) -> Vec<u8> {
    let mut octets = vec![0; 16];
    octets[4..8].copy_from_slice(&index.to_ne_bytes());
    octets.extend([5u16.to_ne_bytes(), 16u16.to_ne_bytes()].concat());
    octets.extend([state, 0, 0, 0]);
    octets
}

fn now() -> Timestamp {
    Timestamp::ZERO
}

#[test]
fn down_and_up_are_reported_once() {
    let mut changes = LinkChanges::new([ethernet(2)]);
    let down = changes.process(RTM_NEWLINK, &message(2, 2), now()).unwrap();
    let notification = down.notification().unwrap();
    assert_eq!(notification.name, "linkDown");
    let Kind::Notification(objects) = notification.kind else { panic!("{notification:?}") };
    let names = |objects: &[&Object]| objects.iter().map(|object| object.name).collect::<Vec<_>>();
    assert_eq!(names(&down.variables().map(|(object, _)| object)), names(objects));
    assert_eq!(down.variables().map(|(_, value)| value), [2, 2, 2]);
    assert_eq!(changes.process(RTM_NEWLINK, &message(2, 2), now()), None);
    let up = changes.process(RTM_NEWLINK, &message(2, 6), now()).unwrap();
    assert_eq!(up.notification().unwrap().name, "linkUp");
}

#[test]
fn added_and_removed_interfaces_cause_no_notification() {
    let mut changes = LinkChanges::default();
    let added = changes.process(RTM_NEWLINK, &message(2, 2), now()).unwrap();
    assert_eq!((added.previous, added.notification().is_none()), (OperStatus::NotPresent, true));
    let removed = changes.process(RTM_DELLINK, &message(2, 2), now()).unwrap();
    assert_eq!((removed.status, removed.notification().is_none()), (OperStatus::NotPresent, true));
}

#[test]
fn bridge_port_removal_does_not_remove_interface() {
    let mut changes = LinkChanges::new([ethernet(2)]);
    let mut octets = message(2, 6);
    octets[0] = 7;
    assert_eq!(changes.process(RTM_DELLINK, &octets, now()), None);
    assert_eq!(changes.process(RTM_NEWLINK, &message(2, 6), now()), None);
}

#[test]
fn short_messages_change_nothing() {
    for length in 0..16 {
        let mut changes = LinkChanges::new([ethernet(2)]);
        assert_eq!(changes.process(RTM_DELLINK, &message(2, 2)[..length], now()), None, "{length}");
    }
}

#[test]
fn attribute_with_any_length_is_parsed_without_panic() {
    for length in 0..=u16::MAX {
        let mut octets = message(2, 2);
        octets[16..18].copy_from_slice(&length.to_ne_bytes());
        let mut changes = LinkChanges::new([ethernet(2)]);
        let status = changes.process(RTM_NEWLINK, &octets, now()).map(|change| change.status);
        // Without the attribute, the status follows from the flags. An empty one is invalid.
        let expected = (length != 4).then_some(OperStatus::Down);
        assert_eq!(status, expected, "{length}");
    }
}

#[test]
fn burst_of_1000_changes_is_reported_after_overrun() {
    let mut changes = LinkChanges::new((1..=1000).map(ethernet));
    let links = (1..=1000).map(|index| Link { status: OperStatus::Down, ..ethernet(index) }).collect();
    let reported = changes.replace(links, true, now());
    assert_eq!(reported.len(), 1000);
    assert!(reported.iter().all(|change| change.notification().is_some()));
}

#[test]
fn incomplete_read_removes_no_link() {
    let mut changes = LinkChanges::new([ethernet(2), ethernet(3)]);
    assert_eq!(changes.replace(vec![ethernet(2)], false, now()), []);
    let removed = changes.replace(vec![ethernet(2)], true, now());
    assert_eq!(removed.iter().map(|change| change.if_index).collect::<Vec<_>>(), [3]);
}

#[test]
fn lower_layer_down_causes_no_notification() {
    let mut changes = LinkChanges::new([ethernet(2)]);
    let change = changes.process(RTM_NEWLINK, &message(2, 3), now()).unwrap();
    assert_eq!((change.status, change.notification().is_none()), (OperStatus::LowerLayerDown, true));
}

#[test]
fn interface_above_another_is_not_notified_by_default() {
    let port = Link { master: Some(3), ..ethernet(2) };
    let vlan = Link { lower: Some(2), kind: LinkKind::Vlan, ..ethernet(4) };
    let pair = Link { lower: Some(2), kind: LinkKind::Pair, ..ethernet(5) };
    let links = [port, ethernet(3), vlan, pair];
    let mut changes = LinkChanges::new(links.clone());
    let down = links.map(|link| Link { status: OperStatus::Down, ..link }).to_vec();
    let notified =
        changes.replace(down, true, now()).iter().map(|change| change.is_notified).collect::<Vec<_>>();
    assert_eq!(notified, [true, false, false, true]);
}
