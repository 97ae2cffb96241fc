//! The stage must let good messages through, or the targets would prove nothing.

use portreeve_snmp_engine::statistics::Counter;

use super::{Fate, Stage};

fn seed(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus/scoped_pdu/");
    std::fs::read(format!("{folder}{name}")).unwrap()
}

#[test]
fn an_authentic_get_is_served() {
    Stage::with(|stage| {
        let message = stage.authentic(&seed("get")).unwrap();
        assert_eq!(stage.receive(&message), Fate::Served);
    });
}

#[test]
fn a_forged_get_is_refused() {
    Stage::with(|stage| {
        let mut message = stage.authentic(&seed("get")).unwrap();
        *message.last_mut().unwrap() ^= 1;
        assert_eq!(stage.receive(&message), Fate::Refused);
        assert_eq!(stage.count(Counter::UsmStatsWrongDigests), 1);
    });
}

#[test]
fn a_set_reaches_the_tables_and_is_undone() {
    Stage::with(|stage| {
        for name in
            ["set-group-create-and-go", "set-user-clone", "set-access", "set-view-family", "set-community"]
        {
            let message = stage.authentic(&seed(name)).unwrap();
            assert_eq!(stage.receive(&message), Fate::Served, "{name}");
            assert!(stage.was_undone, "{name} was refused before anything was to be stored");
        }
    });
}
