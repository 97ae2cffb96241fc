use super::*;
use crate::{LcdDraft, samples::*};

#[test]
fn reader_returns_same_snapshot_until_refresh() {
    let handle = LcdHandle::new(Lcd::default());
    let mut reader = handle.reader();
    let generation = handle.publish(Lcd::compile(one_of_each()), 0).unwrap();
    assert_eq!(generation, 1);
    assert!(reader.current().view(b"all").is_none());
    assert!(reader.refresh().view(b"all").is_some());
    assert_eq!(reader.generation(), 1);
}

#[test]
fn publish_of_lcd_fails_when_another_lcd_was_published_first() {
    let handle = LcdHandle::new(Lcd::default());
    handle.publish(Lcd::compile(one_of_each()), 0).unwrap();
    assert_eq!(handle.publish(Lcd::default(), 0), Err(ConflictError));
    assert!(handle.snapshot().lcd.view(b"all").is_some());
}

#[test]
fn concurrent_readers_see_consistent_snapshots() {
    let handle = LcdHandle::new(Lcd::default());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            let mut reader = handle.reader();
            scope.spawn(move || {
                let mut seen = 0;
                while seen < 200 {
                    let serial = reader.refresh().scalars().set_serial_no.get();
                    let names = reader.current().tables().groups.len();
                    assert_eq!(usize::try_from(serial).unwrap(), names);
                    assert!(serial >= seen);
                    seen = serial;
                }
            });
        }
        for number in 0..200 {
            let mut draft = LcdDraft::new(handle.snapshot());
            let tables = draft.tables_mut();
            tables.insert(group(&number.to_string(), "g"));
            tables.scalars.set_serial_no = tables.scalars.set_serial_no.incremented();
            draft.publish(&handle);
        }
    });
}
