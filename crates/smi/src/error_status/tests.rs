use super::ErrorStatus::{self, *};

#[test]
fn error_status_numbers_round_trip_and_have_names() {
    for number in 0..=18 {
        let status = ErrorStatus::from_wire(number).unwrap();
        assert_eq!(status as i32, number);
        assert!(!status.name().is_empty());
    }
    assert_eq!(ErrorStatus::from_wire(19), None);
    assert_eq!(ErrorStatus::from_wire(-1), None);
}

//= rfc3584#4.4-p1
//= type=test
#[test]
fn error_status_maps_to_v1_as_in_rfc_3584() {
    let table = [
        (NoError, NoError),
        (TooBig, TooBig),
        (GenErr, GenErr),
        (WrongValue, BadValue),
        (WrongEncoding, BadValue),
        (WrongType, BadValue),
        (WrongLength, BadValue),
        (InconsistentValue, BadValue),
        (NoAccess, NoSuchName),
        (NotWritable, NoSuchName),
        (NoCreation, NoSuchName),
        (InconsistentName, NoSuchName),
        (AuthorizationError, NoSuchName),
        (ResourceUnavailable, GenErr),
        (CommitFailed, GenErr),
        (UndoFailed, GenErr),
    ];
    for (v2, v1) in table {
        assert_eq!(v2.to_v1(), v1, "{v2}");
    }
}
