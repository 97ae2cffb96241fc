use super::*;

const HEAD: Head<'_> = Head { number: 7, made: 1_795_000_000, comment: b"of tests" };

fn entries(list: &[u8]) -> Option<(Head<'_>, Vec<Entry<'_>>)> {
    let mut found = Vec::new();
    let head = read(content(list)?, |entry| {
        found.push(entry);
        Some(())
    })?;
    Some((head, found))
}

fn of<'l>(authority: &'l [u8], which: Certificates<'l>) -> Entry<'l> {
    Entry::Certificates { authority, which }
}

fn all() -> Vec<Entry<'static>> {
    vec![
        Entry::Key(b"a key"),
        Entry::Key(b"another"),
        Entry::Sha1(&[1; 20]),
        Entry::Sha256(&[2; 32]),
        of(b"one", Certificates::Serials { first: 3, last: 3 }),
        of(b"one", Certificates::Serials { first: 9, last: 20 }),
        of(b"one", Certificates::Bitmap { offset: 40, octets: &[0x7f, 0x01] }),
        of(b"one", Certificates::Id(b"lost laptop")),
        of(b"", Certificates::Serials { first: u64::MAX, last: u64::MAX }),
        Entry::Key(b"a key again"),
    ]
}

#[test]
fn what_is_written_is_read_again() {
    let list = write(HEAD, all());
    assert_eq!(entries(&list), Some((HEAD, all())));
    assert_eq!(entries(&write(Head::default(), [])), Some((Head::default(), Vec::new())));
}

#[test]
fn neighbours_of_one_kind_share_a_section() {
    let two = write(HEAD, [Entry::Key(b"a"), Entry::Key(b"b")]);
    let one = write(HEAD, [Entry::Key(b"a")]);
    assert_eq!(two.len() - one.len(), 4 + 1);
}

#[test]
fn zero_is_no_serial_number() {
    let list = write(
        HEAD,
        [
            of(b"", Certificates::Serials { first: 0, last: 0 }),
            of(b"", Certificates::Serials { first: 0, last: 2 }),
        ],
    );
    let (_, found) = entries(&list).unwrap();
    assert_eq!(found, [of(b"", Certificates::Serials { first: 1, last: 2 })]);
}

#[test]
fn a_list_that_is_cut_off_inside_a_section_is_refused() {
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
fn another_version_is_refused() {
    let mut list = write(HEAD, all());
    list[11] = 2;
    assert!(entries(&list).is_none());
    assert!(content(b"ssh-ed25519 AAAA").is_none());
}

#[test]
fn whoever_has_had_enough_ends_the_reading() {
    let list = write(HEAD, all());
    let mut left = 3;
    let read = read(content(&list).unwrap(), |_| {
        left -= 1;
        (left > 0).then_some(())
    });
    assert!(read.is_none() && left == 0);
}

#[test]
fn numbers_and_names_are_covered_by_what_stands_for_them() {
    let range = Certificates::Serials { first: 0, last: 20 };
    let bits = Certificates::Bitmap { offset: 40, octets: &[0x01, 0x05] };
    let far = Certificates::Bitmap { offset: u64::MAX, octets: &[0x7f, 0xff] };
    let covered = |which: Certificates<'_>| -> Vec<u64> {
        [0, 1, 20, 21, 39, 40, 41, 42, 47, 48, 49, u64::MAX]
            .into_iter()
            .filter(|serial| which.cover(*serial, b"x"))
            .collect()
    };
    assert_eq!(covered(range), [1, 20]);
    assert_eq!(covered(bits), [40, 42, 48]);
    assert_eq!(covered(far), [u64::MAX]);
    assert!(Certificates::Id(b"x").cover(0, b"x") && !Certificates::Id(b"x ").cover(0, b"x"));
}
