//! OpenSSL reads and believes what is made.

use crate::fixture::{Home, foreign};

#[test]
fn openssl_verifies_hosts_and_users_strictly_and_against_the_list() {
    let home = Home::new();
    let folder = home.file("");
    for (purpose, certificate, more) in [
        ("sslserver", "hosts/gw.example/cert.pem", &["-verify_hostname", "gw.example"][..]),
        ("sslserver", "hosts/gw.example/cert.pem", &["-verify_ip", "192.0.2.1"]),
        ("sslclient", "users/ops/cert.pem", &[]),
    ] {
        let mut line =
            vec!["verify", "-x509_strict", "-crl_check", "-CAfile", "ca.pem", "-CRLfile", "ca.crl"];
        line.extend(["-purpose", purpose]);
        line.extend(more);
        line.push(certificate);
        let Some(told) = foreign("openssl", &line, &folder) else { return };
        assert!(told.contains(": OK"), "{told}");
    }
}

#[test]
fn openssl_reads_keys_and_shows_the_same_fingerprints() {
    let home = Home::new();
    let folder = home.file("");
    let line = ["x509", "-in", "users/ops/cert.pem", "-noout", "-fingerprint", "-sha256"];
    let Some(told) = foreign("openssl", &line, &folder) else { return };
    let fingerprint = told.trim().rsplit('=').next().unwrap();
    let (shown, _) = home.done(&format!("show {}", home.file("users/ops/cert.pem").display()));
    assert!(shown.contains(&format!("sha256:{fingerprint}")), "{shown}{told}");
    let told = foreign("openssl", &["pkey", "-in", "users/ops/key.pem", "-noout", "-text"], &folder).unwrap();
    assert!(told.contains("prime256v1"), "{told}");
}

#[test]
fn openssl_opens_an_authority_with_its_pass_phrase() {
    let home = Home::empty();
    let file = home.elsewhere("phrase");
    std::fs::write(&file, "correct horse\n").unwrap();
    home.done(&format!("ca --tls --passphrase-file {}", file.display()));
    let source = format!("file:{}", file.display());
    foreign("openssl", &["pkey", "-in", "ca.key", "-passin", &source, "-noout"], &home.file(""));
}

#[test]
fn a_request_made_by_openssl_is_signed_for_whom_we_say() {
    let home = Home::new();
    let request = home.elsewhere("asked.csr");
    let subject = "/CN=root";
    let mut line = vec!["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
    line.extend(["-keyout", "asked.key", "-out", "asked.csr", "-subj", subject]);
    if foreign("openssl", &line, &home.elsewhere("")).is_none() {
        return;
    }
    assert!(home.refused(&format!("sign {}", request.display())).contains("--user"));
    home.done(&format!("sign {} --user ops --days 7", request.display()));
    let signed = home.elsewhere("asked.pem");
    let line =
        ["verify", "-x509_strict", "-CAfile", "ca.pem", "-purpose", "sslclient", signed.to_str().unwrap()];
    foreign("openssl", &line, &home.file(""));
    let (shown, warned) = home.done(&format!("show {}", signed.display()));
    assert!(shown.contains("CN=ops") && !shown.contains("root"), "{shown}");
    assert!(warned.contains("expires in 7 days") || warned.contains("expires in 6 days"), "{warned}");
}
