use super::*;

#[test]
fn address_in_text_has_a_host_and_a_port() {
    for (text, expected) in [
        ("192.0.2.1:5162", Some((None, "192.0.2.1", 5162))),
        ("traps@noc.example:22", Some((Some("traps"), "noc.example", 22))),
        ("[2001:db8::1]:10162", Some((None, "2001:db8::1", 10162))),
        ("a@b@host:1", Some((Some("a@b"), "host", 1))),
        ("noc.example", None),
        ("noc.example:0", None),
        (":162", None),
        ("@host:162", None),
    ] {
        assert_eq!(split_address(text), expected, "{text}");
    }
}

#[test]
fn address_in_octets_has_the_length_of_its_family() {
    let v4 = socket_address(&[192, 0, 2, 1, 0, 162]).unwrap();
    assert_eq!(v4, "192.0.2.1:162".parse().unwrap());
    let mut octets = [0; 18];
    (octets[15], octets[17]) = (1, 162);
    assert_eq!(socket_address(&octets).unwrap(), "[::1]:162".parse().unwrap());
    for invalid in [&[][..], &[0, 162], &[192, 0, 2, 1, 0, 0], &[0; 7]] {
        assert_eq!(socket_address(invalid), Err(DestinationError::InvalidAddress));
    }
}

#[test]
fn fingerprint_names_its_algorithm() {
    assert_eq!(fingerprint(&[4, 0xab, 0x01]).unwrap(), "sha256:AB:01");
    assert_eq!(fingerprint(&[1, 0xab]), None, "MD5 is not accepted");
    assert_eq!(fingerprint(&[]), None);
}
