use super::*;

#[test]
fn values_of_wrong_type_or_range_are_rejected() {
    let number = Value::Integer(1);
    let text = Value::OctetString(b"x");
    assert_eq!(octets(&number), Err(RefusalKind::WrongType.into()));
    assert_eq!(integer(&text), Err(RefusalKind::WrongType.into()));
    assert_eq!(oid(&text), Err(RefusalKind::WrongType.into()));
    assert_eq!(unsigned(&Value::Integer(-1)), Err(RefusalKind::WrongValue.into()));
    assert_eq!(choice(&Value::Integer(9), StorageType::from_number), Err(RefusalKind::WrongValue.into()));
}
