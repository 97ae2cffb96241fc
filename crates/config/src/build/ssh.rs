//! `[ssh]`: host keys and user authentication.

use portreeve_smi::TransportDomain;

use super::Builder;
use crate::{Listener, Pam, Ssh, problem::TextPosition, raw::RawSsh};

impl Builder<'_> {
    /// Builds the SSH options; `None` if the file does not contain `[ssh]`.
    pub(super) fn ssh(&mut self, raw: &RawSsh, listeners: &[(Listener, TextPosition)]) -> Option<Ssh> {
        let ssh_listener = listeners.iter().find(|(listener, _)| listener.transport == TransportDomain::Ssh);
        let position = match (raw.position, ssh_listener) {
            (Some(position), _) => position,
            (None, Some((_, listener))) => {
                let found = "SSH listeners need a host key and users' keys";
                let hint = "add [ssh] with host-keys and authorized-keys";
                self.problems.error(*listener, found).hint(hint);
                return None;
            }
            (None, None) => return None,
        };
        if raw.host_keys.is_empty() {
            let problem = self.problems.error(position, "`host-keys` is empty, but an SSH server needs one");
            problem.hint("create a host key with `portreeve keys host NAME` or `ssh-keygen -t ed25519 -N '' -f ssh_host_ed25519_key`");
        }
        let pam = pam(raw, |position| self.problems.line(position), position);
        let accepts_passwords = pam.as_ref().is_some_and(Pam::accepts_passwords);
        if accepts_passwords && raw.root_password.is_none() {
            self.problems.note(position, "passwords of accounts with the user ID 0 are refused").hint(
                "set root-password = false to silence this note, or root-password = true to accept them",
            );
        }
        if raw.check_account.is_none() && pam.as_ref().is_some_and(|pam| pam.check_account) {
            let found = "logins with keys are refused if PAM refuses the account, for example because it has expired: this is \
                         the default if authorized-keys contains %h";
            self.problems.note(position, found).hint(
                "set check-account = true to silence this note, or check-account = false to accept such accounts",
            );
        }
        if raw.authorized_keys.is_empty() && raw.authorities.is_none() && !accepts_passwords {
            let found = "no user can log in over SSH";
            self.problems
                .error(position, found)
                .hint("set authorized-keys or authorities, or enable password logins");
        }
        Some(Ssh {
            host_keys: raw.host_keys.iter().map(|written| self.file_at(written)).collect(),
            authorized_keys: raw.authorized_keys.iter().map(|written| self.file_at(written)).collect(),
            authorities: raw.authorities.as_ref().map(|written| self.file_at(written)),
            principals: raw.principals.as_ref().map(|written| self.file_at(written)),
            revoked: raw.revoked.as_ref().map(|written| self.file_at(written)),
            pam,
        })
    }
}

/// Returns the options of PAM; `None` if it is not used.
fn pam(raw: &RawSsh, line: impl Fn(TextPosition) -> usize, section: TextPosition) -> Option<Pam> {
    let (password, keyboard_interactive) =
        (raw.password.unwrap_or(false), raw.keyboard_interactive.unwrap_or(false));
    let written = raw.pam_service.as_ref();
    let service = written.map_or(DEFAULT_SERVICE, |written| &written.value).to_owned();
    let line = line(written.map_or(section, |written| written.position));
    // If the keys are in home directories, the users are accounts of this machine, and a locked
    // account must not log in.
    let uses_homes = raw.authorized_keys.iter().any(|written| written.value.contains("%h"));
    let pam = Pam {
        service,
        line,
        password,
        keyboard_interactive,
        root_password: raw.root_password.unwrap_or(false),
        check_account: raw.check_account.unwrap_or(uses_homes),
    };
    (pam.accepts_passwords() || pam.check_account).then_some(pam)
}

const DEFAULT_SERVICE: &str = "portreeve";
