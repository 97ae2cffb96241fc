use super::*;

#[test]
fn a_master_key_of_the_wrong_length_is_refused() {
    for protocol in AuthProtocol::ALL {
        let len = protocol.key_len();
        assert!(MasterKey::from_octets(protocol, &vec![1; len]).is_ok());
        let refused = MasterKey::from_octets(protocol, &vec![1; len - 1]).err();
        assert_eq!(refused, Some(WrongKeyLength { expected: len, found: len - 1 }));
    }
}

#[test]
fn a_localized_key_has_at_most_64_octets() {
    assert_eq!(LocalizedKey::from_octets(&[7; 64]).unwrap().expose(), [7; 64]);
    let refused = LocalizedKey::from_octets(&[7; 65]).err();
    assert_eq!(refused, Some(WrongKeyLength { expected: 64, found: 65 }));
}

#[test]
fn two_engines_never_share_a_key() {
    let master = MasterKey::from_octets(AuthProtocol::HmacSha256_192, &[9; 32]).unwrap();
    let here = master.localize(b"engine one");
    assert!(here == master.localize(b"engine one"));
    assert!(here == here.duplicate());
    assert!(here != master.localize(b"engine two"));
}
