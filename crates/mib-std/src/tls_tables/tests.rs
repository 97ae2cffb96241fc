use portreeve_lcd::{CertToNameKey, CertToNameRow, Lcd, LcdDraft};

use super::*;

#[test]
fn count_and_last_changed_scalars_match_their_tls_tables() {
    let handle = LcdHandle::new(Lcd::default());
    let mut objects = TlsTableObjects::new(&handle, Timestamp::from_secs(2));
    objects.begin(Timestamp::from_secs(3));
    for leaf in 0..6 {
        let Lookup::Value(value) = objects.get(leaf, &[0]) else { panic!("no value for leaf {leaf}") };
        assert!(matches!(value, Value::Gauge32(0) | Value::TimeTicks(0)), "{leaf}: {value:?}");
    }
    let mut draft = LcdDraft::new(handle.snapshot());
    let before = draft.base().tables().clone();
    draft.tables_mut().insert(CertToNameRow::new(CertToNameKey { priority: 10 }));
    draft.tables_mut().update_last_changed(&before, Timestamp::from_secs(12));
    draft.publish(&handle);
    objects.begin(Timestamp::from_secs(13));
    assert!(matches!(objects.get(0, &[0]), Lookup::Value(Value::Gauge32(1))));
    assert!(matches!(objects.get(1, &[0]), Lookup::Value(Value::TimeTicks(1000))));
    assert!(matches!(objects.get(3, &[0]), Lookup::Value(Value::TimeTicks(0))));
    assert!(matches!(objects.get(1, &[1]), Lookup::Absent));
}
