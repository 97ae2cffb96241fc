//! `--show-sender-config`: the lines that senders need to reach this receiver. Secrets are
//! placeholders.

use std::{collections::BTreeSet, fs};

use portreeve_config::Listener;
use portreeve_smi::{SecurityModel, TransportDomain};
use portreeve_snmp_apps::NotificationRule;

use super::settings::{Settings, UserProtocols};

/// Returns the lines.
pub(crate) fn lines(settings: &Settings) -> String {
    let mut text = String::new();
    let mut principals = BTreeSet::new();
    for rule in &settings.rules {
        let names = match &rule.security_name {
            Some(name) => vec![String::from_utf8_lossy(name).into_owned()],
            None => {
                text += "# every principal is accepted, also over SSH, TLS and DTLS\n\n";
                settings.principals()
            }
        };
        for name in names {
            if principals.insert(name.clone()) {
                text += &principal(settings, &name);
            }
        }
    }
    if text.is_empty() {
        text += "# nothing is accepted: add [[accept]] to the configuration\n";
    }
    text
}

/// Returns the lines for one principal, over every transport that authenticates it.
fn principal(settings: &Settings, name: &str) -> String {
    let user = settings.user(name);
    let is_community = settings.is_community(name);
    let applies = |model| {
        let is_rule = |rule: &&NotificationRule| {
            rule.security_name.as_ref().is_none_or(|own| own == name.as_bytes())
                && rule.security_model.is_none_or(|own| own == model)
        };
        settings.rules.iter().any(|rule| is_rule(&rule))
    };
    let mut all = BTreeSet::new();
    for listener in &settings.shared.listeners {
        let is_secure = listener.transport.is_secure();
        if is_secure && user.is_none() && !is_community && applies(SecurityModel::TSM) {
            all.insert(in_session(name, listener));
        }
        if let (false, Some(user), true) = (is_secure, &user, applies(SecurityModel::USM)) {
            all.insert(by_user(name, user, listener));
        }
        if !is_secure && is_community && applies(SecurityModel::SNMP_V2C) {
            all.insert(by_community(name, listener));
        }
    }
    all.into_iter().collect()
}

fn by_user(name: &str, user: &UserProtocols, listener: &Listener) -> String {
    let level = user.level();
    let mut options = format!("-v3 -u {name} -l {level}");
    if let Some(auth) = user.auth {
        options += &format!(" -a {} -A 'AUTH PASS PHRASE'", auth.name());
    }
    if let Some(privacy) = user.privacy {
        options += &format!(" -x {} -X 'PRIV PASS PHRASE'", privacy.name());
    }
    let to = address(listener);
    format!(
        "# {name}: portreeved.toml, which has a [[user]] with this name\n[[notify]]\n\
         name = \"receiver\"\nto = \"{to}\"\nuser = \"{name}\"\nlevel = \"{level}\"\n\
         # {name}: command\nportreeve inform {options} {to} '' OID\n\
         # {name}: snmpd.conf of Net-SNMP\ntrapsess -Ci {options} {to}\n\n"
    )
}

fn by_community(name: &str, listener: &Listener) -> String {
    let to = address(listener);
    format!(
        "# {name}: portreeved.toml\n[[notify]]\n\
         name = \"receiver\"\nto = \"{to}\"\nversion = \"v2c\"\ncommunity = \"COMMUNITY\"\n\
         # {name}: command\nportreeve inform -v2c -c COMMUNITY {to} '' OID\n\
         # {name}: snmpd.conf of Net-SNMP\ninformsink {to} COMMUNITY\n\n"
    )
}

fn in_session(name: &str, listener: &Listener) -> String {
    let to = address(listener);
    match listener.transport {
        TransportDomain::Ssh => {
            let (_, place) = to.split_once(':').unwrap_or_default();
            format!(
                "# {name}: portreeved.toml\n[[notify]]\n\
                 name = \"receiver\"\nto = \"ssh:{name}@{place}\"\n\
                 ssh-key = \"FILE\"        # a private key with which {name} may log in\n\
                 known-hosts = \"FILE\"    # contains the host key of this receiver\n\
                 # {name}: command\nportreeve inform --identity FILE ssh://{name}@{place} '' OID\n\n"
            )
        }
        _ => format!(
            "# {name}: portreeved.toml\n[[notify]]\n\
             name = \"receiver\"\nto = \"{to}\"\n\
             certificate = \"FILE\"    # a certificate that is mapped to {name}\n\
             key = \"FILE\"\nauthorities = [\"FILE\"]  # of the certificate of this receiver\n\
             # {name}: command\nportreeve inform --certificate FILE --key FILE --ca FILE {to} '' OID\n\
             {}\n",
            net_snmp_session(name, listener)
        ),
    }
}

/// Returns the line for snmpd.conf; none over TLS, which Net-SNMP 5.9 cannot use as a client.
fn net_snmp_session(name: &str, listener: &Listener) -> String {
    if listener.transport != TransportDomain::Dtls {
        return String::new();
    }
    let to = address(listener).replacen("dtls:", "dtlsudp:", 1);
    format!(
        "# {name}: snmpd.conf of Net-SNMP, with the names of certificates in its directory tls\n\
         trapsess -Ci -v3 -T our_identity=OWN -T their_identity=RECEIVER -T trust_cert=AUTHORITY {to}\n"
    )
}

/// Returns the address of a listener as senders write it, with the name of this machine if it
/// listens on all addresses.
fn address(listener: &Listener) -> String {
    let (transport, address) = (listener.transport, listener.address);
    if address.ip().is_unspecified() {
        if !transport.is_secure() {
            // Targets over UDP and TCP need an address.
            return format!("{transport}:ADDRESS:{}", address.port());
        }
        let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        return format!("{transport}:{}:{}", name.trim(), address.port());
    }
    format!("{transport}:{address}")
}
