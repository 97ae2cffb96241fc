//! Definitions of all sections and options of the configuration file.

mod agent;
mod forward;
mod listen;
mod netconf;
mod notify;
mod receiver;
mod rights;
mod section;
mod session_keys;
mod sessions;
mod short_form;
mod ssh;
mod tls;
mod users;
mod words;

pub use agent::{AGENT, LOG, SYSTEM};
pub use forward::FORWARD;
pub use listen::{LIMITS, LISTEN};
pub use netconf::{NETCONF, YANG};
pub use notify::{NOTIFICATIONS, NOTIFY};
pub use receiver::{ACCEPT, HANDLER, RECEIVE, SENDER};
pub use rights::{ACCESS, CONTEXT, GROUP, VIEW};
pub use section::{OptionDefinition, Section, ValueType};
pub use sessions::{SESSION_USER, SESSIONS};
pub use ssh::SSH;
pub use tls::{TLS, TLS_NAME};
pub use users::{COMMUNITY, USER, WEAK};

/// All sections, in the order of the template.
pub static SECTIONS: &[&Section] = &[
    &AGENT,
    &SYSTEM,
    &LOG,
    &LISTEN,
    &LIMITS,
    &SSH,
    &TLS,
    &TLS_NAME,
    &NETCONF,
    &YANG,
    &SESSIONS,
    &WEAK,
    &USER,
    &SESSION_USER,
    &COMMUNITY,
    &VIEW,
    &GROUP,
    &ACCESS,
    &CONTEXT,
    &NOTIFICATIONS,
    &NOTIFY,
];

impl Section {
    /// Returns true if `key` is a section nested in this one.
    pub(crate) fn has_section(&self, key: &str) -> bool {
        let below = |section: &&Section| {
            section.name.strip_prefix(self.name)?.strip_prefix('.').map(|name| name == key)
        };
        SECTIONS.iter().find_map(below).unwrap_or_default()
    }
}
