//! Tests the workspace's replacement for russh-cryptovec, the buffer in which russh keeps secrets.

use std::fs;

use russh::CryptoVec;

#[test]
fn buffer_contains_written_octets() {
    let mut held = CryptoVec::new();
    let mut expected = Vec::new();
    for octet in 0..=255 {
        held.push(octet);
        held.extend(&[octet; 3]);
        expected.extend([octet; 4]);
    }
    assert_eq!(held[..], expected[..]);
    assert_eq!(held.clone()[..], expected[..]);
    held.resize(5);
    assert_eq!(held[..], [0, 0, 0, 0, 1]);
    held.resize_mut(2).copy_from_slice(&[8, 9]);
    held.resize(9);
    assert_eq!(held[..], [0, 0, 0, 0, 1, 8, 9, 0, 0]);
}

#[test]
fn truncated_octets_are_wiped() {
    let mut held = CryptoVec::from("secret");
    held.resize(2);
    held.resize(6);
    assert_eq!(held[..], *b"se\0\0\0\0");
    held.clear();
    assert!(held.is_empty());
    assert_eq!(held.resize_mut(6)[..], [0; 6]);
}

#[test]
fn growing_buffer_reallocates_rarely() {
    let mut held = CryptoVec::new();
    let mut moves = 0;
    for octet in 0..1000_u32 {
        let place = held.as_ptr();
        held.push(octet as u8);
        moves += usize::from(held.as_ptr() != place);
    }
    assert!(moves <= 6, "{moves} moves");
}

#[test]
fn debug_output_does_not_show_secret() {
    assert!(!format!("{:?}", CryptoVec::from("secret")).contains("secret"));
}

#[test]
fn buffer_memory_is_not_locked_in_ram() {
    let held = CryptoVec::new_zeroed(100_000);
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let locked = status.lines().find(|line| line.starts_with("VmLck:")).unwrap();
    assert_eq!(locked.split_whitespace().nth(1), Some("0"), "{locked}");
    assert_eq!(held.len(), 100_000);
}
