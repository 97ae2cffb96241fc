//! Presents invalid certificates and signatures to a server: each is refused for its own reason and
//! counted once. The client does not check them first.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests fail by panicking")]

use std::{
    future::{self, poll_fn},
    net::SocketAddr,
    path::Path,
    sync::Arc,
    thread,
};

use portreeve_channel_ssh::{
    keys::RevokedKeys,
    server::{
        Authentication, Authorities, ConnectionOptions, HostKeys, KeyFiles, LoginRefusalReason,
        ServerSettings, SshEvent, SshServer,
    },
};
use rand::rng;
use russh::{
    client,
    keys::{
        Algorithm, Certificate, EcdsaCurve, HashAlg, PrivateKey, PrivateKeyWithHashAlg,
        PublicKeyOrCertificate,
        ssh_key::{
            LineEnding,
            certificate::{Builder, CertType},
            private::RsaKeypair,
        },
    },
};
use tokio::{net::TcpListener, runtime::Builder as Runtime, task::LocalSet};

#[test]
fn each_invalid_certificate_is_refused_and_counted_once() {
    check_refusals(|_| ());
}

#[test]
fn review_h1_invalid_certificates_are_also_refused_on_the_login_thread() {
    let slow_key = PrivateKey::random(&mut rng(), Algorithm::Ecdsa { curve: EcdsaCurve::NistP521 }).unwrap();
    let slow_certificate = certificate(&slow_key, &slow_key, VALID, |_| ());
    // Before each case, slow signatures use up the time that logins may take on the worker.
    check_refusals(|address| {
        for _ in 0..SLOW_LOGINS {
            assert!(!log_in(address, &slow_key, slow_certificate.clone()));
        }
    });
    assert!(has_thread("ssh-logins"), "all steps of logins ran on the worker");
}

/// Presents invalid certificates; calls `prepare` with the server's address before each of them.
fn check_refusals(prepare: impl Fn(SocketAddr)) {
    let (authority, untrusted, subject) = (key(), key(), key());
    let (server, address) = serve(&authority);
    let try_login = |certificate| log_in(address, &subject, certificate);
    prepare(address);
    let good = certificate(&authority, &subject, VALID, |_| ());
    assert!(try_login(good.clone()), "a good one");

    let cases: [(_, Certificate); 8] = [
        (LoginRefusalReason::CertificateUntrusted, certificate(&untrusted, &subject, VALID, |_| ())),
        (
            LoginRefusalReason::CertificatePrincipal,
            issue(&authority, &subject, VALID, |builder| {
                builder.cert_type(CertType::User).unwrap().valid_principal("Ops").unwrap();
            }),
        ),
        (LoginRefusalReason::CertificateExpired, certificate(&authority, &subject, (1_000, 2_000), |_| ())),
        (
            LoginRefusalReason::CertificateHostType,
            issue(&authority, &subject, VALID, |builder| {
                builder.cert_type(CertType::Host).unwrap().valid_principal("ops").unwrap();
            }),
        ),
        (
            LoginRefusalReason::CertificateSource,
            certificate(&authority, &subject, VALID, |builder| {
                builder.critical_option("source-address", "192.0.2.0/24").unwrap();
            }),
        ),
        (
            LoginRefusalReason::CertificateCommand,
            certificate(&authority, &subject, VALID, |builder| {
                builder.critical_option("force-command", "/bin/true").unwrap();
            }),
        ),
        (
            LoginRefusalReason::CertificateRevoked,
            certificate(&authority, &subject, VALID, |builder| {
                builder.serial(4711).unwrap();
            }),
        ),
        (LoginRefusalReason::CertificateForged, forged(&good)),
    ];
    for (refusal, certificate) in cases {
        prepare(address);
        let before = server.statistics().read();
        assert!(!try_login(certificate), "{refusal}");
        let after = server.statistics().read();
        for ((reason, now), (_, then)) in after.refused.iter().zip(&before.refused) {
            assert_eq!(now - then, u64::from(*reason == refusal), "{refusal}: counted as {reason}");
        }
    }
    assert_eq!(server.statistics().read().logins_by_certificate, 1);
}

#[test]
fn review_m2_user_logins_with_sha1_signatures_are_refused() {
    let rsa: PrivateKey = RsaKeypair::random(&mut rng(), 2048).unwrap().into();
    let (server, address) = serve_with(|folder| {
        let file = folder.join("authorized_keys");
        std::fs::write(&file, rsa.public_key().to_openssh().unwrap()).unwrap();
        Authentication {
            key_files: KeyFiles::new([file.to_str().unwrap()]).unwrap(),
            ..Authentication::default()
        }
    });
    let try_login = |hash| {
        let runtime = Runtime::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut handle = client::connect(Arc::default(), address, AcceptAnyHostKey).await.unwrap();
            let key = PrivateKeyWithHashAlg::new(Arc::new(rsa.clone()), hash);
            handle.authenticate_publickey("ops", key).await.unwrap().success()
        })
    };
    assert!(try_login(Some(HashAlg::Sha512)) && try_login(Some(HashAlg::Sha256)));
    assert!(!try_login(None), "a signature with SHA-1 was accepted");
    assert_eq!(server.statistics().refused(LoginRefusalReason::SignatureAlgorithm), 1);
}

fn has_thread(name: &str) -> bool {
    let mut threads = std::fs::read_dir("/proc/self/task").unwrap();
    threads.any(|thread| {
        let file = thread.unwrap().path().join("comm");
        std::fs::read_to_string(file).is_ok_and(|thread_name| thread_name.trim() == name)
    })
}

fn key() -> PrivateKey {
    PrivateKey::random(&mut rng(), Algorithm::Ed25519).unwrap()
}

/// Issues a valid user certificate for ops, modified by `change`.
fn certificate(
    authority: &PrivateKey,
    subject: &PrivateKey,
    valid: (u64, u64),
    change: impl FnOnce(&mut Builder),
) -> Certificate {
    issue(authority, subject, valid, |builder| {
        builder.cert_type(CertType::User).unwrap().valid_principal("ops").unwrap();
        change(builder);
    })
}

fn issue(
    authority: &PrivateKey,
    subject: &PrivateKey,
    (after, before): (u64, u64),
    fill: impl FnOnce(&mut Builder),
) -> Certificate {
    let public = subject.public_key();
    let mut builder = Builder::new_with_random_nonce(&mut rng(), public, after, before).unwrap();
    fill(&mut builder);
    builder.sign(authority).unwrap()
}

/// Returns the certificate with the last octet of its signature changed.
fn forged(good: &Certificate) -> Certificate {
    let mut octets = good.to_bytes().unwrap();
    *octets.last_mut().unwrap() ^= 1;
    Certificate::from_bytes(&octets).unwrap()
}

fn serve(authority: &PrivateKey) -> (Arc<SshServer>, SocketAddr) {
    serve_with(|_| Authentication {
        authorities: Authorities::new([authority.public_key().key_data().clone()]),
        revoked: RevokedKeys::parse("serial: 4711").unwrap(),
        ..Authentication::default()
    })
}

/// Starts a server; `authentication` may write key files to the directory.
fn serve_with(authentication: impl FnOnce(&Path) -> Authentication) -> (Arc<SshServer>, SocketAddr) {
    let folder = tempfile::tempdir().unwrap();
    let host = folder.path().join("host");
    key().write_openssh_file(&host, LineEnding::LF).unwrap();
    let authentication = authentication(folder.path());
    let settings = ServerSettings::new(HostKeys::load(&[host]).unwrap(), authentication);
    let server = Arc::new(SshServer::new(settings));
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    let serving = Arc::clone(&server);
    thread::spawn(move || {
        let _folder = folder;
        let runtime = Runtime::new_current_thread().enable_all().build().unwrap();
        LocalSet::new().block_on(&runtime, async {
            let listener = TcpListener::from_std(listener).unwrap();
            loop {
                let (stream, peer) = listener.accept().await.unwrap();
                let mut connection = serving.accept(stream, ConnectionOptions::new(peer));
                tokio::task::spawn_local(async move {
                    let mut is_open = true;
                    while is_open {
                        let event = poll_fn(|context| connection.poll_event(context)).await;
                        is_open = !matches!(event, SshEvent::Closed(_));
                    }
                });
            }
        });
    });
    (server, address)
}

fn log_in(address: SocketAddr, subject: &PrivateKey, certificate: Certificate) -> bool {
    let runtime = Runtime::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut handle = client::connect(Arc::default(), address, AcceptAnyHostKey).await.unwrap();
        let key = Arc::new(subject.clone());
        handle.authenticate_openssh_cert("ops", key, certificate).await.unwrap().success()
    })
}

struct AcceptAnyHostKey;

impl client::Handler for AcceptAnyHostKey {
    type Error = russh::Error;

    fn check_server_key(
        &mut self,
        _: &PublicKeyOrCertificate,
    ) -> impl Future<Output = Result<bool, russh::Error>> {
        future::ready(Ok(true))
    }
}

/// Validity in seconds since 1970, until 2100.
const VALID: (u64, u64) = (0, 4_102_444_800);
/// The number of logins with slow signatures that use up the budget for them.
const SLOW_LOGINS: usize = 5;
