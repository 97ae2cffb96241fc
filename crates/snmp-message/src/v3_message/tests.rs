use super::*;

fn build(header: &HeaderData) -> Vec<u8> {
    let mut buffer = [0; 128];
    let mut writer = ReverseWriter::new(&mut buffer);
    writer.header(Tag::SEQUENCE, 0).unwrap(); // an empty scopedPDU
    writer.octet_string(b"security").unwrap();
    prepend_v3_message(&mut writer, header).unwrap();
    writer.written().to_vec()
}

fn header() -> HeaderData {
    HeaderData {
        msg_id: 7,
        max_size: 1472,
        flags: MsgFlags::new(SecurityLevel::AuthNoPriv, true),
        security_model: SecurityModel::USM,
    }
}

#[test]
fn encoded_v3_message_is_parsed_unchanged() {
    let message = build(&header());
    let parsed = V3Message::parse(&message).unwrap();
    assert_eq!(parsed.header, header());
    assert_eq!(&message[parsed.security_parameters], b"security");
    assert_eq!(parsed.data, ScopedPduData::Plaintext(message.len() - 2..message.len()));
}

#[test]
fn a2_every_truncation_of_v3_message_is_rejected() {
    let message = build(&header());
    for length in 0..message.len() {
        assert!(V3Message::parse(&message[..length]).is_err(), "{length}");
    }
}

#[test]
fn c21_msg_max_size_below_484_is_rejected() {
    for (max_size, accepted) in
        [(0, false), (483, false), (484, true), (0x7fff_ffff, true), (0x8000_0000, false)]
    {
        let message = build(&HeaderData { max_size, ..header() });
        assert_eq!(V3Message::parse(&message).is_ok(), accepted, "{max_size}");
    }
}

#[test]
fn v3_message_with_header_field_out_of_range_is_rejected() {
    assert!(V3Message::parse(&build(&HeaderData { msg_id: -1, ..header() })).is_err());
    assert!(V3Message::parse(&build(&HeaderData { security_model: SecurityModel(0), ..header() })).is_err());
    assert!(
        V3Message::parse(&build(&HeaderData { security_model: SecurityModel(1 << 31), ..header() })).is_err()
    );
}

#[test]
fn c8_priv_flag_without_auth_flag_is_not_a_security_level() {
    let levels = [
        Some(SecurityLevel::NoAuthNoPriv),
        Some(SecurityLevel::AuthNoPriv),
        None,
        Some(SecurityLevel::AuthPriv),
    ];
    for (flags, level) in levels.into_iter().enumerate() {
        assert_eq!(MsgFlags(flags as u8).level(), level);
        assert_eq!(MsgFlags(flags as u8 | 0xf8).level(), level, "reserved bits are ignored");
    }
}
