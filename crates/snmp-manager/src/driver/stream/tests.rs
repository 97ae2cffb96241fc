use super::*;

#[test]
fn message_length_is_returned_when_header_is_complete() {
    let table: [(&[u8], Option<usize>); 7] = [
        (&[], None),
        (&[0x30], None),
        (&[0x30, 0], Some(2)),
        (&[0x30, 0x7f], Some(129)),
        (&[0x30, 0x82, 1], None),
        (&[0x30, 0x82, 1, 0], Some(260)),
        (&[0x30, 0x84, 0, 0, 1, 0, 9], Some(262)),
    ];
    for (octets, expected) in table {
        assert_eq!(message_len(octets).unwrap(), expected, "{octets:?}");
    }
}

#[test]
fn invalid_or_oversized_message_header_is_rejected() {
    let table: [&[u8]; 4] = [&[0x31, 0], &[0x30, 0x80], &[0x30, 0x85, 0], &[0x30, 0x84, 0xff, 0, 0, 0]];
    for octets in table {
        assert!(message_len(octets).is_err(), "{octets:?}");
    }
}

#[test]
fn connecting_to_unix_socket_ends_at_timeout_if_queue_is_full() {
    let path = std::env::temp_dir().join(format!("portreeve-queue-{}", std::process::id()));
    let listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
    // A queue of length 0 accepts one connection.
    net::listen(&listener, 0).unwrap();
    let connect = || connect_unix(path.to_str().unwrap(), Duration::from_millis(20));
    let _first = connect().unwrap();
    let error = connect().unwrap_err();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(error.kind(), ErrorKind::TimedOut);
    assert_eq!(connect().unwrap_err().kind(), ErrorKind::NotFound);
    let too_long = connect_unix(&"x".repeat(200), Duration::from_millis(20));
    assert_eq!(too_long.unwrap_err().raw_os_error(), Some(36));
}
