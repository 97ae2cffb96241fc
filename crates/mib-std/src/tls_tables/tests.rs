use portreeve_lcd::{CertToNameKey, CertToNameRow, Lcd, Tables};

use super::*;

#[test]
fn count_and_last_changed_scalars_match_their_tls_tables() {
    let mut objects = TlsTableObjects::new(Timestamp::from_secs(2));
    objects.begin(&Arc::default(), Timestamp::from_secs(3));
    for leaf in 0..6 {
        let Lookup::Value(value) = objects.get(leaf, &[0]) else { panic!("no value for leaf {leaf}") };
        assert!(matches!(value, Value::Gauge32(0) | Value::TimeTicks(0)), "{leaf}: {value:?}");
    }
    let mut tables = Tables::default();
    tables.insert(CertToNameRow::new(CertToNameKey { priority: 10 }));
    tables.update_last_changed(&Tables::default(), Timestamp::from_secs(12));
    let state = State { lcd: Arc::new(Lcd::compile(tables)), generation: 1, ..State::default() };
    objects.begin(&Arc::new(state), Timestamp::from_secs(13));
    assert!(matches!(objects.get(0, &[0]), Lookup::Value(Value::Gauge32(1))));
    assert!(matches!(objects.get(1, &[0]), Lookup::Value(Value::TimeTicks(1000))));
    assert!(matches!(objects.get(3, &[0]), Lookup::Value(Value::TimeTicks(0))));
    assert!(matches!(objects.get(1, &[1]), Lookup::Absent));
}
