use super::*;
use crate::flags::groups;

fn outcome(traps: u32, informs: u32, withheld: u32, discarded: u32) -> NotificationOutcome {
    NotificationOutcome { traps, informs, withheld, discarded }
}

#[test]
fn inform_succeeds_if_it_is_stored_for_a_target() {
    for (traps, informs, withheld, discarded, is_inform, is_trap) in [
        (0, 1, 0, 0, true, true),
        (0, 1, 1, 1, true, true),
        (1, 1, 0, 0, true, true),
        (1, 0, 0, 0, false, true),
        (1, 0, 1, 1, false, true),
        (0, 0, 1, 0, false, false),
        (0, 0, 0, 1, false, false),
        (0, 0, 0, 0, false, false),
    ] {
        let outcome = outcome(traps, informs, withheld, discarded);
        assert_eq!(check(outcome, true).is_ok(), is_inform, "{outcome:?}");
        assert_eq!(check(outcome, false).is_ok(), is_trap, "{outcome:?}");
    }
}

#[test]
fn reason_counts_the_targets() {
    assert_eq!(check(outcome(0, 0, 0, 0), true).unwrap_err(), NO_TARGETS);
    let reason = check(outcome(3, 0, 2, 1), true).unwrap_err();
    let first = "the notification is not stored for any target: 2 withheld, 1 discarded because the queue is full, 3 sent as a trap";
    assert_eq!(reason.lines().next(), Some(first));
    assert!(reason.contains("`kind = \"inform\"`") && reason.contains("`portreeved status`"), "{reason}");
    let reason = check(outcome(0, 0, 0, 1), false).unwrap_err();
    assert_eq!(reason, "the notification is not sent for any target: 1 discarded because the queue is full");
}

#[test]
fn help_names_the_default_socket() {
    let flags = groups(Verb::Inform).into_iter().flat_map(|group| group.entries);
    let control = flags.map(|entry| entry.flag).find(|flag| flag.long == Some("control")).unwrap();
    assert!(control.help.contains(&format!("(default: {DEFAULT_SOCKET})")), "{}", control.help);
}
