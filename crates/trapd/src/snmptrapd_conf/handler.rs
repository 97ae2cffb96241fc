//! `traphandle` and `forward`: the actions for notifications.

use portreeve_net_snmp_conf::{ConfLocation, Directive};
use portreeve_snmp_manager::PeerAddress;

use super::{Arguments, Parser, Reason};
use crate::{HandlerCommand, OidPattern};

/// A directive `traphandle` or `forward`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandlerDirective {
    /// The location of the directive.
    pub location: ConfLocation,
    /// The notifications.
    pub pattern: OidPattern,
    /// The action.
    pub action: HandlerAction,
}

/// The action for a notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HandlerAction {
    /// Runs a program.
    Run(HandlerCommand),
    /// Forwards the notification to another receiver.
    Forward(PeerAddress),
}

impl Parser<'_> {
    /// Parses `OID|default PROGRAM [ARGS]`.
    pub(super) fn trap_handle(
        &mut self,
        location: &ConfLocation,
        directive: &Directive,
        arguments: &mut Arguments,
    ) -> Result<(), Reason> {
        let pattern = self.pattern(arguments)?;
        let program = arguments.required("the path of a program")?;
        if !program.starts_with('/') {
            return Err(format!("invalid program {program:?}: expected an absolute path"));
        }
        if needs_shell(&directive.raw_value) {
            let reason = "the program runs without a shell, which would be needed for variables, pipes and \
                          redirections: use /bin/sh -c '…', or remove these characters";
            self.warn(location, &directive.name, reason);
        }
        let command = HandlerCommand { program: program.into(), arguments: arguments.rest() };
        self.add_handler(location, pattern, HandlerAction::Run(command));
        Ok(())
    }

    /// Parses `OID|default DESTINATION`.
    pub(super) fn forward(
        &mut self,
        location: &ConfLocation,
        arguments: &mut Arguments,
    ) -> Result<(), Reason> {
        let pattern = self.pattern(arguments)?;
        let text = arguments.required("the address of a receiver, for example udp:192.0.2.1")?;
        arguments.end("the address")?;
        let address: PeerAddress = text.parse().map_err(|error| {
            format!("invalid address {text:?}: {error}: expected, for example, udp:192.0.2.1 or tcp:[2001:db8::1]:162")
        })?;
        self.add_handler(location, pattern, HandlerAction::Forward(address.for_notifications()));
        Ok(())
    }

    fn pattern(&self, arguments: &mut Arguments) -> Result<OidPattern, Reason> {
        let text = arguments.required("default or the object identifier of notifications")?;
        OidPattern::parse(&text, self.names.oid).map_err(|error| error.to_string())
    }

    fn add_handler(&mut self, location: &ConfLocation, pattern: OidPattern, action: HandlerAction) {
        self.conf.handlers.push(HandlerDirective { location: location.clone(), pattern, action });
    }
}

/// Returns whether a shell would interpret characters of a command: Net-SNMP passes it to one.
fn needs_shell(command: &str) -> bool {
    let mut quote = None;
    let mut characters = command.chars();
    // The pattern of the notifications may end with an asterisk.
    characters.by_ref().take_while(|character| !character.is_whitespace()).for_each(drop);
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (Some('\''), _) => {}
            (_, '\\') => drop(characters.next()),
            (_, '$' | '`') => return true,
            (None, '\'' | '"') => quote = Some(character),
            (None, '|' | '&' | ';' | '<' | '>' | '(' | ')' | '*' | '?' | '~') => return true,
            _ => {}
        }
    }
    false
}
