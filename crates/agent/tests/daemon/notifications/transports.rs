//! All versions and kinds of notifications over all transports.

use portreeve_smi::TransportDomain;

use crate::fixture::NotificationSite;

//= rfc3413#3.3-4
//= rfc3413#3.3-5
//= rfc3413#3.3-6a
//= rfc3584#4.2.3-p1
//= type=test
#[test]
fn notifications_of_all_versions_arrive_over_all_transports() {
    let site = NotificationSite::new("notify-transports");
    let receiver = site.receiver();
    let (mut targets, mut expected) = (String::new(), Vec::new());
    let mut add = |domain, version: &str, kind: &str, sender: &str, more: &str| {
        let name = format!("{domain}-{version}-{kind}").to_lowercase();
        let more = format!("kind = \"{kind}\"\n{more}");
        targets += &site.target(&name, &receiver, domain, &more);
        expected.push((domain.to_string(), format!("{version} {kind}"), sender.to_owned()));
    };
    for domain in [TransportDomain::Udp, TransportDomain::Tcp] {
        for (version, kind) in [("v1", "trap"), ("v2c", "trap"), ("v2c", "inform")] {
            let more = format!("version = \"{version}\"\ncommunity = \"public\"\n");
            add(domain, version, kind, "public noAuthNoPriv", &more);
        }
        for kind in ["trap", "inform"] {
            add(domain, "v3", kind, "traps authPriv", "user = \"traps\"\n");
        }
    }
    for kind in ["trap", "inform"] {
        add(TransportDomain::Ssh, "v3", kind, "ops authPriv", "");
        add(TransportDomain::Tls, "v3", kind, "notifier authPriv", "");
        add(TransportDomain::Dtls, "v3", kind, "notifier authPriv", "");
    }
    let _agent = site.run(&targets);
    receiver.await_count(expected.len());
    let mut arrived: Vec<_> = receiver.arrivals();
    assert!(arrived.iter().all(|arrival| arrival.name == "1.5.1"), "{arrived:?}");
    arrived.sort_by_key(|arrival| (arrival.domain.to_string(), arrival.kind.clone()));
    let arrived: Vec<_> = arrived
        .into_iter()
        .map(|arrival| (arrival.domain.to_string(), arrival.kind, arrival.sender))
        .collect();
    expected.sort();
    assert_eq!(arrived, expected, "each target gets the coldStart once");
}
