use super::*;

const HEAD: ListHeader<'_> = ListHeader { number: 7, created: 1_795_000_000, comment: b"of tests" };

fn entries(list: &[u8]) -> Option<(ListHeader<'_>, Vec<RevokedEntry<'_>>)> {
    let mut found = Vec::new();
    let head = read(strip_magic(list)?, |entry| {
        found.push(entry);
        Some(())
    })?;
    Some((head, found))
}

fn of<'l>(authority: &'l [u8], which: CertificateSet<'l>) -> RevokedEntry<'l> {
    RevokedEntry::Certificates { authority, certificates: which }
}

fn all() -> Vec<RevokedEntry<'static>> {
    vec![
        RevokedEntry::Key(b"a key"),
        RevokedEntry::Key(b"another"),
        RevokedEntry::Sha1(&[1; 20]),
        RevokedEntry::Sha256(&[2; 32]),
        of(b"one", CertificateSet::Serials { first: 3, last: 3 }),
        of(b"one", CertificateSet::Serials { first: 9, last: 20 }),
        of(b"one", CertificateSet::Bitmap { offset: 40, octets: &[0x7f, 0x01] }),
        of(b"one", CertificateSet::Id(b"lost laptop")),
        of(b"", CertificateSet::Serials { first: u64::MAX, last: u64::MAX }),
        RevokedEntry::Key(b"a key again"),
    ]
}

#[test]
fn revocation_list_is_read_back_unchanged() {
    let list = write(HEAD, all());
    assert_eq!(entries(&list), Some((HEAD, all())));
    assert_eq!(entries(&write(ListHeader::default(), [])), Some((ListHeader::default(), Vec::new())));
}

#[test]
fn adjacent_entries_of_one_kind_share_a_section() {
    let two = write(HEAD, [RevokedEntry::Key(b"a"), RevokedEntry::Key(b"b")]);
    let one = write(HEAD, [RevokedEntry::Key(b"a")]);
    assert_eq!(two.len() - one.len(), 4 + 1);
}

#[test]
fn serial_zero_is_not_written() {
    let list = write(
        HEAD,
        [
            of(b"", CertificateSet::Serials { first: 0, last: 0 }),
            of(b"", CertificateSet::Serials { first: 0, last: 2 }),
        ],
    );
    let (_, found) = entries(&list).unwrap();
    assert_eq!(found, [of(b"", CertificateSet::Serials { first: 1, last: 2 })]);
}

#[test]
fn list_with_incomplete_section_is_rejected() {
    let list = write(HEAD, all());
    let sections: Vec<usize> =
        (0..all().len()).map(|count| write(HEAD, all().drain(..count)).len()).collect();
    for length in 0..list.len() {
        let is_whole = entries(&list[..length]).is_some();
        assert!(!is_whole || sections.contains(&length), "{length}");
    }
    assert!(entries(&[list, vec![0]].concat()).is_none());
}

#[test]
fn list_with_unknown_version_or_wrong_magic_is_rejected() {
    let mut list = write(HEAD, all());
    list[11] = 2;
    assert!(entries(&list).is_none());
    assert!(strip_magic(b"ssh-ed25519 AAAA").is_none());
}

#[test]
fn reading_stops_when_the_callback_returns_none() {
    let list = write(HEAD, all());
    let mut left = 3;
    let read = read(strip_magic(&list).unwrap(), |_| {
        left -= 1;
        (left > 0).then_some(())
    });
    assert!(read.is_none() && left == 0);
}

#[test]
fn certificate_sets_contain_expected_serials_and_key_ids() {
    let range = CertificateSet::Serials { first: 0, last: 20 };
    let bits = CertificateSet::Bitmap { offset: 40, octets: &[0x01, 0x05] };
    let far = CertificateSet::Bitmap { offset: u64::MAX, octets: &[0x7f, 0xff] };
    let covered = |which: CertificateSet<'_>| -> Vec<u64> {
        [0, 1, 20, 21, 39, 40, 41, 42, 47, 48, 49, u64::MAX]
            .into_iter()
            .filter(|serial| which.contains(*serial, b"x"))
            .collect()
    };
    assert_eq!(covered(range), [1, 20]);
    assert_eq!(covered(bits), [40, 42, 48]);
    assert_eq!(covered(far), [u64::MAX]);
    assert!(CertificateSet::Id(b"x").contains(0, b"x") && !CertificateSet::Id(b"x ").contains(0, b"x"));
}
