use russh::keys::PublicKey;

use super::*;

const KEY: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILM+rvN+ot98qgEN796jTiQfZfG1KaT0PtFDJ/XFSqti";

fn data() -> KeyData {
    PublicKey::from_openssh(KEY).unwrap().key_data().clone()
}

#[test]
fn key_is_revoked_if_its_value_or_hash_is_listed() {
    let hash = data().fingerprint(russh::keys::HashAlg::Sha256).to_string();
    for list in [
        format!("{KEY} comment"),
        format!("key: {KEY}"),
        format!("sha256: {hash}"),
        format!("# list\n\nhash: {hash}\n"),
    ] {
        assert!(RevokedKeys::parse(&list).unwrap().contains_key(&data()), "{list}");
    }
    assert!(!RevokedKeys::parse("serial: 1-9\nid: old laptop\n").unwrap().contains_key(&data()));
    assert!(!RevokedKeys::default().contains_key(&data()));
}

#[test]
fn revocation_list_with_an_invalid_line_is_rejected() {
    for (list, line) in
        [("junk", 1), ("serial: 9-1", 1), ("# x\nserial: x", 2), ("sha256: AAAA", 1), ("key: ssh-ed25519", 1)]
    {
        assert_eq!(RevokedKeys::parse(list).unwrap_err(), RevocationListError::Line(line), "{list}");
    }
}
