use super::*;

#[test]
fn certificates_are_mapped_to_security_names() {
    let conf = parsed(
        "[snmp] localCert receiver\n[snmp] trustCert ca\n[snmp] x509CRLFile /etc/ca.crl\n\
         certSecName 20 good --cn\n[snmptrapd] certSecName 10 good --sn ops\n[snmp] defVersion 3\n",
    );
    let names = |files: &[NamedFile]| files.iter().map(|file| file.name.clone()).collect::<Vec<_>>();
    let tls = &conf.tls;
    assert_eq!(tls.local_certificate.as_ref().unwrap().name, "receiver");
    assert_eq!(tls.local_certificate.as_ref().unwrap().location.line, 1);
    assert_eq!(
        (names(&tls.authorities), names(&tls.revocation_lists)),
        (vec!["ca".into()], vec!["/etc/ca.crl".into()])
    );
    let rows = tls.rows();
    let [common_name, specified] = &*rows else { panic!() };
    assert_eq!((common_name.key.priority, specified.key.priority), (20, 10));
    assert_eq!(*common_name.map_type, *SNMP_TLSTM_CERT_COMMON_NAME.oid());
    assert_eq!((&*specified.map_type, &*specified.data), (&*SNMP_TLSTM_CERT_SPECIFIED.oid(), &b"ops"[..]));
    assert_eq!(*specified.fingerprint, *[&[4][..], &[7; 32]].concat());
    assert!(specified.is_active());
}

#[test]
fn invalid_certificate_rule_is_omitted_and_reported_with_its_line() {
    for (text, expected) in [
        ("certSecName 0 good --cn", "certSecName: invalid priority \"0\""),
        ("certSecName 10 other --cn", "certSecName: certificate \"other\" not found"),
        ("certSecName 10 good", "certSecName: missing value: expected --sn NAME, --rfc822"),
        ("certSecName 10 good --sn", "certSecName: missing value: expected a securityName"),
        ("certSecName 10 good --name ops", "certSecName: invalid option \"--name\": expected --sn NAME"),
        ("certSecName 10 good --cn ops", "certSecName: 1 unexpected values"),
        ("[snmp] trustCert a b", "trustCert: 1 unexpected values after the file"),
        ("tlsMinVersion TLS1.2", "warning: tlsMinVersion: has no effect here: set `versions` in [tls]"),
    ] {
        let (conf, problems) = parse_with_mode(text, 0o600);
        assert!(problems.iter().any(|problem| problem.contains(expected)), "{text}: {problems:?}");
        assert!(conf.tls.rows().is_empty(), "{text}");
    }
    let (conf, problems) = parse_with_mode("certSecName 10 good --cn\ncertSecName 10 good --dns\n", 0o600);
    assert_eq!(conf.tls.rows().len(), 1);
    assert!(
        problems[0].starts_with("snmptrapd.conf:2: certSecName: the priority 10 is used already"),
        "{problems:?}"
    );
}

#[test]
fn certificate_is_not_mapped_when_a_revocation_list_is_missing() {
    let (conf, problems) =
        parse_with_mode("certSecName 10 good --cn\n[snmp] x509CRLFile /etc/ca crl.pem\n", 0o600);
    assert!(conf.tls.rows().is_empty());
    assert_eq!(
        problems,
        [
            "snmptrapd.conf:2: x509CRLFile: 1 unexpected values after the file: remove them, or put a value with \
          spaces in quotes: no certificate is accepted without this list"
        ]
    );
}
