//! Sessions that the agent opens to send notifications, and receivers that prevent this. Each
//! counter is raised by a receiver that causes it.

use std::net::TcpListener;

use portreeve_mib::{
    Object,
    modules::{ssh_tm_mib::*, tls_tm_mib::*},
};
use portreeve_smi::{TransportDomain, Value};
use portreeve_x509::certificate_facts;
use rcgen::{ExtendedKeyUsagePurpose, KeyPair, SanType, date_time_ymd};

use super::fail_authentication;
use crate::fixture::{Behavior, NotificationSite, SshService, authority, params, wait_until};

/// Counters, with their values.
type Counts<'c> = &'c [(&'static Object, u64)];

//= rfc5592#5.3-1
//= rfc5592#5.4-1
//= rfc6353#5.3.1-1
//= rfc6353#5.4-1-p2
//= type=test
#[test]
fn sessions_that_the_agent_opens_and_closes_are_counted() {
    let site = NotificationSite::new("notify-opened");
    let receiver = site.receiver();
    let targets = [TransportDomain::Ssh, TransportDomain::Tls, TransportDomain::Dtls]
        .map(|domain| site.target(&domain.to_string(), &receiver, domain, ""))
        .concat();
    let before = std::fs::read_to_string(site.agent.home.config()).unwrap();
    let agent = site.run(&targets);
    receiver.await_count(3);
    assert_counts(&site, &[(&SNMP_SSHTM_SESSION_OPENS, 1), (&SNMP_TLSTM_SESSION_OPENS, 2)]);
    assert_counts(&site, &[(&SNMP_SSHTM_SESSION_CLOSES, 0), (&SNMP_TLSTM_SESSION_CLIENT_CLOSES, 0)]);
    site.await_status(r#""acknowledged":1"#);
    // A target without rows and without informs needs no session.
    site.agent.home.write(&before);
    agent.reload_and_wait();
    await_counts(&site, &[(&SNMP_SSHTM_SESSION_CLOSES, 1), (&SNMP_TLSTM_SESSION_CLIENT_CLOSES, 2)]);
    assert_counts(&site, &[(&SNMP_SSHTM_SESSION_OPEN_ERRORS, 0), (&SNMP_TLSTM_SESSION_OPEN_ERRORS, 0)]);
}

//= rfc5592#5.2-3a
//= rfc5592#5.2-3b
//= rfc6353#5.2-4
//= rfc6353#5.2-5a
//= rfc6353#5.2-5b
//= type=test
#[test]
fn open_session_is_used_again_and_one_that_has_ended_is_replaced() {
    let site = NotificationSite::new("notify-replaced");
    let mut receiver = site.receiver();
    let targets = FAILURES.to_owned()
        + &site.target("ssh", &receiver, TransportDomain::Ssh, "kind = \"trap\"\n")
        + &site.target("tls", &receiver, TransportDomain::Tls, "kind = \"trap\"\n");
    let _agent = site.run(&targets);
    receiver.await_count(2);
    fail_authentication(&site.agent.home, 1);
    receiver.await_count(4);
    assert_counts(&site, &[(&SNMP_SSHTM_SESSION_OPENS, 1), (&SNMP_TLSTM_SESSION_OPENS, 1)]);
    receiver.start_again(&site.receiver_file());
    fail_authentication(&site.agent.home, 1);
    receiver.await_count(6);
    assert_counts(&site, &[(&SNMP_SSHTM_SESSION_OPENS, 2), (&SNMP_TLSTM_SESSION_OPENS, 2)]);
}

#[test]
fn reload_without_a_change_of_the_target_keeps_its_sessions() {
    let site = NotificationSite::new("notify-kept");
    let receiver = site.receiver();
    let targets = FAILURES.to_owned()
        + &site.target("ssh", &receiver, TransportDomain::Ssh, "")
        + &site.target("tls", &receiver, TransportDomain::Tls, "");
    let agent = site.run(&targets);
    receiver.await_count(2);
    site.agent.home.append("[[community]]\nname = \"another\"\naccess = \"read\"\n");
    agent.reload_and_wait();
    fail_authentication(&site.agent.home, 1);
    receiver.await_count(4);
    assert_counts(&site, &[(&SNMP_SSHTM_SESSION_OPENS, 1), (&SNMP_TLSTM_SESSION_OPENS, 1)]);
    assert_counts(&site, &[(&SNMP_SSHTM_SESSION_CLOSES, 0), (&SNMP_TLSTM_SESSION_CLIENT_CLOSES, 0)]);
}

//= rfc5592#5.4-2
//= rfc6353#5.4-3
//= type=test
#[test]
fn session_that_has_ended_is_closed_once() {
    let site = NotificationSite::new("notify-ended");
    let mut receiver = site.receiver();
    let targets = site.target("ssh", &receiver, TransportDomain::Ssh, "")
        + &site.target("tls", &receiver, TransportDomain::Tls, "");
    let before = std::fs::read_to_string(site.agent.home.config()).unwrap();
    let agent = site.run(&targets);
    receiver.await_count(2);
    receiver.stop();
    let closes = [(&SNMP_SSHTM_SESSION_CLOSES, 1), (&SNMP_TLSTM_SESSION_CLIENT_CLOSES, 1)];
    await_counts(&site, &closes);
    site.agent.home.write(&before);
    agent.reload_and_wait();
    wait_until("the removal of the targets", || !site.status().contains(r#""name":"ssh""#));
    assert_counts(&site, &closes);
}

//= rfc3413#3.3-6d
//= type=test
#[test]
fn inform_that_the_receiver_rejects_with_a_report_is_sent_again() {
    let site = NotificationSite::new("notify-report");
    let mut receiver = site.receiver();
    let file = site.receiver_file();
    let config = std::fs::read_to_string(&file).unwrap();
    let with_user = |phrase: &str| config.replace("over the hills", phrase);
    std::fs::write(&file, with_user("under the hills")).unwrap();
    receiver.start_again(&file);
    let options = "user = \"traps\"\ntimeout = 1\nretries = 0\n";
    let _agent = site.run(&site.target("noc", &receiver, TransportDomain::Udp, options));
    await_queued(&site, "digest");
    assert!(receiver.arrivals().is_empty());
    std::fs::write(&file, with_user("over the hills")).unwrap();
    receiver.start_again(&file);
    receiver.await_count(1);
    site.await_status(r#""queued":0"#);
}

//= rfc5592#5.2-3b-p2
//= rfc5592#5.3-3-p2
//= type=test
#[test]
fn receiver_that_rejects_the_ssh_key_gets_nothing() {
    let site = NotificationSite::new("notify-login");
    let receiver = site.receiver();
    let target = site.target("noc", &receiver, TransportDomain::Ssh, "");
    let _agent = site.run(&target.replace("id_ops", "id_unlisted"));
    await_counts(&site, &[(&SNMP_SSHTM_SESSION_USER_AUTH_FAILURES, 1), (&SNMP_SSHTM_SESSION_OPEN_ERRORS, 1)]);
    await_queued(&site, "authenticating to the server");
    assert!(receiver.arrivals().is_empty());
}

//= rfc5592#5.3-4-p2
//= type=test
#[test]
fn receiver_without_session_channel_is_counted() {
    let site = NotificationSite::new("notify-channel");
    let receiver = site.receiver_with(SshService::NoChannel);
    let _agent = site.run(&site.target("noc", &receiver, TransportDomain::Ssh, ""));
    await_counts(&site, &[(&SNMP_SSHTM_SESSION_NO_CHANNELS, 1), (&SNMP_SSHTM_SESSION_OPEN_ERRORS, 1)]);
    assert_counts(&site, &[(&SNMP_SSHTM_SESSION_NO_SUBSYSTEMS, 0)]);
    await_queued(&site, "did not open a session channel");
}

//= rfc5592#5.3-5-p2
//= type=test
#[test]
fn receiver_without_the_subsystem_is_counted_and_its_traps_are_discarded() {
    let site = NotificationSite::new("notify-subsystem");
    let receiver = site.receiver_with(SshService::NoSubsystem);
    let _agent = site.run(&site.target("noc", &receiver, TransportDomain::Ssh, "kind = \"trap\"\n"));
    await_counts(&site, &[(&SNMP_SSHTM_SESSION_NO_SUBSYSTEMS, 1), (&SNMP_SSHTM_SESSION_OPEN_ERRORS, 1)]);
    assert_counts(&site, &[(&SNMP_SSHTM_SESSION_NO_CHANNELS, 0)]);
    site.await_status(r#""traps-sent":0,"traps-discarded":1"#);
    assert!(site.status().contains("the server has no subsystem"), "{}", site.status());
}

/// The host key is the receiver's identity: a peer with another key may be an attacker.
#[test]
fn receiver_with_another_host_key_gets_nothing_until_the_key_is_known() {
    let site = NotificationSite::new("notify-host-key");
    let receiver = site.receiver();
    let target = site.target("noc", &receiver, TransportDomain::Ssh, "");
    let port = receiver.port(TransportDomain::Ssh);
    site.trust_host_key("another_host", 11, port);
    let agent = site.run(&target);
    await_counts(&site, &[(&SNMP_SSHTM_SESSION_OPEN_ERRORS, 1)]);
    await_queued(&site, "verifying the server");
    assert!(receiver.arrivals().is_empty());
    agent.await_log("notifications cannot be delivered");
    assert_eq!(agent.log().matches("notifications cannot be delivered").count(), 1, "{}", agent.log());
    site.trust_host_key("receiver_host", 10, port);
    receiver.await_count(1);
    site.await_status(r#""queued":0"#);
    agent.await_log("notifications are delivered again");
}

/// No user could verify the key that `accept-new` would store.
#[test]
fn unknown_host_key_is_rejected_although_ssh_config_accepts_new_keys() {
    let site = NotificationSite::new("notify-new-host");
    let receiver = site.receiver();
    let target = site.target("noc", &receiver, TransportDomain::Ssh, "");
    let home = &site.agent.home.path;
    std::fs::write(home.join("receivers"), "").unwrap();
    std::fs::create_dir_all(home.join("state/.ssh")).unwrap();
    std::fs::write(home.join("state/.ssh/config"), "Host *\n    StrictHostKeyChecking accept-new\n").unwrap();
    let _agent = site.run(&target);
    await_queued(&site, "verifying the server");
    assert!(receiver.arrivals().is_empty());
    assert_eq!(std::fs::read_to_string(home.join("receivers")).unwrap(), "");
}

//= rfc6353#5.2-5b-p2
//= rfc6353#5.3.1-3-p2
//= type=test
#[test]
fn receiver_whose_certificate_is_unknown_or_invalid_gets_nothing() {
    let unknown = |site: &NotificationSite| {
        let other = authority("other");
        let key = KeyPair::generate().unwrap();
        let certificate = server().signed_by(&key, &other).unwrap();
        site.agent.store_certificate("wrong", &certificate.pem(), &key);
    };
    let expired = |site: &NotificationSite| {
        let mut certificate = server();
        certificate.not_after = date_time_ymd(2020, 1, 1);
        site.agent.issue_certificate("wrong", certificate);
    };
    let unnamed = |site: &NotificationSite| {
        let mut certificate = server();
        certificate.subject_alt_names = vec![SanType::IpAddress([127, 0, 0, 9].into())];
        site.agent.issue_certificate("wrong", certificate);
    };
    type Issue<'i> = &'i dyn Fn(&NotificationSite);
    let cases: [(&str, Issue<'_>, &'static Object); 3] = [
        ("unknown", &unknown, &SNMP_TLSTM_SESSION_UNKNOWN_SERVER_CERTIFICATE),
        ("expired", &expired, &SNMP_TLSTM_SESSION_INVALID_SERVER_CERTIFICATES),
        ("unnamed", &unnamed, &SNMP_TLSTM_SESSION_INVALID_SERVER_CERTIFICATES),
    ];
    for (name, issue, counter) in cases {
        for domain in [TransportDomain::Tls, TransportDomain::Dtls] {
            let site = NotificationSite::new(&format!("notify-{name}-{domain}"));
            issue(&site);
            site.write_receiver("receiver_host", "wrong");
            let receiver = site.receiver();
            let _agent = site.run(&site.target("noc", &receiver, domain, ""));
            await_counts(&site, &[(counter, 1), (&SNMP_TLSTM_SESSION_OPEN_ERRORS, 1)]);
            let both = [
                &SNMP_TLSTM_SESSION_UNKNOWN_SERVER_CERTIFICATE,
                &SNMP_TLSTM_SESSION_INVALID_SERVER_CERTIFICATES,
            ];
            let total: u64 = both.map(|counter| count(&site, counter)).iter().sum();
            assert_eq!(total, count(&site, counter), "{name} over {domain}");
            await_queued(&site, "verifying the server");
            assert!(receiver.arrivals().is_empty(), "{name} over {domain}");
        }
    }
}

//= rfc6353#5.3.1-3-p2
//= type=test
#[test]
fn other_targets_are_notified_once_of_a_certificate_that_is_not_trusted() {
    let site = NotificationSite::new("notify-attack");
    let other = authority("other");
    let key = KeyPair::generate().unwrap();
    let certificate = server().signed_by(&key, &other).unwrap();
    site.agent.store_certificate("unknown", &certificate.pem(), &key);
    let mut unnamed = server();
    unnamed.subject_alt_names = vec![SanType::IpAddress([127, 0, 0, 9].into())];
    site.agent.issue_certificate("unnamed", unnamed);
    let good = site.receiver();
    site.write_receiver("receiver_host", "unknown");
    let unknown = site.receiver();
    site.write_receiver("receiver_host", "unnamed");
    let unnamed = site.receiver();
    let targets = site.target("unknown", &unknown, TransportDomain::Tls, "")
        + &site.target("unnamed", &unnamed, TransportDomain::Dtls, "")
        + &site.target("good", &good, TransportDomain::Tls, "");
    let _agent = site.run(&targets);
    // Several attempts to reach each of them fail.
    await_counts(
        &site,
        &[
            (&SNMP_TLSTM_SESSION_UNKNOWN_SERVER_CERTIFICATE, 2),
            (&SNMP_TLSTM_SESSION_INVALID_SERVER_CERTIFICATES, 2),
        ],
    );
    good.await_count(3);
    let mut names: Vec<_> = good.arrivals().into_iter().map(|arrival| arrival.name).collect();
    names.sort();
    assert_eq!(names, ["0.1", "0.2", "1.5.1"]);
}

/// A server of TLS 1.3 rejects the certificate of a client after the client has sent its first
/// message.
#[test]
fn receiver_that_rejects_the_certificate_gets_nothing() {
    let site = NotificationSite::new("notify-rejected");
    let receiver = site.receiver();
    let other = authority("other");
    let key = KeyPair::generate().unwrap();
    let certificate = params("notifier").signed_by(&key, &other).unwrap();
    site.agent.store_certificate("notifier", &certificate.pem(), &key);
    let targets = FAILURES.to_owned()
        + &site.target("traps", &receiver, TransportDomain::Tls, "kind = \"trap\"\n")
        + &site.target(
            "informs",
            &receiver,
            TransportDomain::Dtls,
            "exclude = [\"authenticationFailure\"]\n",
        );
    let agent = site.run(&targets);
    await_counts(&site, &[(&SNMP_TLSTM_SESSION_OPEN_ERRORS, 2)]);
    for discarded in 1..4 {
        site.await_status(&format!(r#""traps-sent":0,"traps-discarded":{discarded}"#));
        fail_authentication(&site.agent.home, 1);
    }
    let logged = agent.log().lines().filter(|line| line.contains("target=traps")).count();
    assert_eq!(logged, 2, "a failure, and discards: {}", agent.log());
    await_queued(&site, "it may not accept the certificate of this agent");
    assert!(receiver.arrivals().is_empty());
}

//= rfc6353#5.3.1-2
//= type=test
#[test]
fn certificate_with_the_fingerprint_of_the_parameters_is_presented() {
    let site = NotificationSite::new("notify-fingerprint");
    let receiver = site.receiver();
    site.agent.issue_certificate("other", params("other"));
    let targets = FAILURES.to_owned() + &site.target("noc", &receiver, TransportDomain::Tls, "");
    let _agent = site.run(&targets);
    receiver.await_count(1);
    let fingerprint = |who: &str| {
        let leaf = site.agent.credentials(who).chain()[0].clone();
        certificate_facts(&leaf).unwrap().fingerprints[2].to_octets()
    };
    let set = |who: &str, status: i32| {
        let index: Vec<u32> = b"noc".iter().map(|octet| u32::from(*octet)).collect();
        let row = [
            (&SNMP_TLSTM_PARAMS_CLIENT_FINGERPRINT, Value::OctetString(&fingerprint(who))),
            (&SNMP_TLSTM_PARAMS_ROW_STATUS, Value::Integer(status)),
        ];
        site.agent.home.writer().set(&row.map(|(object, value)| (object, &index[..], value))).unwrap();
        fail_authentication(&site.agent.home, 1);
    };
    // No file of the agent has this certificate.
    set("other", 4);
    await_queued(&site, "snmpTlstmParamsClientFingerprint");
    set("notifier", 1);
    receiver.await_count(3);
    site.await_status(r#""queued":0"#);
}

#[test]
fn receivers_that_accept_and_never_answer_delay_only_their_own_informs() {
    let site = NotificationSite::new("notify-silent");
    let (silent, answering) = (site.receiver(), site.receiver());
    silent.behave(Behavior::Silent);
    // Connections are accepted by the kernel, and nothing reads from them.
    let deaf = TcpListener::bind("127.0.0.1:0").unwrap();
    let deaf_port = deaf.local_addr().unwrap().port();
    let options = "timeout = 1\nretries = 0\n";
    let mut targets = site.target("answering", &answering, TransportDomain::Tls, options);
    for domain in [TransportDomain::Tcp, TransportDomain::Ssh, TransportDomain::Tls, TransportDomain::Dtls] {
        let more = match domain {
            TransportDomain::Tcp => format!("{options}version = \"v2c\"\ncommunity = \"public\"\n"),
            _ => options.to_owned(),
        };
        let silent_target = site.target(&format!("silent-{domain}"), &silent, domain, &more);
        if domain != TransportDomain::Dtls {
            let from = format!("127.0.0.1:{}", silent.port(domain));
            let deaf_target = silent_target.replace(&from, &format!("127.0.0.1:{deaf_port}"));
            targets += &deaf_target.replace("silent-", "deaf-");
        }
        targets += &silent_target;
    }
    let _agent = site.run(&targets);
    answering.await_count(1);
    // Each session is replaced after the timeout, and the inform is sent again.
    silent.await_count(8);
    await_counts(&site, &[(&SNMP_SSHTM_SESSION_OPEN_ERRORS, 1), (&SNMP_TLSTM_SESSION_OPEN_ERRORS, 1)]);
    let status = site.status();
    assert_eq!(status.matches(r#""queued":1,"#).count(), 7, "{status}");
    assert_eq!(status.matches(r#""acknowledged":1,"#).count(), 1, "{status}");
    silent.behave(Behavior::Acknowledges);
    wait_until("acknowledgements", || site.status().matches(r#""acknowledged":1,"#).count() == 5);
}

#[test]
fn inform_that_the_receiver_cannot_store_is_sent_again() {
    let site = NotificationSite::new("notify-gen-err");
    let receiver = site.receiver();
    receiver.behave(Behavior::Fails);
    let _agent = site.run(&site.target("noc", &receiver, TransportDomain::Tls, ""));
    await_queued(&site, "the receiver answered genErr");
    receiver.behave(Behavior::Acknowledges);
    site.await_status(r#""queued":0"#);
    let arrivals = receiver.arrivals();
    assert!(arrivals.len() >= 2 && arrivals.iter().all(|one| *one == arrivals[0]), "{arrivals:?}");
}

/// Waits until the only inform is in its queue, with an error that contains `reason`.
fn await_queued(site: &NotificationSite, reason: &str) {
    wait_until(&format!("a queued inform and the error {reason:?}"), || {
        let status = site.status();
        let error = status.split(r#""last-error":{"#).nth(1).unwrap_or_default();
        status.contains(r#""queued":1,"#) && (error.contains(reason) || status.contains(reason))
    });
}

fn await_counts(site: &NotificationSite, counts: Counts<'_>) {
    for (counter, min) in counts {
        let what = format!("{} of at least {min}", counter.name);
        wait_until(&what, || count(site, counter) >= *min);
    }
}

#[track_caller]
fn assert_counts(site: &NotificationSite, counts: Counts<'_>) {
    for (counter, expected) in counts {
        assert_eq!(count(site, counter), *expected, "{}", counter.name);
    }
}

fn count(site: &NotificationSite, counter: &Object) -> u64 {
    site.agent.home.reader().number(counter)
}

/// Returns the parameters of a valid certificate of the receiver.
fn server() -> rcgen::CertificateParams {
    let mut certificate = params("receiver");
    certificate.subject_alt_names.push(SanType::IpAddress([127, 0, 0, 1].into()));
    certificate.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    certificate
}

const FAILURES: &str =
    "[notifications]\nauthentication-failures = true\nauthentication-failure-rate = 1000\n";
