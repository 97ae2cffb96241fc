//! The directives of `snmptrapd.conf` (snmptrapd.conf(5)).
//!
//! ```text
//! ConfEntry, … ──▶ SnmptrapdConf::parse ──┬──▶ notification_rules, community_rows, engine_users
//!                                          ├──▶ handler_table
//!                                          └──▶ ConfProblem, …
//! ```
//!
//! A directive with an error is omitted. The default denies, so that an omitted directive never
//! permits a notification. Problems never contain communities, pass phrases or keys.

mod access;
mod arguments;
mod handler;
mod problem;
mod settings;
mod source;
mod tls;
mod user;
mod view;

use std::{io, net::IpAddr, path::Path, sync::Arc};

use portreeve_channel::Fingerprint;
use portreeve_lcd::CommunityRow;
use portreeve_net_snmp_conf::{ConfEntry, ConfLocation, Directive, EntryContent};
use portreeve_secret::wipe;
use portreeve_smi::{EngineId, Oid};
use portreeve_snmp_apps::NotificationRule;

use crate::{HandlerTable, LineFormat};
use access::{AcceptedCommunities, Access};
use arguments::Arguments;
pub use handler::{HandlerAction, HandlerDirective};
pub use problem::{ConfProblem, ProblemSeverity};
pub use tls::{NamedFile, TlsDirectives};
pub use user::{CreatedUser, EngineUsers, UserKeySource};
use view::Views;

/// The parsed directives of `snmptrapd.conf`.
#[derive(Default)]
pub struct SnmptrapdConf {
    /// The addresses of `snmpTrapdAddr`, as written.
    pub listen_addresses: Vec<ListenAddress>,
    /// True if a list of `snmpTrapdAddr` is invalid. Then the default must not be used instead: it
    /// may contain more addresses.
    pub has_invalid_listen_address: bool,
    /// True if `disableAuthorization` permits all notifications that the engine receives.
    pub is_authorization_disabled: bool,
    /// The users of `createUser`.
    pub users: Vec<CreatedUser>,
    /// The directives for sessions over TLS and DTLS.
    pub tls: TlsDirectives,
    /// The directives `traphandle` and `forward`, in the order of the files.
    pub handlers: Vec<HandlerDirective>,
    /// The format of `format1`, for SNMPv1 traps.
    pub format_v1: Option<LineFormat>,
    /// The format of `format2`, for other notifications.
    pub format_v2: Option<LineFormat>,
    /// The value of `outputOption`: letters of the option `-O`.
    pub output_options: Option<String>,
    /// True if `doNotLogTraps` is set: handlers run, but no notification is logged.
    pub is_logging_disabled: bool,
    /// True if `ignoreAuthFailure` is set: authenticationFailure is not logged.
    pub ignores_authentication_failures: bool,
    communities: AcceptedCommunities,
    access: Vec<Access>,
}

/// An address of `snmpTrapdAddr`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListenAddress {
    /// The location of the directive.
    pub location: ConfLocation,
    /// The address, such as `udp:162`.
    pub address: String,
}

/// Resolves the names in the file.
pub struct NameResolver<'r> {
    /// Returns the identifier of a name of a MIB, or of a number with dots, or the reason why there
    /// is none.
    pub oid: &'r dyn Fn(&str) -> Result<Oid, String>,
    /// Returns the addresses of a host name.
    pub host: &'r dyn Fn(&str) -> io::Result<Vec<IpAddr>>,
    /// Returns the fingerprint of a certificate, which is named by its fingerprint or its file, or
    /// the reason why there is none.
    pub certificate: &'r dyn Fn(&str) -> Result<Fingerprint, String>,
}

impl SnmptrapdConf {
    /// Parses the directives of `entries`, which are those of the section `[snmptrapd]`. The text
    /// of directives that contain secrets is wiped. Of the section `[snmp]`, which `shared`
    /// contains, only the directives for TLS and DTLS are used.
    ///
    /// Returns the problems. Unknown directives are warnings.
    pub fn parse(
        entries: Vec<ConfEntry>,
        shared: Vec<ConfEntry>,
        names: &NameResolver<'_>,
    ) -> (Self, Vec<ConfProblem>) {
        let mut parser = Parser {
            conf: Self::default(),
            views: Views::default(),
            names,
            problems: Vec::new(),
            open_files: Vec::new(),
        };
        parser.parse_views(&entries);
        shared.iter().for_each(|entry| parser.parse_shared(entry));
        entries.into_iter().for_each(|entry| parser.parse_entry(entry));
        (parser.conf, parser.problems)
    }

    /// Returns the rules that permit notifications. Those for communities have the security names
    /// of [`Self::community_rows`].
    pub fn notification_rules(&self) -> Vec<NotificationRule> {
        let mut rules: Vec<NotificationRule> = self.access.iter().flat_map(Access::rules).collect();
        if self.is_authorization_disabled {
            rules.push(access::permit_all());
        }
        rules
    }

    /// Returns a row of snmpCommunityTable for each community of `authCommunity`. The rows accept
    /// messages from every source; the rules of [`Self::notification_rules`] check it.
    pub fn community_rows(&self) -> Vec<CommunityRow> {
        self.communities.rows()
    }

    /// Returns the users of `createUser` with their keys. `local` is the engine ID of the receiver.
    ///
    /// Deriving keys takes milliseconds for each user. Do not call this while handling a message.
    pub fn engine_users(&self, local: EngineId) -> EngineUsers {
        EngineUsers::derive(&self.users, local)
    }

    /// Returns the table that selects the actions for a notification. As in Net-SNMP, `traphandle`
    /// and `forward` share one table: a notification that matches a `forward` of its own is not
    /// passed to the handlers of `traphandle default`. Directives for which `action` returns `None`
    /// are omitted.
    pub fn handler_table<T>(
        &self,
        mut action: impl FnMut(&HandlerDirective) -> Option<T>,
    ) -> HandlerTable<T> {
        let mut table = HandlerTable::default();
        for directive in &self.handlers {
            if let Some(action) = action(directive) {
                table.add(directive.pattern.clone(), action);
            }
        }
        table
    }
}

struct Parser<'r> {
    conf: SnmptrapdConf,
    views: Views,
    names: &'r NameResolver<'r>,
    problems: Vec<ConfProblem>,
    /// The files about whose permissions a warning has been issued.
    open_files: Vec<Arc<Path>>,
}

/// The reason why a directive is invalid: what was found, what is expected, and the cure.
type Reason = String;

impl Parser<'_> {
    /// Parses the directives `view`, which may follow those that refer to them.
    fn parse_views(&mut self, entries: &[ConfEntry]) {
        for ConfEntry { location, content } in entries {
            let EntryContent::Directive(directive) = content else { continue };
            if !directive.name.eq_ignore_ascii_case("view") {
                continue;
            }
            let mut arguments = Arguments::of(directive);
            if let Err(reason) = self.views.parse(&mut arguments, self.names) {
                self.problem(location, ProblemSeverity::Error, &directive.name, &reason);
            }
        }
    }

    fn parse_shared(&mut self, entry: &ConfEntry) {
        let EntryContent::Directive(directive) = &entry.content else { return };
        if let Err(reason) = self.parse_tls(&entry.location, directive) {
            self.problem(&entry.location, ProblemSeverity::Error, &directive.name, &reason);
        }
    }

    fn parse_entry(&mut self, entry: ConfEntry) {
        let ConfEntry { location, content } = entry;
        let directive = match content {
            EntryContent::Directive(directive) => directive,
            EntryContent::Error(message) => {
                let message = message.strip_prefix("Error: ").unwrap_or(&message).to_owned();
                return self.problems.push(ConfProblem::new(location, ProblemSeverity::Error, message));
            }
        };
        if is_secret(&directive.name) {
            self.warn_about_open_file(&location);
        }
        if let Err(reason) = self.parse_directive(&location, &directive) {
            self.problem(&location, ProblemSeverity::Error, &directive.name, &reason);
        }
        wipe_if_secret(directive);
    }

    fn parse_directive(&mut self, location: &ConfLocation, directive: &Directive) -> Result<(), Reason> {
        let mut arguments = Arguments::of(directive);
        match &*directive.name.to_ascii_lowercase() {
            // Parsed before.
            "view" => {}
            "authcommunity" => {
                let access = self.auth_community(location, &mut arguments)?;
                self.conf.access.push(access);
            }
            "authuser" => {
                let access = self.auth_user(&mut arguments)?;
                self.conf.access.push(access);
            }
            "createuser" => {
                let user = CreatedUser::parse(location.clone(), &mut arguments)?;
                self.conf.users.push(user);
            }
            "traphandle" => self.trap_handle(location, directive, &mut arguments)?,
            "forward" => self.forward(location, &mut arguments)?,
            _ if self.parse_tls(location, directive)? => {}
            _ => return self.parse_setting(location, directive),
        }
        Ok(())
    }

    fn warn_about_open_file(&mut self, location: &ConfLocation) {
        if !location.is_readable_by_others() || self.open_files.contains(&location.path) {
            return;
        }
        self.open_files.push(Arc::clone(&location.path));
        let message = format!(
            "the file contains secrets and is readable by other users (mode {:04o}): run chmod 600 {}",
            location.mode & 0o777,
            location.path.display()
        );
        self.problems.push(ConfProblem::new(location.clone(), ProblemSeverity::Warning, message));
    }

    fn warn(&mut self, location: &ConfLocation, directive: &str, reason: &str) {
        self.problem(location, ProblemSeverity::Warning, directive, reason);
    }

    fn problem(&mut self, location: &ConfLocation, severity: ProblemSeverity, directive: &str, reason: &str) {
        let message = format!("{directive}: {reason}");
        self.problems.push(ConfProblem::new(location.clone(), severity, message));
    }
}

/// Returns whether the values of a directive contain a secret.
fn is_secret(name: &str) -> bool {
    ["authCommunity", "createUser"].iter().any(|secret| name.eq_ignore_ascii_case(secret))
}

fn wipe_if_secret(directive: Directive) {
    if is_secret(&directive.name) {
        wipe(&mut directive.value.into_bytes());
        wipe(&mut directive.raw_value.into_bytes());
    }
}

#[cfg(test)]
mod tests;
