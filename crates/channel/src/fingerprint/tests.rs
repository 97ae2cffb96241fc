use super::{Fingerprint, FingerprintError, HashAlgorithm};

#[test]
fn printed_fingerprint_and_other_notations_are_parsed() {
    let hash: Vec<u8> = (0..32).collect();
    let fingerprint = Fingerprint::new(HashAlgorithm::Sha256, &hash).unwrap();
    let text = fingerprint.to_string();
    assert!(text.starts_with("sha256:00:01:02:"));
    assert_eq!(text.parse(), Ok(fingerprint.clone()));
    assert_eq!(Fingerprint::from_octets(&fingerprint.to_octets()), Ok(fingerprint.clone()));
    assert_eq!(fingerprint.to_octets()[0], 4);
    for other in ["SHA-256:", "", "sha256:"] {
        let digits: String = hash.iter().map(|octet| format!("{octet:02x}")).collect();
        assert_eq!(format!("{other}{digits}").parse(), Ok(fingerprint.clone()));
    }
}

#[test]
fn hash_algorithm_is_determined_by_fingerprint_length_or_first_octet() {
    for algorithm in HashAlgorithm::ALL {
        let fingerprint = Fingerprint::new(algorithm, &vec![0xAB; algorithm.length()]).unwrap();
        let bare = fingerprint.to_string().split_once(':').unwrap().1.to_owned();
        assert_eq!(bare.parse(), Ok(fingerprint.clone()));
        assert_eq!(Fingerprint::from_octets(&fingerprint.to_octets()), Ok(fingerprint));
    }
}

#[test]
fn fingerprint_parser_rejects_malformed_input() {
    for text in ["", ":", "sha256:", "abc", "zz", "sha256:0011", "é0", "sha256:é0"] {
        assert!(text.parse::<Fingerprint>().is_err(), "{text:?}");
    }
    assert_eq!(Fingerprint::from_octets(&[]), Err(FingerprintError::Unreadable));
    assert_eq!(Fingerprint::from_octets(&[9; 33]), Err(FingerprintError::UnknownAlgorithm));
    assert!(matches!(Fingerprint::from_octets(&[4; 10]), Err(FingerprintError::Length { octets: 9, .. })));
}
