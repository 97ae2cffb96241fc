use std::time::{Duration, SystemTime};

use portreeve_channel::AlternativeName;
use rcgen::{CertificateParams, DnType};

use super::*;
use crate::{IssuedCertificate, self_signed};

fn days(days: u64) -> Validity {
    Validity::from_now(SystemTime::now(), Duration::from_secs(days * 86_400))
}

fn gateway(authority: &X509Authority) -> IssuedCertificate {
    let names = ["gw.example", "ops@gw.example"].map(str::to_owned);
    let names = vec![
        AlternativeName::Dns(names[0].clone()),
        AlternativeName::Rfc822(names[1].clone()),
        AlternativeName::Ip([192, 0, 2, 1].into()),
        AlternativeName::Ip("2001:db8::1".parse().unwrap()),
    ];
    authority.issue(&Holder::new(HolderRole::Host, "gw.example").with_names(names), days(5)).unwrap()
}

#[test]
fn renewal_retains_key_names_and_usage() {
    let authority = X509Authority::new("Test CA", days(100)).unwrap();
    let old = gateway(&authority);
    let renewed = read(&authority.renew(&old.certificate, days(50)).unwrap()).unwrap();
    let (_, before) = X509Certificate::from_der(&old.der).unwrap();
    let (_, after) = X509Certificate::from_der(&renewed).unwrap();
    assert_eq!(before.public_key().raw, after.public_key().raw);
    assert_eq!(before.subject().as_raw(), after.subject().as_raw());
    let (before_facts, after_facts) =
        (certificate_facts(&old.der).unwrap(), certificate_facts(&renewed).unwrap());
    assert_eq!(before_facts.alternative_names, after_facts.alternative_names);
    assert_eq!(after_facts.alternative_names.len(), 4);
    for extension in before.extensions() {
        assert!(after.extensions().contains(extension), "{}", extension.oid);
    }
    assert!(
        after
            .verify_signature(Some(X509Certificate::from_der(authority.der()).unwrap().1.public_key()))
            .is_ok()
    );
    assert_ne!(before.raw_serial(), after.raw_serial());
    assert!(after.validity().not_after > before.validity().not_after);
}

#[test]
fn renew_rejects_foreign_forged_malformed_and_authority_certificates() {
    let (authority, other) =
        (X509Authority::new("Test CA", days(9)).unwrap(), X509Authority::new("Test CA", days(9)).unwrap());
    let old = gateway(&other);
    assert_eq!(authority.renew(&old.certificate, days(5)), Err(PkiError::NotSignedByAuthority));
    let mut forged = gateway(&authority).der;
    let last = forged.len() - 1;
    forged[last] ^= 1;
    assert_eq!(authority.renew(&pem("CERTIFICATE", &forged), days(5)), Err(PkiError::NotSignedByAuthority));
    assert_eq!(
        authority.renew(&authority.pem(), days(5)),
        Err(PkiError::NotRenewable("no extended key usage, or more than one"))
    );
    assert_eq!(authority.renew("no PEM", days(5)), Err(NOT_A_CERTIFICATE));
}

#[test]
fn renew_fails_when_the_new_certificate_would_lose_content() {
    let authority = X509Authority::new("Test CA", days(9)).unwrap();
    let change: [fn(&mut CertificateParams); 4] = [
        |params| params.extended_key_usages.push(rcgen::ExtendedKeyUsagePurpose::ServerAuth),
        |params| params.distinguished_name.push(DnType::OrganizationName, "Example"),
        |params| params.subject_alt_names.push(rcgen::SanType::URI("spiffe://x".try_into().unwrap())),
        |params| {
            let extension = rcgen::CustomExtension::from_oid_content(&[1, 2, 3, 4], vec![5, 0]);
            params.custom_extensions.push(extension);
        },
    ];
    for change in change {
        let mut params = leaf(&Holder::new(HolderRole::User, "ops"), days(5)).unwrap();
        change(&mut params);
        let certificate = params.signed_by(&KeyPair::generate().unwrap(), &authority.issuer).unwrap();
        let result = authority.renew(&certificate.pem(), days(5));
        assert!(matches!(result, Err(PkiError::NotRenewable(_))), "{result:?}");
    }
}

#[test]
fn self_signed_certificate_is_renewed_by_its_own_key_only() {
    let own = self_signed(&Holder::new(HolderRole::User, "ops"), days(5)).unwrap();
    let other = self_signed(&Holder::new(HolderRole::User, "ops"), days(5)).unwrap();
    let renewed = read(&renew_self_signed(&own.certificate, &own.key, days(50)).unwrap()).unwrap();
    let (_, after) = X509Certificate::from_der(&renewed).unwrap();
    assert!(after.verify_signature(None).is_ok());
    assert_eq!(certificate_facts(&renewed).unwrap().common_name.as_deref(), Some("ops"));
    assert_eq!(renew_self_signed(&own.certificate, &other.key, days(5)), Err(PkiError::KeyMismatch));
    let authority = X509Authority::new("Test CA", days(9)).unwrap();
    let signed = authority.issue(&Holder::new(HolderRole::User, "ops"), days(5)).unwrap();
    assert_eq!(
        renew_self_signed(&signed.certificate, &signed.key, days(5)),
        Err(PkiError::NotSignedByAuthority)
    );
}
