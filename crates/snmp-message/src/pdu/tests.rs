use super::*;
use portreeve_smi::ber::ForwardWriter;

/// An SNMPv2c GetRequest for sysUpTime.0 with request-id 1, as common tools send it, without the
/// message header.
const GET_SYS_UP_TIME: [u8; 27] =
    [0xa0, 25, 2, 1, 1, 2, 1, 0, 2, 1, 0, 0x30, 14, 0x30, 12, 6, 8, 0x2b, 6, 1, 2, 1, 1, 3, 0, 5, 0];

#[test]
fn get_request_pdu_is_parsed() {
    let mut reader = Reader::new(&GET_SYS_UP_TIME);
    let pdu = Pdu::parse(&mut reader).unwrap();
    assert_eq!(
        (pdu.pdu_type, pdu.request_id, pdu.error_status, pdu.error_index),
        (PduType::GetRequest, 1, 0, 0)
    );
    let binds: Vec<_> = pdu.var_binds.iter().collect();
    assert_eq!(binds.len(), pdu.var_binds.len());
    assert_eq!(binds[0], VarBind { name: OidRef::Arcs(&[1, 3, 6, 1, 2, 1, 1, 3, 0]), value: Value::Null });
}

#[test]
fn pdu_encodes_to_expected_octets() {
    let mut buffer = [0; 64];
    let binds = {
        let mut forward = ForwardWriter::new(&mut buffer[40..]);
        forward.var_bind(&[1, 3, 6, 1, 2, 1, 1, 3, 0], &Value::Null).unwrap();
        40..40 + forward.len()
    };
    let mut writer = ReverseWriter::before(&mut buffer, binds);
    prepend_pdu(&mut writer, PduType::GetRequest, 1, 0, 0).unwrap();
    assert_eq!(writer.written(), GET_SYS_UP_TIME);
}

#[test]
fn a2_every_truncation_of_pdu_is_rejected() {
    for length in 0..GET_SYS_UP_TIME.len() {
        assert!(Pdu::parse(&mut Reader::new(&GET_SYS_UP_TIME[..length])).is_err(), "{length}");
    }
}

#[test]
fn pdu_is_rejected_when_any_variable_binding_is_invalid() {
    let mut pdu = GET_SYS_UP_TIME;
    pdu[25] = 0x45; // an undefined application type
    assert_eq!(Pdu::parse(&mut Reader::new(&pdu)).unwrap_err(), BerError::UnexpectedTag);
    let mut pdu = GET_SYS_UP_TIME;
    pdu[24] = 0x80; // the last arc is not terminated
    assert_eq!(Pdu::parse(&mut Reader::new(&pdu)).unwrap_err(), BerError::BadValue);
}

#[test]
fn debug_output_of_pdu_does_not_contain_values() {
    let mut buffer = [0; 64];
    let length = {
        let mut forward = ForwardWriter::new(&mut buffer);
        forward.var_bind(&[1, 3, 6, 1], &Value::OctetString(b"maplesyrup")).unwrap();
        forward.len()
    };
    let var_binds = VarBinds::from_validated(&buffer[..length], 1);
    let pdu =
        Pdu { pdu_type: PduType::SetRequest, request_id: 1, error_status: 0, error_index: 0, var_binds };
    assert_eq!(pdu.var_binds.iter().count(), 1);
    let numbers = format!("{:?}", b"maplesyrup");
    let numbers = numbers.trim_matches(['[', ']']);
    for shown in [format!("{pdu:?}"), format!("{:?}", OwnedPdu::from(&pdu))] {
        assert!(shown.contains("SetRequest"), "{shown}");
        assert!(!shown.contains("maplesyrup") && !shown.contains(numbers), "{shown}");
    }
}

#[test]
fn unknown_pdu_tag_is_rejected() {
    let mut pdu = GET_SYS_UP_TIME;
    for tag in [0xa4, 0xa9, 0x30, 0x04] {
        pdu[0] = tag;
        assert!(Pdu::parse(&mut Reader::new(&pdu)).is_err());
    }
}

#[test]
fn pdu_type_parsed_from_tag_has_that_tag() {
    for tag in 0..=255 {
        if let Some(kind) = PduType::from_tag(Tag(tag)) {
            assert_eq!(kind.tag(), Tag(tag));
        }
    }
}

#[test]
fn validated_var_binds_can_be_restored_from_copied_octets() {
    let pdu = Pdu::parse(&mut Reader::new(&GET_SYS_UP_TIME)).unwrap();
    let kept = pdu.var_binds.encoded().to_vec();
    let again = VarBinds::from_validated(&kept, pdu.var_binds.len());
    assert_eq!(again.len(), 1);
    assert!(again.iter().eq(pdu.var_binds.iter()));
    // If the octets are malformed, the list returns only the bindings before the first invalid one.
    assert_eq!(VarBinds::from_validated(&kept[..5], 1).iter().count(), 0);
}

#[test]
fn encoded_names_returns_content_octets_of_each_variable_name() {
    let mut two = [0; 64];
    let mut writer = ForwardWriter::new(&mut two);
    writer.var_bind(&[1, 3, 6, 1], &Value::Null).unwrap();
    writer.var_bind(&[1, 3, 200], &Value::Counter32(7)).unwrap();
    let length = writer.len();
    let names: Vec<_> = encoded_names(&two[..length]).collect();
    assert_eq!(names, [&[0x2b, 6, 1][..], &[0x2b, 0x81, 0x48]]);
    assert_eq!(encoded_names(&[]).count(), 0);
}
