//! Checks that valid messages pass the agent, because otherwise the targets would test nothing.

use portreeve_snmp_engine::statistics::Counter;

use super::{MessageResult, TestAgent};

fn seed(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus/scoped_pdu/");
    std::fs::read(format!("{folder}{name}")).unwrap()
}

#[test]
fn get_with_valid_digest_is_answered() {
    TestAgent::with(|agent| {
        let message = agent.build_authentic(&seed("get")).unwrap();
        assert_eq!(agent.receive(&message), MessageResult::Served);
    });
}

#[test]
fn get_with_wrong_digest_is_rejected() {
    TestAgent::with(|agent| {
        let mut message = agent.build_authentic(&seed("get")).unwrap();
        *message.last_mut().unwrap() ^= 1;
        assert_eq!(agent.receive(&message), MessageResult::Rejected);
        assert_eq!(agent.count(Counter::UsmStatsWrongDigests), 1);
    });
}

#[test]
fn set_is_tested_against_tables_and_then_undone() {
    TestAgent::with(|agent| {
        for name in
            ["set-group-create-and-go", "set-user-clone", "set-access", "set-view-family", "set-community"]
        {
            let message = agent.build_authentic(&seed(name)).unwrap();
            assert_eq!(agent.receive(&message), MessageResult::Served, "{name}");
            assert!(agent.was_undone, "{name} was rejected before it was to be stored");
        }
    });
}
