use super::*;

#[test]
fn an_oid_of_128_arcs_is_kept_and_one_more_is_refused_unchanged() {
    let mut oid = OidBuf::from_arcs(&[1; MAX_ARCS]).unwrap();
    assert_eq!(oid.push(1), Err(OidError::TooLong));
    assert_eq!(oid.extend(&[1]), Err(OidError::TooLong));
    assert_eq!(oid.len(), MAX_ARCS);
    assert_eq!(Oid::new(&[1; MAX_ARCS + 1]), Err(OidError::TooLong));
}

#[test]
fn text_round_trips_with_and_without_a_leading_dot() {
    for text in ["1.3.6.1.2.1.1.1.0", ".1.3.6.1.2.1.1.1.0"] {
        assert_eq!(text.parse::<Oid>().unwrap().to_string(), "1.3.6.1.2.1.1.1.0");
    }
}

#[test]
fn text_that_is_not_dotted_numbers_is_refused() {
    for text in ["", ".", "1..3", "1.3.", "1.x", "1.4294967296", "1.-1"] {
        assert_eq!(text.parse::<Oid>(), Err(OidError::NotDotted), "{text}");
    }
}

#[test]
fn truncation_never_lengthens() {
    let mut oid = OidBuf::from_arcs(&[1, 3, 6]).unwrap();
    oid.truncate(9);
    assert_eq!(&*oid, &[1, 3, 6]);
    oid.truncate(1);
    assert_eq!(&*oid, &[1]);
}
