//! `[[listen]] transport = "behind-sshd"`: sockets for sshd's subsystem.

use std::path::Path;

use portreeve_channel::DEFAULT_RELAY_SOCKET;

use super::Builder;
use crate::{
    Relay, RelayUsers,
    options::LISTEN,
    raw::RawListen,
    reader::{Located, display_escaped},
};

impl Builder<'_> {
    /// The sockets. Keys that stand where the transport has no use for them are reported, whatever the transport.
    pub(super) fn relays(&mut self, raw: &[RawListen]) -> Vec<Relay> {
        raw.iter().for_each(|listen| self.reject_keys_of_other_transports(listen));
        let mut relays: Vec<Relay> = Vec::new();
        for listen in raw.iter().filter(|listen| listen.is_behind_sshd()) {
            let relay = self.relay(listen);
            if relays.iter().any(|other| other.path == relay.path) {
                let found = format!("a socket {} is there twice", relay.path.display());
                self.problems.error(listen.position, found).hint("remove one of the two");
            }
            relays.push(relay);
        }
        relays
    }

    fn relay(&mut self, raw: &RawListen) -> Relay {
        let path = raw.path.as_ref().map_or(DEFAULT_RELAY_SOCKET, |written| &written.value);
        if let (None, Some(written)) = (Path::new(path).file_name(), &raw.path) {
            let found = format!("`path` = \"{}\" is no path of a socket", display_escaped(path));
            self.reject_value(&LISTEN, "path", written.position, found);
        }
        let group = raw.group.as_ref().map(|written| written.value.clone());
        if let (Some(""), Some(written)) = (group.as_deref(), &raw.group) {
            self.reject_value(&LISTEN, "group", written.position, "no group is called \"\"");
        }
        let users = match raw.users.as_deref() {
            None if group.is_some() => RelayUsers::All,
            None => RelayUsers::AgentAndRoot,
            Some([]) => {
                self.problems
                    .error(raw.position, "`users` lets nobody in")
                    .hint("name some, or leave `users` out");
                RelayUsers::AgentAndRoot
            }
            Some([every]) if every.value == "*" => RelayUsers::All,
            Some(names) => RelayUsers::Named(names.iter().map(|name| self.account(name)).collect()),
        };
        Relay { path: path.into(), users, group }
    }

    fn account(&mut self, name: &Located<String>) -> String {
        let is_invalid = |letter: char| letter.is_control() || matches!(letter, ':' | '/' | '*');
        if name.value.is_empty() || name.value.contains(is_invalid) {
            let found = format!("no account is called \"{}\"", display_escaped(&name.value));
            self.reject_value(&LISTEN, "users", name.position, found);
        }
        name.value.clone()
    }

    fn reject_keys_of_other_transports(&mut self, raw: &RawListen) {
        for (name, position) in &raw.given {
            let (found, hint) = match (raw.is_behind_sshd(), *name) {
                (true, "address" | "nodelay" | "window" | "key-exchanges" | "ciphers") => {
                    ("nothing comes from the network here", "remove it")
                }
                (false, "path" | "users" | "group") => {
                    ("only sshd's subsystem comes through a socket", "add transport = \"behind-sshd\"")
                }
                _ => continue,
            };
            self.problems.error(*position, format!("`{name}` does not belong here: {found}")).hint(hint);
        }
    }
}
