//! Debug output: `-D` and `-d`.

mod dump;
mod message;

use std::{net::SocketAddr, rc::Rc, time::Instant};

use portreeve_snmp_manager::{Client, TrapSender, WireMessage};

use crate::log::Log;

/// A category of debug output, named in `-D`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// The settings that result from the command line and the files.
    Parse,
    /// Each message that the client sends.
    Send,
    /// Each message that the client receives.
    Recv,
    /// The security parameters of SNMPv3 messages.
    Usm,
    /// The progress of a walk.
    Walk,
}

impl Token {
    /// The names of all categories, for the error message.
    pub(crate) const NAMES: &str = "parse, send, recv, usm, walk, all";

    /// Adds the category of this name to the set; returns `false` if the name is unknown.
    pub(crate) fn add(tokens: &mut TokenSet, name: &str) -> bool {
        let all = [Self::Parse, Self::Send, Self::Recv, Self::Usm, Self::Walk];
        match Self::parse(&name.to_ascii_lowercase()) {
            Some(token) => tokens.insert(token),
            None if name.eq_ignore_ascii_case("all") => {
                all.into_iter().for_each(|token| tokens.insert(token))
            }
            None => return false,
        }
        true
    }

    fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "parse" => Self::Parse,
            "send" => Self::Send,
            "recv" => Self::Recv,
            "usm" => Self::Usm,
            "walk" => Self::Walk,
            _ => return None,
        })
    }
}

/// A set of categories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TokenSet(u8);

impl TokenSet {
    pub(crate) fn contains(self, token: Token) -> bool {
        self.0 & 1 << token as u8 != 0
    }

    fn insert(&mut self, token: Token) {
        self.0 |= 1 << token as u8;
    }
}

/// The enabled debug output and its log.
#[derive(Clone, Default)]
pub(crate) struct Debug {
    pub(crate) log: Rc<Log>,
    pub(crate) tokens: TokenSet,
    /// `-d`: dump the octets of all messages.
    pub(crate) dump: bool,
}

impl Debug {
    /// Logs a message if its category is enabled.
    pub(crate) fn log(&self, token: Token, message: impl FnOnce() -> String) {
        if self.tokens.contains(token) {
            self.log.debug(&message());
        }
    }

    /// Logs every message that a client sends or receives, in the categories that are enabled.
    pub(crate) fn watch(&self, client: &mut Client, transport: &str) {
        if let Some(observer) = self.observer(transport, client.addresses()) {
            client.observe(observer);
        }
    }

    /// Logs every trap that is sent, in the categories that are enabled.
    pub(crate) fn watch_traps(&self, sender: &mut TrapSender, transport: &str) {
        if let Some(observer) = self.observer(transport, sender.addresses()) {
            sender.observe(observer);
        }
    }

    /// Returns a function that logs messages; `None` if no category about messages is enabled.
    fn observer(
        &self,
        transport: &str,
        addresses: Option<(SocketAddr, SocketAddr)>,
    ) -> Option<impl FnMut(WireMessage<'_>) + 'static> {
        let about_messages = [Token::Send, Token::Recv, Token::Usm];
        if !self.dump && !about_messages.into_iter().any(|token| self.tokens.contains(token)) {
            return None;
        }
        let endpoints = dump::format_endpoints(transport, addresses);
        let (debug, started) = (self.clone(), Instant::now());
        Some(move |traffic: WireMessage<'_>| debug.message(traffic, &endpoints, started))
    }

    fn message(&self, traffic: WireMessage<'_>, endpoints: &str, started: Instant) {
        let (token, octets) = match traffic {
            WireMessage::Sent(octets) => (Token::Send, octets),
            WireMessage::Received(octets) => (Token::Recv, octets),
        };
        let milliseconds = started.elapsed().as_secs_f64() * 1e3;
        self.log(token, || {
            let name = if token == Token::Send { "send" } else { "recv" };
            format!("{name}: {milliseconds:.3} ms: {}", message::summary(octets))
        });
        self.log(Token::Usm, || {
            message::usm_summary(octets).unwrap_or_else(|| "usm: not an SNMPv3 message".to_owned())
        });
        if self.dump {
            self.log.debug(&dump::format_packet(traffic, endpoints));
        }
    }
}

#[cfg(test)]
mod tests;
