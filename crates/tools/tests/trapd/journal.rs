//! Entries in the journal of systemd.

use std::{os::unix::net::UnixDatagram, time::Duration};

use portreeve_snmp_manager::TrapSender;

use crate::site::{LOCAL, PRIVATE, Site, community, options, run_once, trap_v1, user};

#[test]
fn notification_is_an_entry_with_fields() {
    let site = Site::new("journal", "");
    site.replace("log = ", "journal = true\njournal-socket = \"journal\"\nlog = ");
    let journal = UnixDatagram::bind(site.path.join("journal")).unwrap();
    journal.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let _receiver = site.run();
    site.inform(user()).unwrap();
    let mut entry = vec![0; 65_536];
    let length = journal.recv(&mut entry).unwrap();
    let entry = String::from_utf8_lossy(&entry[..length]).into_owned();
    for field in [
        "SYSLOG_IDENTIFIER=portreeve-trapd\n",
        "SNMP_TRAP_OID=.1.3.6.1.6.3.1.1.5.1\n",
        "SNMP_KIND=inform\n",
        "SNMP_SECURITY_NAME=traps\n",
        "SNMP_SOURCE=127.0.0.1:",
    ] {
        assert!(entry.contains(field), "{field} is missing in {entry}");
    }
    assert!(
        entry.contains("MESSAGE\n") && entry.contains("snmpTrapOID.0 = OID: SNMPv2-MIB::coldStart"),
        "{entry}"
    );
}

#[test]
fn community_is_in_the_file_of_lines_and_not_in_the_journal() {
    let site = Site::new("journal-community", "");
    site.replace("log = ", "journal = true\njournal-socket = \"journal\"\nlog = ");
    site.replace("format = \"%w %q %v\\\\n\"\n", "");
    let journal = UnixDatagram::bind(site.path.join("journal")).unwrap();
    journal.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let _receiver = site.run();
    let mut sender = TrapSender::open(&site.address(), community(false), LOCAL, &options()).unwrap();
    sender.send_v1(&trap_v1(PRIVATE)).unwrap();
    let mut entry = vec![0; 65_536];
    let length = journal.recv(&mut entry).unwrap();
    let entry = String::from_utf8_lossy(&entry[..length]).into_owned();
    assert!(entry.contains("TRAP, SNMP v1, community (not shown)\n"), "{entry}");
    assert!(site.text_of("traps.log").contains("TRAP, SNMP v1, community public\n"));
}

#[test]
fn journal_that_reads_nothing_does_not_delay_informs() {
    let site = Site::new("full-journal", "");
    site.replace("log = ", "journal = true\njournal-socket = \"journal\"\nlog = ");
    let _journal = UnixDatagram::bind(site.path.join("journal")).unwrap();
    let _receiver = site.run();
    // The queue of the socket is shorter than this.
    let start = std::time::Instant::now();
    for _ in 0..400 {
        site.inform(user()).unwrap();
    }
    assert_eq!(site.lines(), 400);
    assert!(start.elapsed() < Duration::from_secs(60), "each waits for the journal");
}

#[test]
fn missing_journal_is_an_error_at_the_start() {
    let site = Site::new("no-journal", "");
    site.replace("log = ", "journal = true\njournal-socket = \"journal\"\nlog = ");
    let (success, _, text) = run_once(&["--config"], &site.config());
    assert!(!success && text.contains("cannot open the journal") && text.contains("/journal: "), "{text}");
}
