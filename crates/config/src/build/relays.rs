//! `[[listen]] transport = "behind-sshd"`: sockets for sshd's subsystem.

use std::path::Path;

use portreeve_channel::RELAY_SOCKET;

use super::Builder;
use crate::{
    Relay, RelayUsers,
    options::LISTEN,
    raw::RawListen,
    reader::{Written, shown},
};

impl Builder<'_> {
    /// The sockets. Keys that stand where the transport has no use for them are reported, whatever the transport.
    pub(super) fn relays(&mut self, raw: &[RawListen]) -> Vec<Relay> {
        raw.iter().for_each(|listen| self.refuse_keys_of_other_transports(listen));
        let mut relays: Vec<Relay> = Vec::new();
        for listen in raw.iter().filter(|listen| listen.is_behind_sshd()) {
            let relay = self.relay(listen);
            if relays.iter().any(|other| other.path == relay.path) {
                let found = format!("a socket {} is there twice", relay.path.display());
                self.problems.error(listen.place, found).hint("remove one of the two");
            }
            relays.push(relay);
        }
        relays
    }

    fn relay(&mut self, raw: &RawListen) -> Relay {
        let path = raw.path.as_ref().map_or(RELAY_SOCKET, |written| &written.value);
        if let (None, Some(written)) = (Path::new(path).file_name(), &raw.path) {
            let found = format!("`path` = \"{}\" is no path of a socket", shown(path));
            self.refuse(&LISTEN, "path", written.place, found);
        }
        let group = raw.group.as_ref().map(|written| written.value.clone());
        if let (Some(""), Some(written)) = (group.as_deref(), &raw.group) {
            self.refuse(&LISTEN, "group", written.place, "no group is called \"\"");
        }
        let users = match raw.users.as_deref() {
            None if group.is_some() => RelayUsers::All,
            None => RelayUsers::Ours,
            Some([]) => {
                self.problems
                    .error(raw.place, "`users` lets nobody in")
                    .hint("name some, or leave `users` out");
                RelayUsers::Ours
            }
            Some([every]) if every.value == "*" => RelayUsers::All,
            Some(names) => RelayUsers::Named(names.iter().map(|name| self.account(name)).collect()),
        };
        Relay { path: path.into(), users, group }
    }

    fn account(&mut self, name: &Written<String>) -> String {
        let odd = |letter: char| letter.is_control() || matches!(letter, ':' | '/' | '*');
        if name.value.is_empty() || name.value.contains(odd) {
            let found = format!("no account is called \"{}\"", shown(&name.value));
            self.refuse(&LISTEN, "users", name.place, found);
        }
        name.value.clone()
    }

    fn refuse_keys_of_other_transports(&mut self, raw: &RawListen) {
        for (name, place) in &raw.given {
            let (found, hint) = match (raw.is_behind_sshd(), *name) {
                (true, "address" | "nodelay" | "window" | "key-exchanges" | "ciphers") => {
                    ("nothing comes from the network here", "remove it")
                }
                (false, "path" | "users" | "group") => {
                    ("only sshd's subsystem comes through a socket", "add transport = \"behind-sshd\"")
                }
                _ => continue,
            };
            self.problems.error(*place, format!("`{name}` does not belong here: {found}")).hint(hint);
        }
    }
}
