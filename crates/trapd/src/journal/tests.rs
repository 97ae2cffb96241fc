use portreeve_smi::{
    EngineId, MessageProcessingModel, SecurityLevel, SecurityModel, TransportAddress, TransportDomain,
};
use portreeve_snmp_message::VarBinds;

use super::*;
use crate::samples::notification;

/// A journal in a temporary directory.
struct TestJournal {
    socket: UnixDatagram,
    folder: tempfile::TempDir,
}

impl TestJournal {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { socket: UnixDatagram::bind(folder.path().join("socket")).unwrap(), folder }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("socket")
    }

    /// Returns the fields of the next entry.
    fn receive(&self) -> Vec<(String, Vec<u8>)> {
        let mut entry = vec![0; 1 << 20];
        let length = self.socket.recv(&mut entry).unwrap();
        decode(&entry[..length])
    }
}

/// Decodes an entry as the journal does.
fn decode(mut entry: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut fields = Vec::new();
    while !entry.is_empty() {
        let end = entry.iter().position(|octet| [b'=', b'\n'].contains(octet)).unwrap();
        let (name, rest) = entry.split_at(end);
        let (value, rest) = if rest[0] == b'=' {
            let end = rest.iter().position(|octet| *octet == b'\n').unwrap();
            (&rest[1..end], &rest[end..])
        } else {
            let length = u64::from_le_bytes(rest[1..9].try_into().unwrap());
            rest[9..].split_at(usize::try_from(length).unwrap())
        };
        assert_eq!(rest[0], b'\n');
        fields.push((String::from_utf8(name.to_vec()).unwrap(), value.to_vec()));
        entry = &rest[1..];
    }
    fields
}

fn details<'a>() -> MessageDetails<'a> {
    MessageDetails {
        domain: TransportDomain::Udp,
        source: TransportAddress::Ip("192.0.2.7:40000".parse().unwrap()),
        security_model: SecurityModel::USM,
        security_name: b"traps",
        security_level: SecurityLevel::AuthPriv,
        security_engine_id: Some("0x8000000001020304".parse::<EngineId>().unwrap()),
        context_engine_id: None,
        context_name: b"",
        sys_up_time: 4200,
        snmp_trap_oid: &[1, 3, 6, 1, 6, 3, 1, 1, 5, 1],
    }
}

fn write(journal: &Journal, message: &str, details: &MessageDetails<'_>) -> io::Result<()> {
    let kind = NotificationKind::Inform(VarBinds::default());
    let inform = notification(kind, MessageProcessingModel::V3);
    let names = OutputFormat::default();
    journal.write(&JournalEntry::with_message(message.to_owned(), &inform, details, &names))
}

#[test]
fn entry_has_the_message_and_the_fields_of_the_notification() {
    let test = TestJournal::start();
    let journal = Journal::open(&test.path()).unwrap();
    write(&journal, "linkDown from 192.0.2.7\n", &details()).unwrap();
    let fields: Vec<String> = test
        .receive()
        .into_iter()
        .map(|(name, value)| format!("{name}={}", String::from_utf8(value).unwrap()))
        .collect();
    let expected = [
        "MESSAGE=linkDown from 192.0.2.7",
        "PRIORITY=6",
        "SYSLOG_FACILITY=3",
        "SYSLOG_IDENTIFIER=portreeve-trapd",
        "SNMP_TRAP_OID=.1.3.6.1.6.3.1.1.5.1",
        "SNMP_TRAP_NAME=SNMPv2-MIB::coldStart",
        "SNMP_KIND=inform",
        "SNMP_VERSION=v3",
        "SNMP_TRANSPORT=udp",
        "SNMP_SOURCE=192.0.2.7:40000",
        "SNMP_SECURITY_MODEL=usm",
        "SNMP_SECURITY_LEVEL=authPriv",
        "SNMP_UPTIME=4200",
        "SNMP_ENGINE_ID=0x8000000001020304",
        "SNMP_SECURITY_NAME=traps",
    ];
    assert_eq!(fields, expected);
}

#[test]
fn value_with_line_feed_adds_no_field() {
    let test = TestJournal::start();
    let journal = Journal::open(&test.path()).unwrap();
    let details = MessageDetails { security_name: b"x\nPRIORITY=0\n\xff", ..details() };
    write(&journal, "one\nSNMP_SOURCE=forged", &details).unwrap();
    let fields = test.receive();
    assert_eq!(fields[0], ("MESSAGE".to_owned(), b"one\nSNMP_SOURCE=forged".to_vec()));
    assert_eq!(fields.last().unwrap().1, b"x\nPRIORITY=0\n\xff");
    assert_eq!(fields.iter().filter(|(name, _)| name == "SNMP_SOURCE").count(), 1);
    assert_eq!(fields.iter().filter(|(name, _)| name == "PRIORITY").count(), 1);
    let mut raw = Vec::new();
    push_field(&mut raw, "A", b"b\nc");
    assert_eq!(raw, b"A\n\x03\0\0\0\0\0\0\0b\nc\n");
}

#[test]
fn message_is_cut_when_the_datagram_is_too_long() {
    let test = TestJournal::start();
    let journal = Journal::open(&test.path()).unwrap();
    // The system refuses datagrams that are longer than its buffer, by default 208 KiB.
    let message = "é".repeat(500_000);
    write(&journal, &message, &details()).unwrap();
    let fields = test.receive();
    let text = String::from_utf8(fields[0].1.clone()).unwrap();
    let kept = text.strip_suffix('…').unwrap();
    assert!(message.starts_with(kept) && (MIN_MESSAGE..=MAX_MESSAGE).contains(&kept.len()), "{}", kept.len());
    assert_eq!(fields.len(), 15);
}

#[test]
fn journal_that_is_restarted_receives_the_next_entry() {
    let test = TestJournal::start();
    let journal = Journal::open(&test.path()).unwrap();
    let (path, folder) = (test.path(), test.folder);
    drop(test.socket);
    assert!(write(&journal, "lost", &details()).is_err());
    std::fs::remove_file(&path).unwrap();
    let test = TestJournal { socket: UnixDatagram::bind(&path).unwrap(), folder };
    write(&journal, "received", &details()).unwrap();
    assert_eq!(test.receive()[0].1, b"received");
}

#[test]
fn missing_journal_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let error = Journal::open(&folder.path().join("none")).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::NotFound);
}

#[test]
fn text_is_cut_between_characters() {
    assert_eq!(cut("aéb", 4), "aéb");
    assert_eq!(cut("aéb", 3), "aé…");
    assert_eq!(cut("aéb", 2), "a…");
    assert_eq!(cut("", 0), "");
}
