use super::*;

#[test]
fn values_of_wrong_type_or_range_are_rejected() {
    let number = Value::Integer(1);
    let text = Value::OctetString(b"x");
    assert_eq!(octets(&number), Err(ErrorStatus::WrongType));
    assert_eq!(integer(&text), Err(ErrorStatus::WrongType));
    assert_eq!(oid(&text), Err(ErrorStatus::WrongType));
    assert_eq!(unsigned(&Value::Integer(-1)), Err(ErrorStatus::WrongValue));
    assert_eq!(choice(&Value::Integer(9), StorageType::from_number), Err(ErrorStatus::WrongValue));
}
