//! `kill -9` at any moment, including during start. `PORTREEVE_KILLS` sets the number of rounds;
//! the default is 50.

use std::env;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use portreeve_mib::modules::{framework_mib::*, snmpv2_mib::SYS_CONTACT};
use portreeve_secret::Secret;
use portreeve_smi::Value;
use portreeve_snmp_manager::{Credentials, RetryPolicy};

use crate::fixture::{Manager, Random, TestHome, WRITE_COMMUNITY};

#[test]
fn acknowledged_sets_survive_kill_and_restart_increases_engine_boots() {
    let home = TestHome::new("crashes");
    home.write(&home.base());
    let rounds = env::var("PORTREEVE_KILLS").map_or(50, |text| text.parse().unwrap());
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let (mut boots, mut engine_id, mut written) = (0, None, Written::default());
    let mut slowest = Duration::ZERO;
    for round in 0..rounds {
        let start = Instant::now();
        if round % 3 == 1 {
            let agent = home.spawn();
            thread::sleep(Duration::from_micros(random.below(40_000) as u64));
            agent.kill();
            continue;
        }
        let agent = home.run();
        slowest = slowest.max(start.elapsed());
        let mut reader = home.reader();
        let now = reader.number(&SNMP_ENGINE_BOOTS);
        assert!(now > boots, "round {round}: boots {now} after {boots}");
        boots = now;
        let id = reader.octets(&SNMP_ENGINE_ID);
        assert_eq!(*engine_id.get_or_insert_with(|| id.clone()), id, "round {round}");
        let found = reader.text(&SYS_CONTACT).parse().unwrap_or(0);
        assert!(
            (written.acknowledged..=written.attempted).contains(&found),
            "round {round}: {found} is there, {written:?}"
        );
        written = Written { acknowledged: found, attempted: found };
        assert!(agent.log().lines().all(is_expected), "{}", agent.log());
        let killed = AtomicBool::new(false);
        thread::scope(|scope| {
            let writing = scope.spawn(|| write(&home, &mut written, &killed));
            thread::sleep(Duration::from_micros(random.below(60_000) as u64));
            agent.kill();
            killed.store(true, Ordering::Relaxed);
            writing.join().unwrap();
        });
    }
    println!("{rounds} kills: boots {boots}, {written:?}, slowest start {slowest:?}");
    assert!(written.acknowledged > 10, "too little was written to be a test: {written:?}");
}

/// Sets sysContact to increasing numbers until the agent is killed.
fn write(home: &TestHome, written: &mut Written, killed: &AtomicBool) {
    let once = RetryPolicy::fixed(Duration::from_millis(50), 0);
    let mut writer = Manager::with(&home.udp(), Credentials::V2c(Secret::from(WRITE_COMMUNITY)), once);
    while !killed.load(Ordering::Relaxed) {
        written.attempted += 1;
        let text = written.attempted.to_string();
        let value = Value::OctetString(text.as_bytes());
        if let Ok(outcome) = writer.try_set(&[(&SYS_CONTACT, &[0], value)]) {
            outcome.unwrap();
            written.acknowledged = written.attempted;
        }
    }
}

/// The numbers to which the writer has set sysContact.
#[derive(Debug, Default)]
struct Written {
    /// The last number that the agent has confirmed.
    acknowledged: u64,
    /// The last number that the writer has sent.
    attempted: u64,
}

/// Returns false for warnings and errors that a kill does not explain. A kill may interrupt the
/// writing of a batch, a start, or a change of generation.
pub(crate) fn is_expected(line: &str) -> bool {
    let ordinary = line.contains("is valid up to offset") || line.contains("a start was interrupted");
    !(line.contains("WARN") || line.contains("ERROR")) || ordinary
}
