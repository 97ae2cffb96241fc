use super::*;
use crate::hex::hex;

/// NIST SP 800-38A, F.3.13 to F.3.18 (CFB128): the plaintext, and the ciphertexts for keys of 128,
/// 192 and 256 bits.
const NIST_PLAINTEXT: &str = "6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51
     30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710";
const NIST_CFB128: [(PrivProtocol, &str, &str); 3] = [
    (
        PrivProtocol::Aes128,
        "2b7e151628aed2a6abf7158809cf4f3c",
        "3b3fd92eb72dad20333449f8e83cfb4a c8a64537a0b3a93fcde3cdad9f1ce58b
         26751f67a3cbb140b1808cf187a4f4df c04b05357c5d1c0eeac4c66f9ff7f2e6",
    ),
    (
        PrivProtocol::Aes192,
        "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
        "cdc80d6fddf18cab34c25909c99a4174 67ce7f7f81173621961a2b70171d3d7a
         2e1e8a1dd59b88b1c8e60fed1efac4c9 c05f9f9ca9834fa042ae8fba584b09ff",
    ),
    (
        PrivProtocol::Aes256,
        "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
        "dc7e84bfda79164b7ecd8486985d3860 39ffed143b28b1c832113c6331e5407b
         df10132415e54b92a13ed0a8267ae2f9 75a385741ab9cef82031623d55b1e471",
    ),
];

fn key(protocol: PrivProtocol) -> PrivKey {
    let octets: Vec<u8> = (1..=protocol.key_len() as u8).collect();
    PrivKey::new(protocol, &octets).unwrap()
}

#[test]
fn aes_ciphertext_matches_nist_sp_800_38a() {
    for (protocol, octets, ciphertext) in NIST_CFB128 {
        let key = PrivKey::new(protocol, &hex(octets)).unwrap();
        let (plaintext, ciphertext) = (hex(NIST_PLAINTEXT), hex(ciphertext));
        // In CFB mode, the ciphertext of a shorter plaintext is a prefix of the ciphertext of the
        // longer one.
        for len in 0..=plaintext.len() {
            let mut buf = plaintext[..len].to_vec();
            let salt = key.encrypt_in_place(0x0001_0203, 0x0405_0607, 0x0809_0a0b_0c0d_0e0f, &mut buf);
            assert_eq!(salt, Ok([8, 9, 10, 11, 12, 13, 14, 15]));
            assert_eq!(buf, ciphertext[..len], "{protocol} {len}");
            key.decrypt_in_place(0x0001_0203, 0x0405_0607, &salt.unwrap(), &mut buf).unwrap();
            assert_eq!(buf, plaintext[..len], "{protocol} {len}");
        }
    }
}

/// The example of FIPS 81, appendix C, table C1. The initialization vector (1234567890abcdef) is
/// the pre-IV XOR the salt.
#[test]
fn des_ciphertext_matches_fips_81() {
    let pre_iv = "1234567890abcdef";
    let key = PrivKey::new(PrivProtocol::Des, &hex(&format!("0123456789abcdef {pre_iv}"))).unwrap();
    let mut buf = b"Now is the time for all ".to_vec();
    assert_eq!(key.encrypt_in_place(0, 99, 0, &mut buf), Ok([0; 8]));
    assert_eq!(buf, hex("e5c7cdde872bf27c 43e934008c389c0f 683788499a7c05f6"));
}

/// The ciphertext was computed by OpenSSL's `des-ede3-cbc` with the initialization vector
/// 1234567890abcdef.
#[test]
fn triple_des_ciphertext_matches_openssl() {
    let pre_iv = "1234567990abcded";
    let octets = format!("0123456789abcdef 23456789abcdef01 456789abcdef0123 {pre_iv}");
    let key = PrivKey::new(PrivProtocol::TripleDes, &hex(&octets)).unwrap();
    let mut buf = b"The quick brown fox jump".to_vec();
    assert_eq!(key.encrypt_in_place(1, 99, 2, &mut buf), Ok([0, 0, 0, 1, 0, 0, 0, 2]));
    assert_eq!(buf, hex("5ba523a59a510971 0da06400f058192a 743dc4df1c592655"));
}

#[test]
fn decryption_restores_the_plaintext_with_every_protocol() {
    for protocol in PrivProtocol::ALL {
        let key = key(protocol);
        assert_eq!(key.protocol(), protocol);
        for len in [0, 8, 16, 40, 120, 1472, 65_504] {
            let plaintext: Vec<u8> = (0..len).map(|at| at as u8).collect();
            let mut buf = plaintext.clone();
            let salt = key.encrypt_in_place(7, 8, 9, &mut buf).unwrap();
            assert!(len == 0 || buf != plaintext, "{protocol} {len}");
            key.decrypt_in_place(7, 8, &salt, &mut buf).unwrap();
            assert_eq!(buf, plaintext, "{protocol} {len}");
        }
    }
}

#[test]
fn salt_layout_matches_rfc_3414_and_rfc_3826() {
    let aes = key(PrivProtocol::Aes128).encrypt_in_place(1, 2, 0x0102_0304_0506_0708, &mut []);
    assert_eq!(aes, Ok([1, 2, 3, 4, 5, 6, 7, 8]));
    let des = key(PrivProtocol::Des).encrypt_in_place(1, 2, 0x0102_0304_0506_0708, &mut []);
    assert_eq!(des, Ok([0, 0, 0, 1, 5, 6, 7, 8]));
}

#[test]
fn ciphertext_depends_on_salt_and_boots_and_for_aes_on_engine_time() {
    let encrypted = |protocol, boots, time, salt| {
        let mut buf = [0; 16];
        key(protocol).encrypt_in_place(boots, time, salt, &mut buf).unwrap();
        buf
    };
    for protocol in PrivProtocol::ALL {
        assert_ne!(encrypted(protocol, 1, 1, 1), encrypted(protocol, 1, 1, 2), "{protocol}");
        assert_ne!(encrypted(protocol, 1, 1, 1), encrypted(protocol, 2, 1, 1), "{protocol}");
        let cbc = protocol.padded_len(1) == 8;
        assert_eq!(encrypted(protocol, 1, 1, 1) == encrypted(protocol, 1, 2, 1), cbc, "{protocol}");
    }
}

#[test]
fn decryption_rejects_salt_that_is_not_eight_octets() {
    for protocol in PrivProtocol::ALL {
        for len in (0..8).chain(9..20) {
            let mut buf = [0x55; 16];
            let rejected = key(protocol).decrypt_in_place(1, 1, &vec![0; len], &mut buf);
            assert_eq!(rejected, Err(CiphertextError), "{protocol} {len}");
            assert_eq!(buf, [0x55; 16]);
        }
    }
}

#[test]
fn cbc_rejects_partial_blocks_and_does_not_change_the_buffer() {
    for protocol in [PrivProtocol::Des, PrivProtocol::TripleDes] {
        for len in [1, 7, 9, 15] {
            let mut buf = vec![0x55; len];
            assert_eq!(key(protocol).encrypt_in_place(1, 1, 1, &mut buf), Err(PaddingError));
            assert_eq!(key(protocol).decrypt_in_place(1, 1, &[0; 8], &mut buf), Err(CiphertextError));
            assert_eq!(buf, vec![0x55; len]);
        }
    }
}

#[test]
fn key_of_wrong_length_is_rejected() {
    for protocol in PrivProtocol::ALL {
        for len in [0, 7, protocol.key_len() - 1, protocol.key_len() + 1] {
            let rejected = PrivKey::new(protocol, &vec![0; len]).err();
            assert_eq!(rejected, Some(KeyLengthError { expected: protocol.key_len(), found: len }));
        }
    }
}
