use super::*;

#[test]
fn master_key_of_wrong_length_is_rejected() {
    for protocol in AuthProtocol::ALL {
        let len = protocol.key_len();
        assert!(MasterKey::from_octets(protocol, &vec![1; len]).is_ok());
        let rejected = MasterKey::from_octets(protocol, &vec![1; len - 1]).err();
        assert_eq!(rejected, Some(KeyLengthError { expected: len, found: len - 1 }));
    }
}

#[test]
fn localized_key_longer_than_64_octets_is_rejected() {
    assert_eq!(LocalizedKey::from_octets(&[7; 64]).unwrap().expose(), [7; 64]);
    let rejected = LocalizedKey::from_octets(&[7; 65]).err();
    assert_eq!(rejected, Some(KeyLengthError { expected: 64, found: 65 }));
}

#[test]
fn localized_keys_differ_between_engines() {
    let master = MasterKey::from_octets(AuthProtocol::HmacSha256_192, &[9; 32]).unwrap();
    let here = master.localize(b"engine one");
    assert!(here == master.localize(b"engine one"));
    assert!(here == here.duplicate());
    assert!(here != master.localize(b"engine two"));
}
