//! `--show-sender-config`: the lines that senders need to reach this receiver. Secrets are
//! placeholders.

mod quoting;

use std::{collections::BTreeSet, fs};

use portreeve_config::Listener;
use portreeve_smi::{SecurityModel, TransportDomain};
use portreeve_snmp_apps::NotificationRule;

use super::settings::{Settings, UserProtocols};
use quoting::{comment, conf_word, shell_word, toml_string};

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
    match (text.is_empty(), settings.rules.is_empty()) {
        (true, true) => text += "# nothing is accepted: add [[accept]] to the configuration\n",
        (true, false) => {
            text += "# no principal that is accepted can reach this receiver: add its [[user]] or [[community]], \
                     or a listener for its security model\n";
        }
        (false, _) => {}
    }
    text
}

/// Returns the lines for one principal, over every transport that authenticates it.
fn principal(settings: &Settings, name: &str) -> String {
    let users = settings.users(name);
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
        if is_secure && users.is_empty() && !is_community && applies(SecurityModel::TSM) {
            all.insert(in_session(name, listener));
        }
        if !is_secure && applies(SecurityModel::USM) {
            all.extend(users.iter().map(|user| by_user(name, user, listener)));
        }
        if !is_secure && is_community {
            if applies(SecurityModel::SNMP_V2C) {
                all.insert(by_community(name, listener));
            } else if applies(SecurityModel::SNMP_V1) {
                all.insert(by_community_in_v1(name, listener));
            }
        }
    }
    all.into_iter().collect()
}

/// Returns the lines for informs or, if the user exists only on an engine that sends traps, for
/// traps of that engine.
fn by_user(name: &str, user: &UserProtocols, listener: &Listener) -> String {
    let level = user.level();
    let mut options = format!(" -l {level}");
    if let Some(auth) = user.auth {
        options += &format!(" -a {} -A 'AUTH PASS PHRASE'", auth.name());
    }
    if let Some(privacy) = user.privacy {
        options += &format!(" -x {} -X 'PRIV PASS PHRASE'", privacy.name());
    }
    let (to, title, user_name) = (address(listener), comment(name), toml_string(name));
    let (shell, conf) = (shell_word(name), conf_word(name));
    let notify =
        format!("[[notify]]\nname = \"receiver\"\nto = \"{to}\"\nuser = {user_name}\nlevel = \"{level}\"\n");
    match user.engine_id {
        None => format!(
            "# {title}: portreeved.toml, which has a [[user]] with this name\n{notify}\
             # {title}: command\nportreeve inform -v3 -u {shell}{options} {to} '' OID\n\
             # {title}: snmpd.conf of Net-SNMP\ntrapsess -Ci -v3 -u {conf}{options} {to}\n\n"
        ),
        Some(engine) => format!(
            "# {title}: portreeved.toml, which has engine-id = \"{engine}\" in [agent], and a [[user]] with this \
             name\n{notify}kind = \"trap\"\n\
             # {title}: command\nportreeve trap -v3 -e {engine} -u {shell}{options} {to} '' OID\n\
             # {title}: snmpd.conf of Net-SNMP\ntrapsess -v3 -e {engine} -u {conf}{options} {to}\n\n"
        ),
    }
}

fn by_community(name: &str, listener: &Listener) -> String {
    let (to, title) = (address(listener), comment(name));
    format!(
        "# {title}: portreeved.toml\n[[notify]]\n\
         name = \"receiver\"\nto = \"{to}\"\nversion = \"v2c\"\ncommunity = \"COMMUNITY\"\n\
         # {title}: command\nportreeve inform -v2c -c COMMUNITY {to} '' OID\n\
         # {title}: snmpd.conf of Net-SNMP\ninformsink {to} COMMUNITY\n\n"
    )
}

fn by_community_in_v1(name: &str, listener: &Listener) -> String {
    let (to, title) = (address(listener), comment(name));
    format!(
        "# {title}: portreeved.toml\n[[notify]]\n\
         name = \"receiver\"\nto = \"{to}\"\nversion = \"v1\"\ncommunity = \"COMMUNITY\"\n\
         # {title}: command\nportreeve trap -v1 -c COMMUNITY {to} ENTERPRISE '' 6 NUMBER ''\n\
         # {title}: snmpd.conf of Net-SNMP\ntrapsink {to} COMMUNITY\n\n"
    )
}

fn in_session(name: &str, listener: &Listener) -> String {
    let (to, title) = (address(listener), comment(name));
    match listener.transport {
        TransportDomain::Ssh => {
            let (_, place) = to.split_once(':').unwrap_or_default();
            let target = toml_string(&format!("ssh:{name}@{place}"));
            let operand = shell_word(&format!("ssh://{name}@{place}"));
            format!(
                "# {title}: portreeved.toml\n[[notify]]\n\
                 name = \"receiver\"\nto = {target}\n\
                 ssh-key = \"FILE\"        # a private key with which {title} may log in\n\
                 known-hosts = \"FILE\"    # contains the host key of this receiver\n\
                 # {title}: command\nportreeve inform --identity FILE {operand} '' OID\n\n"
            )
        }
        _ => format!(
            "# {title}: portreeved.toml\n[[notify]]\n\
             name = \"receiver\"\nto = \"{to}\"\n\
             certificate = \"FILE\"    # a certificate that is mapped to {title}\n\
             key = \"FILE\"\nauthorities = [\"FILE\"]  # of the certificate of this receiver\n\
             # {title}: command\nportreeve inform --certificate FILE --key FILE --ca FILE {to} '' OID\n\
             {}\n",
            net_snmp_session(&title, listener)
        ),
    }
}

/// Returns the line for snmpd.conf; none over TLS, which Net-SNMP 5.9 cannot use as a client.
fn net_snmp_session(title: &str, listener: &Listener) -> String {
    if listener.transport != TransportDomain::Dtls {
        return String::new();
    }
    let to = address(listener).replacen("dtls:", "dtlsudp:", 1);
    format!(
        "# {title}: snmpd.conf of Net-SNMP, with the names of certificates in its directory tls\n\
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
