//! State files that are truncated or missing: the agent starts with the last good state and logs a
//! warning. A state file of a later version is rejected.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use portreeve_mib::modules::{framework_mib::*, snmpv2_mib::SYS_CONTACT};
use portreeve_store::{Record, Store, read_log};

use crate::fixture::TestHome;

#[test]
fn agent_recovers_from_truncated_state_file_and_logs_it() {
    let home = TestHome::with("damage", "");
    let (engine_id, boots) = make_every_file(&home);
    let kept = home.path.join("kept");
    fs::rename(home.state(), &kept).unwrap();
    let mut tried = 0;
    for name in ["state.log", "state.log.previous", "state.snapshot", "state.snapshot.previous", "engine"] {
        let whole = fs::read(kept.join(name)).unwrap();
        for cut in cuts(whole.len()) {
            copy(&kept, &home.state());
            fs::write(home.state().join(name), &whole[..cut]).unwrap();
            let agent = home.run();
            let case = format!("{name} cut at {cut} of {}:\n{}", whole.len(), agent.log());
            let mut reader = home.reader();
            assert_eq!(reader.octets(&SNMP_ENGINE_ID), engine_id, "{case}");
            assert!(reader.number(&SNMP_ENGINE_BOOTS) > boots, "{case}");
            let contact = reader.text(&SYS_CONTACT);
            // A log that ends with a complete batch looks like a complete log.
            let at_a_boundary = name.starts_with("state.log") && read_log(&whole[..cut]).is_whole;
            if name == "state.log" {
                assert!(
                    CONTACT_VALUES.contains(&contact.as_str()),
                    "{contact} is none of what was set; {case}"
                );
            } else {
                assert_eq!(contact, CONTACT_VALUES[CONTACT_VALUES.len() - 1], "{case}");
            }
            let is_logged = agent.log().lines().any(|line| line.contains("WARN") && line.contains(name));
            assert!(is_logged || at_a_boundary, "nothing was logged; {case}");
            // The agent continues normally: it accepts a SET.
            home.writer().set_text(&SYS_CONTACT, "mended").unwrap();
            agent.kill();
            if tried % 5 == 0 {
                let _agent = home.run();
                assert_eq!(home.reader().text(&SYS_CONTACT), "mended", "{case}");
            }
            tried += 1;
        }
    }
}

#[test]
fn missing_state_file_is_logged_and_does_not_lower_engine_boots() {
    let home = TestHome::with("damage-gone", "");
    let mut boots = 0;
    for name in ["engine", "state.log"] {
        let agent = home.run();
        let now = home.reader().number(&SNMP_ENGINE_BOOTS);
        assert!(now > boots);
        boots = now;
        agent.end();
        fs::remove_file(home.state().join(name)).unwrap();
        let agent = home.run();
        assert!(
            agent.log().lines().any(|line| line.contains("WARN") && line.contains(name)),
            "{}",
            agent.log()
        );
        agent.end();
        boots += 1;
    }
}

#[test]
fn state_file_of_newer_format_version_is_rejected_and_not_changed() {
    let home = TestHome::with("damage-later", "");
    home.run().end();
    let log = home.state().join("state.log");
    let mut octets = fs::read(&log).unwrap();
    octets[11] = 99;
    let head = octets[..12].to_vec();
    octets[12..16].copy_from_slice(&crc32(&head).to_be_bytes());
    fs::write(&log, &octets).unwrap();
    let config = home.config();
    let output = crate::fixture::portreeved(&["run".as_ref(), "--config".as_ref(), config.as_os_str()]);
    assert_eq!(output.status.code(), Some(1));
    let stderr_text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(stderr_text.contains("format version 99"), "{stderr_text}");
    assert_eq!(fs::read(&log).unwrap(), octets);
}

#[test]
fn state_of_format_1_is_converted_and_kept_at_first_start() {
    let home = TestHome::with("damage-format-1", "");
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("../store/tests/format-1");
    copy(&old, &home.state());
    let agent = home.run();
    let mut writer = home.writer();
    assert_eq!(writer.text(&SYS_CONTACT), "noc@example.org");
    assert_eq!(writer.octets(&SNMP_ENGINE_ID), b"\x80\0\0\0\x05format-1");
    assert_eq!(writer.number(&SNMP_ENGINE_BOOTS), 2);
    assert!(!agent.log().contains("WARN"), "{}", agent.log());
    writer.set_text(&SYS_CONTACT, "converted").unwrap();
    agent.kill();
    for name in ["engine", "state.log", "state.log.previous", "state.snapshot", "state.snapshot.previous"] {
        let kept = fs::read(home.state().join(format!("{name}.format1"))).unwrap();
        assert_eq!(kept, fs::read(old.join(name)).unwrap(), "{name}");
    }
    let _agent = home.run();
    assert_eq!(home.reader().text(&SYS_CONTACT), "converted");
    assert_eq!(home.reader().number(&SNMP_ENGINE_BOOTS), 3);
}

/// Runs an agent long enough that both generations of every file exist; returns engine ID and
/// boots.
fn make_every_file(home: &TestHome) -> (Vec<u8>, u64) {
    home.run().end();
    let (mut store, _) = Store::open(&home.state()).unwrap();
    // A snapshot is written after four mebibytes.
    for _ in 0..10 {
        store.commit([Record::set("filler", vec![0; 1 << 20])]).unwrap();
    }
    store.commit([Record::remove("filler")]).unwrap();
    drop(store);
    let agent = home.run();
    let mut writer = home.writer();
    for text in &CONTACT_VALUES[1..] {
        writer.set_text(&SYS_CONTACT, text).unwrap();
    }
    let known = (writer.octets(&SNMP_ENGINE_ID), writer.number(&SNMP_ENGINE_BOOTS));
    agent.end();
    known
}

/// Returns the lengths to truncate a file to: near its ends, around its header, and some in
/// between.
fn cuts(length: usize) -> Vec<usize> {
    let mut cuts = vec![0, 1, 15, 16, 17, 40, length / 3, length / 2, length - 20, length - 1];
    cuts.retain(|cut| *cut < length);
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    DirBuilder::new().mode(0o700).create(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        // The queues of notifications are a store of their own.
        if !entry.file_type().unwrap().is_file() {
            continue;
        }
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

/// Computes the checksum of the store's headers.
fn crc32(octets: &[u8]) -> u32 {
    !octets.iter().fold(!0, |crc, octet| {
        (0..8).fold(crc ^ u32::from(*octet), |crc, _| crc >> 1 ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    })
}

/// All values that sysContact has had.
const CONTACT_VALUES: [&str; 4] = ["", "first", "second", "last"];
