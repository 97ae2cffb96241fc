use portreeve_lcd::{LcdDraft, TextScalar};

use super::*;
use crate::Purpose;

fn ticket() -> Ticket {
    Ticket::new("test", Purpose::Set, portreeve_smi::Timestamp::ZERO)
}

/// Publishes a state in which sysContact and sysLocation are `text`.
fn publish(datastore: &Datastore, text: &str) {
    let mut locked = datastore.begin(ticket());
    let mut draft = LcdDraft::new(Arc::clone(&locked.current().lcd));
    draft.scalars_mut().sys_contact = TextScalar::set(text.as_bytes());
    draft.scalars_mut().sys_location = TextScalar::set(text.as_bytes());
    locked.publish_tables(draft.into_lcd());
}

fn contact(state: &State) -> String {
    String::from_utf8(state.lcd.scalars().sys_contact.value.to_vec()).unwrap()
}

#[test]
fn reader_returns_same_state_until_refresh() {
    let datastore = Datastore::without_yang(Lcd::default());
    let mut reader = datastore.state().reader();
    publish(&datastore, "roof");
    assert_eq!((contact(reader.current()), reader.current().generation), (String::new(), 0));
    assert_eq!((contact(reader.refresh()), reader.current().generation), ("roof".to_owned(), 1));
}

#[test]
fn lock_is_held_until_locked_state_is_dropped() {
    let datastore = Datastore::without_yang(Lcd::default());
    let locked = datastore.begin(ticket());
    assert_eq!(datastore.lock().status().holder.unwrap().ticket, ticket());
    assert!(datastore.lock().acquire_within(ticket(), std::time::Duration::ZERO).is_err());
    drop(locked);
    assert_eq!(datastore.lock().status().holder, None);
}

#[test]
fn concurrent_readers_see_whole_states_in_order() {
    const STATES: u64 = 300;
    let datastore = Datastore::without_yang(Lcd::default());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            let mut reader = datastore.state().reader();
            scope.spawn(move || {
                let mut seen = 0;
                while seen < STATES {
                    let state = Arc::clone(reader.refresh());
                    let scalars = state.lcd.scalars();
                    assert_eq!(scalars.sys_contact.value, scalars.sys_location.value);
                    let number = contact(&state).parse().unwrap_or(0);
                    assert_eq!(number, state.generation);
                    assert!(number >= seen);
                    seen = number;
                }
            });
        }
        for number in 1..=STATES {
            publish(&datastore, &number.to_string());
        }
    });
}

/// Freeing a large tree would delay a worker.
#[test]
fn replaced_state_is_freed_by_the_thread_that_frees_and_by_no_reader() {
    let datastore = Datastore::without_yang(Lcd::default());
    let mut reader = datastore.state().reader();
    let first = Arc::downgrade(reader.current());
    publish(&datastore, "roof");
    assert_eq!(datastore.state().free_replaced(), 1, "the reader still uses it");
    reader.refresh();
    assert!(first.upgrade().is_some(), "the reader has freed the state");
    assert_eq!(datastore.state().free_replaced(), 0);
    assert!(first.upgrade().is_none());
    assert_eq!(datastore.state().free_replaced(), 0, "the current state is not freed");
    drop(reader);
    assert_eq!(contact(&datastore.state().current()), "roof");
}
