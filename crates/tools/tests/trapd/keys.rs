//! Certificates and SSH keys of receivers and senders.

use std::{
    fs,
    net::IpAddr,
    time::{Duration, SystemTime},
};

use portreeve_broker_protocol::{SessionOption, SessionRequest, Transport};
use portreeve_channel::{AlternativeName, HashAlgorithm, NoObserver};
use portreeve_pki::{Holder, HolderRole, Validity, X509Authority, encode_ssh_key, new_ssh_key};
use portreeve_secure_session::SessionLink;
use portreeve_snmp_manager::{Client, Credentials};
use portreeve_x509::fingerprint;

use crate::site::{Site, options};

/// Writes the keys of a receiver and of the sender `ops` to the directory of the receiver:
/// `ca.pem`, `host.pem`, `host.key`, `ops.pem`, `ops.key`, `ssh_host`, `ssh_ops`, `known_hosts` and
/// `authorized/ops`. Returns the fingerprints of the authority and of `ops`.
pub(crate) fn write(site: &Site) -> (String, String) {
    let year = Validity::from_now(SystemTime::now(), Duration::from_secs(365 * 86_400));
    let authority = X509Authority::new("authority", year).unwrap();
    let names = vec![AlternativeName::Ip(IpAddr::from([127, 0, 0, 1]))];
    let host = Holder::new(HolderRole::Host, "receiver").with_names(names);
    let mut fingerprints = vec![fingerprint(HashAlgorithm::Sha256, authority.der()).to_string()];
    for (name, holder) in [("host", host), ("ops", Holder::new(HolderRole::User, "ops"))] {
        let issued = authority.issue(&holder, year).unwrap();
        site.write_file(&format!("{name}.pem"), &issued.certificate);
        let key = String::from_utf8(issued.key.expose().to_vec()).unwrap();
        site.write_file(&format!("{name}.key"), &key);
        fingerprints.push(fingerprint(HashAlgorithm::Sha256, &issued.der).to_string());
    }
    site.write_file("ca.pem", &authority.pem());
    fs::create_dir_all(site.path.join("authorized")).unwrap();
    for name in ["ssh_host", "ssh_ops"] {
        let key = new_ssh_key(name).unwrap();
        let text = encode_ssh_key(&key, None).unwrap();
        site.write_file(name, std::str::from_utf8(text.expose()).unwrap());
        let public = key.public_key().to_openssh().unwrap();
        match name {
            "ssh_host" => {
                let line = format!("[127.0.0.1]:{} {public}\n", site.port + SSH);
                site.write_file("known_hosts", &line);
            }
            _ => drop(site.write_file("authorized/ops", &format!("{public}\n"))),
        }
    }
    (fingerprints.remove(0), fingerprints.remove(1))
}

/// Returns the sections for listeners over SSH, TLS and DTLS, and the rule that accepts `ops`.
pub(crate) fn sections(site: &Site, authority: &str) -> String {
    let listeners = [("ssh", SSH), ("tls", TLS), ("dtls", TLS)].map(|(transport, offset)| {
        let port = site.port + offset;
        format!("[[listen]]\ntransport = \"{transport}\"\naddress = \"127.0.0.1:{port}\"\n")
    });
    format!(
        "{}[ssh]\nhost-keys = [\"ssh_host\"]\nauthorized-keys = [\"authorized/%u\"]\n\
         [tls]\ncertificate = \"host.pem\"\nkey = \"host.key\"\nauthorities = [\"ca.pem\"]\n\
         [[tls.name]]\nfingerprint = \"{authority}\"\nmap = \"common-name\"\n\
         [[accept]]\nname = \"ops\"\nmodel = \"tsm\"\n",
        listeners.concat()
    )
}

/// Opens a session as `ops`.
pub(crate) fn open(site: &Site, transport: Transport) -> Client {
    let file = |name: &str| site.path.join(name).display().to_string();
    let is_ssh = transport == Transport::Ssh;
    let request = SessionRequest {
        persist: Duration::ZERO,
        timeout: Duration::from_secs(20),
        transport,
        user: if is_ssh { "ops".to_owned() } else { String::new() },
        host: "127.0.0.1".to_owned(),
        port: site.port + if is_ssh { SSH } else { TLS },
        family: None,
        options: vec![
            (SessionOption::Home, file("home")),
            (SessionOption::SshIdentity, file("ssh_ops")),
            (SessionOption::KnownHosts, file("known_hosts")),
            (SessionOption::Certificate, file("ops.pem")),
            (SessionOption::PrivateKey, file("ops.key")),
            (SessionOption::Authority, file("ca.pem")),
        ],
    };
    let link = SessionLink::open(&request, &NoObserver).unwrap_or_else(|error| panic!("{error:?}"));
    Client::with_link(link, Credentials::Transport, &options())
}

/// The distance of the ports from that for UDP.
pub(crate) const SSH: u16 = 50;
pub(crate) const TLS: u16 = 100;
