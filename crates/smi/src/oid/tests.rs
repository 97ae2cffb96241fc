use super::*;

#[test]
fn oid_is_unchanged_when_129th_arc_is_rejected() {
    let mut oid = OidBuf::from_arcs(&[1; MAX_ARCS]).unwrap();
    assert_eq!(oid.push(1), Err(OidError::TooLong));
    assert_eq!(oid.extend(&[1]), Err(OidError::TooLong));
    assert_eq!(oid.len(), MAX_ARCS);
    assert_eq!(Oid::new(&[1; MAX_ARCS + 1]), Err(OidError::TooLong));
}

#[test]
fn oid_text_round_trips_with_and_without_leading_dot() {
    for text in ["1.3.6.1.2.1.1.1.0", ".1.3.6.1.2.1.1.1.0"] {
        assert_eq!(text.parse::<Oid>().unwrap().to_string(), "1.3.6.1.2.1.1.1.0");
    }
}

#[test]
fn oid_parser_rejects_text_that_is_not_dotted_numbers() {
    for text in ["", ".", "1..3", "1.3.", "1.x", "1.4294967296", "1.-1"] {
        assert_eq!(text.parse::<Oid>(), Err(OidError::NotDotted), "{text}");
    }
}

#[test]
fn truncate_never_lengthens_oid() {
    let mut oid = OidBuf::from_arcs(&[1, 3, 6]).unwrap();
    oid.truncate(9);
    assert_eq!(&*oid, &[1, 3, 6]);
    oid.truncate(1);
    assert_eq!(&*oid, &[1]);
}
