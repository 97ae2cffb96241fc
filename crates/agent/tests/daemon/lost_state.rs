//! A configured engine ID without the state that belongs to it.

use std::fs;

use portreeve_mib::modules::framework_mib::SNMP_ENGINE_BOOTS;

use super::fixture::{TestHome, portreeved};

#[test]
fn review_l12_start_fails_if_state_is_lost_and_engine_id_is_configured() {
    let home = home("lost-state");
    home.run_first().end();
    // If the state exists, the option is not needed and has no effect.
    home.run().end();
    home.run_first().end();
    fs::remove_dir_all(home.state()).unwrap();
    assert_refused(&home, ENGINE_ID);
    let agent = home.run_first();
    assert_eq!(boots(&home), 1);
    agent.end();
}

#[test]
fn review_l12_start_fails_if_state_belongs_to_another_engine_id() {
    let home = home("other-engine");
    home.run_first().end();
    let text = fs::read_to_string(home.config()).unwrap();
    home.write(&text.replace(ENGINE_ID, "0x80000000056f74686572"));
    assert_refused(&home, "0x80000000056f74686572");
    home.run_first().end();
    home.run().end();
}

#[test]
fn engine_boots_restart_at_1_if_state_and_generated_engine_id_are_lost() {
    let home = TestHome::with("lost-generated", "");
    home.run().end();
    fs::remove_dir_all(home.state()).unwrap();
    let agent = home.run();
    assert_eq!(boots(&home), 1);
    agent.end();
}

fn home(name: &str) -> TestHome {
    let home = TestHome::with(name, "");
    let text = fs::read_to_string(home.config()).unwrap();
    home.write(&text.replace("[agent]\n", &format!("[agent]\nengine-id = \"{ENGINE_ID}\"\n")));
    home
}

fn assert_refused(home: &TestHome, engine_id: &str) {
    let config = home.config();
    let output = portreeved(&["run".as_ref(), "--config".as_ref(), config.as_os_str()]);
    assert!(!output.status.success());
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains(engine_id) && message.contains("--first-start"), "{message}");
}

fn boots(home: &TestHome) -> u64 {
    home.reader().number(&SNMP_ENGINE_BOOTS)
}

const ENGINE_ID: &str = "0x80000000056c6f7374";
