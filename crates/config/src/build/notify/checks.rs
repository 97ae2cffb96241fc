//! Checks of targets that would receive nothing, and of names that would clash with theirs.

use portreeve_lcd::{AccessRow, ContextMatch};
use portreeve_smi::{SecurityLevel, SecurityModel, TransportDomain};

use super::super::Builder;
use crate::{
    problem::TextPosition,
    raw::{Raw, RawNotify, RawSsh, RawTls},
    reader::{Located, display_escaped},
};

impl Builder<'_> {
    /// Reports names that are reserved for the rows of targets.
    pub(super) fn reject_reserved_names(&mut self, raw: &Raw) {
        let users = raw.users.iter().filter_map(|user| user.name.as_ref());
        let session_users = raw.session_users.iter().filter_map(|user| user.name.as_ref());
        let communities = raw.communities.iter().filter_map(|community| community.security_name.as_ref());
        let groups = raw.groups.iter().filter_map(|group| group.name.as_ref());
        let names = users.chain(session_users).chain(communities).chain(groups);
        let members = raw.groups.iter().flat_map(|group| &group.members);
        let members = members.filter(|member| {
            let community = ["v1:", "v2c:"].iter().find_map(|model| member.value.strip_prefix(model));
            community.is_some_and(|name| is_reserved(name.as_bytes()))
        });
        let reserved = names.filter(|name| is_reserved(name.value.as_bytes()));
        for name in reserved.chain(members) {
            let found =
                format!("the name \"{}\" is reserved for a [[notify]] section", display_escaped(&name.value));
            let problem = self.problems.error(name.position, found);
            problem.hint("use a name other than `notify-` followed by a number");
        }
    }

    /// Reports each cycle of fallbacks once, at its first target. Every target of a cycle is the
    /// fallback of another one, so that none of them would receive anything.
    pub(super) fn reject_fallback_cycles(&mut self, all: &[RawNotify]) {
        let named = |name: &Located<String>| {
            all.iter().position(|target| target.name.as_ref().is_some_and(|own| own.value == name.value))
        };
        for (first, target) in all.iter().enumerate() {
            let Some(written) = &target.fallback else { continue };
            let mut path = vec![first];
            let mut next = named(written);
            while let Some(index) = next.filter(|index| !path.contains(index)) {
                path.push(index);
                next = all[index].fallback.as_ref().and_then(named);
            }
            // A cycle of one target is reported with the target.
            if next != Some(first) || path.len() == 1 || path.iter().any(|index| *index < first) {
                continue;
            }
            let names = path.iter().chain([&first]).filter_map(|index| all[*index].name.as_ref());
            let names: Vec<_> = names.map(|name| display_escaped(&name.value).to_string()).collect();
            let found = format!(
                "the fallbacks form a cycle, so that none of its targets receives anything: {}",
                names.join(", ")
            );
            let problem = self.problems.error(written.position, found);
            problem.hint("remove `fallback` from the target that is used last");
        }
    }

    /// Reports a target whose group has no notify view at the level of its messages.
    pub(super) fn check_notify_rights(
        &mut self,
        raw: &RawNotify,
        group: &[u8],
        model: SecurityModel,
        level: SecurityLevel,
    ) {
        let is_for = |row: &&AccessRow| {
            *row.key.group_name == *group
                && row.key.context_prefix.is_empty()
                && [SecurityModel::ANY, model].contains(&row.key.model)
        };
        let rights: Vec<&AccessRow> =
            self.rows.access.iter().map(|row| row.as_ref()).filter(is_for).collect();
        // RFC 3415 §4: vacmAccessTable prefers the model itself, then an exact context, then the
        // highest level.
        let usable = rights.iter().filter(|row| row.key.level <= level).max_by_key(|row| {
            (row.key.model == model, row.context_match == ContextMatch::Exact, row.key.level)
        });
        if usable.is_some_and(|row| !row.notify_view.is_empty()) {
            return;
        }
        let higher = rights.iter().filter(|row| row.key.level > level && !row.notify_view.is_empty());
        let needed = higher.map(|row| row.key.level).min();
        let position = raw.level.as_ref().map_or(raw.position, |written| written.position);
        match needed {
            Some(needed) => {
                let found =
                    format!("the target receives nothing: its user has rights only from level \"{needed}\"");
                self.problems.error(position, found).hint(format!("set level = \"{needed}\""));
            }
            None => {
                let found = "the target receives nothing: its user has no notify view in the default context";
                let problem = self.problems.warning(raw.position, found);
                problem.hint("set `notify` in an [[access]] section of its group");
            }
        }
    }

    /// Reports a target over ssh without a key to log in with.
    pub(in crate::build) fn check_ssh_key(
        &mut self,
        raw: &RawNotify,
        transport: TransportDomain,
        ssh: &RawSsh,
    ) {
        if transport == TransportDomain::Ssh && raw.ssh_key.is_none() && ssh.host_keys.is_empty() {
            let problem = self.problems.error(raw.position, "a target over ssh needs a key");
            problem.hint("set `ssh-key`, or add [ssh] with host-keys");
        }
    }

    /// Reports a target over tls or dtls that has no certificate or trusts no receiver.
    pub(in crate::build) fn check_tls_trust(
        &mut self,
        raw: &RawNotify,
        transport: TransportDomain,
        tls: &RawTls,
    ) {
        if !matches!(transport, TransportDomain::Tls | TransportDomain::Dtls) {
            return;
        }
        match (&raw.certificate, &raw.key) {
            (Some(_), Some(_)) => {}
            (None, None) => {
                if tls.position.is_none() {
                    let found = format!("a target over {transport} needs a certificate");
                    let problem = self.problems.error(raw.position, found);
                    problem.hint("set `certificate` and `key`, or add [tls] with certificate and key");
                }
            }
            (Some(certificate), None) => {
                self.reject_half_of_pair(certificate.position, "certificate", "key");
            }
            (None, Some(key)) => self.reject_half_of_pair(key.position, "key", "certificate"),
        }
        let has_authorities =
            !tls.authorities.is_empty() || raw.authorities.as_ref().is_some_and(|files| !files.is_empty());
        if !has_authorities && raw.server_fingerprint.is_none() {
            let found = format!("a target over {transport} needs a trusted authority or a fingerprint");
            let problem = self.problems.error(raw.position, found);
            problem.hint("set authorities = [\"ca.pem\"], or `server-fingerprint`");
        }
    }

    fn reject_half_of_pair(&mut self, position: TextPosition, given: &str, missing: &str) {
        let found = format!("`{given}` is given without `{missing}`");
        self.problems.error(position, found).hint(format!("add `{missing}`"));
    }
}

/// Returns true for the names of the rows of targets: `notify-` and a number.
pub(super) fn is_reserved(name: &[u8]) -> bool {
    let number = name.strip_prefix(b"notify-").unwrap_or_default();
    !number.is_empty() && number.iter().all(u8::is_ascii_digit)
}
