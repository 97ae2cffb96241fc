//! `[[user]]`: USM users, and their rights in the short form.

use std::{collections::BTreeSet, str::FromStr};

use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_smi::{SecurityLevel, SecurityModel};

use super::{
    Builder,
    names::octets,
    short_form::{ShortForm, VIEW_IN_CLEAR},
    views::ALL,
    weak::Weakness,
};
use crate::{
    KeySource, User,
    options::USER,
    problem::TextPosition,
    raw::{RawKey, RawUser},
    reader::{Located, display_escaped},
};

impl Builder<'_> {
    pub(super) fn users(&mut self, raw: &[RawUser]) -> Vec<User> {
        let mut names = BTreeSet::new();
        raw.iter()
            // Skips a user with a duplicate name. The duplicate has been reported, and its rights
            // would only cause more errors.
            .filter(|user| user.name.as_ref().is_none_or(|name| names.insert(&name.value)))
            .filter_map(|user| self.user(user))
            .collect()
    }

    fn user(&mut self, raw: &RawUser) -> Option<User> {
        let auth = self.auth(raw);
        let privacy = self.privacy(raw, auth.as_ref().map(|(protocol, _)| *protocol));
        let name = raw.name.as_ref()?;
        let best = match (raw.auth.is_given(), raw.privacy.is_given()) {
            (false, _) => SecurityLevel::NoAuthNoPriv,
            (true, false) => SecurityLevel::AuthNoPriv,
            (true, true) => SecurityLevel::AuthPriv,
        };
        let contexts = raw.contexts.as_deref().unwrap_or_default();
        let every = matches!(contexts, [every] if every.value == "*");
        contexts.iter().filter(|_| !every).for_each(|context| self.check_context(context));
        let level = self.user_level(raw, name, best);
        self.short_form(&ShortForm {
            section: &USER,
            position: raw.position,
            security_name: &name.value,
            models: &[SecurityModel::USM],
            level,
            access: raw.access.as_ref(),
            view: raw.view.as_ref(),
            default_writer_view: if level.is_private() { ALL } else { VIEW_IN_CLEAR },
            contexts,
        });
        Some(User { name: octets(&name.value), auth, privacy })
    }

    fn auth(&mut self, raw: &RawUser) -> Option<(AuthProtocol, KeySource)> {
        if !raw.auth.is_given() {
            return None;
        }
        let protocol: AuthProtocol =
            self.protocol("auth", raw.auth.protocol.as_ref(), AuthProtocol::HmacSha256_192)?;
        let position = place_of(&raw.auth, raw.position);
        if let Some(weakness) = Weakness::of_auth(protocol) {
            let (found, better) = (format!("auth = \"{protocol}\""), "use auth = \"SHA-256\"");
            self.weak.check(weakness, position, &found, better, self.problems);
        }
        Some((protocol, self.key("auth", &raw.auth, protocol.key_len(), position)?))
    }

    fn privacy(&mut self, raw: &RawUser, auth: Option<AuthProtocol>) -> Option<(PrivProtocol, KeySource)> {
        if !raw.privacy.is_given() {
            return None;
        }
        let position = place_of(&raw.privacy, raw.position);
        let protocol: PrivProtocol =
            self.protocol("priv", raw.privacy.protocol.as_ref(), PrivProtocol::Aes128)?;
        if let Some(weakness) = Weakness::of_privacy(protocol) {
            let (found, better) = (format!("priv = \"{protocol}\""), "use priv = \"AES\"");
            self.weak.check(weakness, position, &found, better, self.problems);
        }
        let key = self.key("priv", &raw.privacy, protocol.key_len(), position);
        if auth.is_none() && !raw.auth.is_given() {
            self.problems
                .error(position, "SNMPv3 does not support encryption without authentication")
                .hint("add auth = \"SHA-256\" and auth-pass");
        }
        Some((protocol, key?))
    }

    fn protocol<P: FromStr>(
        &mut self,
        key: &str,
        written: Option<&Located<String>>,
        default: P,
    ) -> Option<P> {
        let Some(written) = written else { return Some(default) };
        let protocol = written.value.parse().ok();
        if protocol.is_none() {
            let found = format!("unsupported `{key}` algorithm \"{}\"", display_escaped(&written.value));
            self.reject_value(&USER, key, written.position, found);
        }
        protocol
    }

    /// Returns the lowest level at which access is granted: the configured level, or by default the
    /// highest level that the user's keys allow.
    fn user_level(&mut self, raw: &RawUser, name: &Located<String>, best: SecurityLevel) -> SecurityLevel {
        let (level, position) = match &raw.level {
            Some(written) => (self.level(&USER, written).unwrap_or(best), written.position),
            None => (best, name.position),
        };
        if level > best {
            let found = format!("`level` \"{level}\" exceeds {best}, the highest that the user's keys allow");
            self.problems
                .error(position, found)
                .hint("set the missing auth-pass or priv-pass, or lower the level");
        }
        if level == SecurityLevel::NoAuthNoPriv {
            let found =
                if best == level { "a user without a pass phrase" } else { "level = \"noAuthNoPriv\"" };
            let better = "set auth-pass and priv-pass in the [[user]]";
            let better = if best == level { better } else { "use level = \"authPriv\"" };
            self.weak.check(Weakness::NoAuthNoPriv, position, found, better, self.problems);
        }
        level
    }
}

/// Returns the position of the algorithm, or of the user if no algorithm is set.
fn place_of(raw: &RawKey, user: TextPosition) -> TextPosition {
    raw.protocol.as_ref().map_or(user, |written| written.position)
}
