//! `[[listen]] transport = "behind-sshd"`: Unix sockets for the sshd subsystem.

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
    /// Builds the sockets. Reports options of `[[listen]]` tables that do not apply to the
    /// transport of the table.
    pub(super) fn relays(&mut self, raw: &[RawListen]) -> Vec<Relay> {
        raw.iter().for_each(|listen| self.reject_keys_of_other_transports(listen));
        let mut relays: Vec<Relay> = Vec::new();
        for listen in raw.iter().filter(|listen| listen.is_behind_sshd()) {
            let relay = self.relay(listen);
            if relays.iter().any(|other| other.path == relay.path) {
                let found = format!("duplicate socket {}", relay.path.display());
                self.problems.error(listen.position, found).hint("remove one of the two [[listen]] sections");
            }
            relays.push(relay);
        }
        relays
    }

    fn relay(&mut self, raw: &RawListen) -> Relay {
        let path = raw.path.as_ref().map_or(DEFAULT_RELAY_SOCKET, |written| &written.value);
        if let (None, Some(written)) = (Path::new(path).file_name(), &raw.path) {
            let found = format!("invalid socket path \"{}\"", display_escaped(path));
            self.reject_value(&LISTEN, "path", written.position, found);
        }
        let group = raw.group.as_ref().map(|written| written.value.clone());
        if let (Some(""), Some(written)) = (group.as_deref(), &raw.group) {
            self.reject_value(&LISTEN, "group", written.position, "`group` is empty");
        }
        let users = match raw.users.as_deref() {
            None if group.is_some() => RelayUsers::All,
            None => RelayUsers::AgentAndRoot,
            Some([]) => {
                self.problems
                    .error(raw.position, "`users` is empty: no user could connect")
                    .hint("list users, or remove `users`");
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
            let found = format!("invalid account name \"{}\"", display_escaped(&name.value));
            self.reject_value(&LISTEN, "users", name.position, found);
        }
        name.value.clone()
    }

    fn reject_keys_of_other_transports(&mut self, raw: &RawListen) {
        for (name, position) in &raw.given {
            let (found, hint) = match (raw.is_behind_sshd(), *name) {
                (true, "address" | "services" | "nodelay" | "window" | "key-exchanges" | "ciphers") => {
                    ("this listener is a Unix socket, not a network socket", "remove the line")
                }
                (false, "path" | "users" | "group") => {
                    ("this listener is not for the sshd subsystem", "add transport = \"behind-sshd\"")
                }
                _ => continue,
            };
            self.problems.error(*position, format!("`{name}` does not apply: {found}")).hint(hint);
        }
    }
}
