//! OpenSSL accepts the created files.

use crate::fixture::{TestHome, run_tool};

#[test]
fn openssl_strictly_verifies_host_and_user_certificates_with_crl() {
    let home = TestHome::new();
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
        let Some(output) = run_tool("openssl", &line, &folder) else { return };
        assert!(output.contains(": OK"), "{output}");
    }
}

#[test]
fn openssl_prints_same_fingerprint_and_reads_key() {
    let home = TestHome::new();
    let folder = home.file("");
    let line = ["x509", "-in", "users/ops/cert.pem", "-noout", "-fingerprint", "-sha256"];
    let Some(output) = run_tool("openssl", &line, &folder) else { return };
    let fingerprint = output.trim().rsplit('=').next().unwrap();
    let (shown, _) = home.succeed(&format!("show {}", home.file("users/ops/cert.pem").display()));
    assert!(shown.contains(&format!("sha256:{fingerprint}")), "{shown}{output}");
    let output =
        run_tool("openssl", &["pkey", "-in", "users/ops/key.pem", "-noout", "-text"], &folder).unwrap();
    assert!(output.contains("prime256v1"), "{output}");
}

#[test]
fn openssl_opens_authority_key_with_pass_phrase() {
    let home = TestHome::empty();
    let file = home.elsewhere("phrase");
    std::fs::write(&file, "correct horse\n").unwrap();
    home.succeed(&format!("ca --tls --passphrase-file {}", file.display()));
    let source = format!("file:{}", file.display());
    run_tool("openssl", &["pkey", "-in", "ca.key", "-passin", &source, "-noout"], &home.file(""));
}

#[test]
fn request_made_by_openssl_is_signed_for_given_user() {
    let home = TestHome::new();
    let request = home.elsewhere("asked.csr");
    let subject = "/CN=root";
    let mut line = vec!["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
    line.extend(["-keyout", "asked.key", "-out", "asked.csr", "-subj", subject]);
    if run_tool("openssl", &line, &home.elsewhere("")).is_none() {
        return;
    }
    assert!(home.fail(&format!("sign {}", request.display())).contains("--user"));
    home.succeed(&format!("sign {} --user ops --days 7", request.display()));
    let signed = home.elsewhere("asked.pem");
    let line =
        ["verify", "-x509_strict", "-CAfile", "ca.pem", "-purpose", "sslclient", signed.to_str().unwrap()];
    run_tool("openssl", &line, &home.file(""));
    let (shown, warned) = home.succeed(&format!("show {}", signed.display()));
    assert!(shown.contains("CN=ops") && !shown.contains("root"), "{shown}");
    assert!(warned.contains("expires in 7 days") || warned.contains("expires in 6 days"), "{warned}");
}
