//! Directives with one value, directives that have no effect here, and unknown ones.

use portreeve_mib::format::{OutputFormat, UnknownLetterError};
use portreeve_net_snmp_conf::{ConfLocation, Directive};

use super::{Arguments, ListenAddress, Parser, Reason};
use crate::LineFormat;

impl Parser<'_> {
    pub(super) fn parse_setting(
        &mut self,
        location: &ConfLocation,
        directive: &Directive,
    ) -> Result<(), Reason> {
        let value = &*directive.value;
        match &*directive.name.to_ascii_lowercase() {
            "snmptrapdaddr" => self.listen_addresses(location, &directive.raw_value)?,
            "disableauthorization" => {
                let flag = parse_flag(value);
                // An earlier line does not stay in force after an invalid one, which was to end it.
                self.conf.is_authorization_disabled = flag == Ok(true);
                flag?;
                if self.conf.is_authorization_disabled {
                    let reason = "all known communities and users are permitted all actions; notifications of \
                                  other communities are still refused: use authCommunity and authUser instead";
                    self.warn(location, &directive.name, reason);
                }
            }
            "donotlogtraps" => self.conf.is_logging_disabled = parse_flag(value)?,
            "ignoreauthfailure" => self.conf.ignores_authentication_failures = parse_flag(value)?,
            "outputoption" => {
                OutputFormat::default().apply(value).map_err(|UnknownLetterError(letter)| {
                    format!("unknown letter {letter:?}: expected those of the option -O of snmpget(1), for example n")
                })?;
                self.conf.output_options = Some(value.to_owned());
            }
            "format1" => self.conf.format_v1 = Some(parse_format(&directive.raw_value)?),
            "format2" => self.conf.format_v2 = Some(parse_format(&directive.raw_value)?),
            "format" => return self.format(location, directive),
            name => {
                let known = WITHOUT_EFFECT.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
                let advice =
                    known.map_or("unknown directive: remove it, or check its spelling", |(_, advice)| advice);
                if !advice.is_empty() {
                    self.warn(location, &directive.name, advice);
                }
            }
        }
        Ok(())
    }

    /// Parses a list of addresses, which are separated by commas.
    fn listen_addresses(&mut self, location: &ConfLocation, list: &str) -> Result<(), Reason> {
        let addresses: Vec<&str> = list.split(',').map(str::trim).collect();
        if addresses.iter().any(|address| address.is_empty() || address.contains(char::is_whitespace)) {
            self.conf.has_invalid_listen_address = true;
            return Err("invalid list of addresses: expected, for example, udp:162,tcp:162".to_owned());
        }
        let addresses = addresses
            .into_iter()
            .map(|address| ListenAddress { location: location.clone(), address: address.to_owned() });
        self.conf.listen_addresses.extend(addresses);
        Ok(())
    }

    /// Parses `DESTINATION FORMAT`.
    fn format(&mut self, location: &ConfLocation, directive: &Directive) -> Result<(), Reason> {
        let destination = Arguments::of(directive).required("a destination and a format")?;
        let format = directive.raw_value.split_once(char::is_whitespace).map_or("", |(_, format)| format);
        let format = parse_format(format.trim_start())?;
        match &*destination {
            "print" => {
                self.conf.format_v1 = Some(format.clone());
                self.conf.format_v2 = Some(format);
            }
            "print1" => self.conf.format_v1 = Some(format),
            "print2" => self.conf.format_v2 = Some(format),
            _ => {
                let reason = "the destination is not supported and the format has no effect: use print, print1 or print2";
                self.warn(location, &directive.name, reason);
            }
        }
        Ok(())
    }
}

fn parse_flag(text: &str) -> Result<bool, Reason> {
    match &*text.to_ascii_lowercase() {
        "1" | "yes" | "true" | "on" => Ok(true),
        "0" | "no" | "false" | "off" => Ok(false),
        _ => Err(format!("invalid value {text:?}: expected yes or no")),
    }
}

fn parse_format(text: &str) -> Result<LineFormat, Reason> {
    LineFormat::parse(text).map_err(|error| error.to_string())
}

const VACM: &str = "not supported, permits nothing: use authCommunity and authUser";
const TLS: &str = "has no effect here: set `versions` in [tls] of portreeve-trapd.toml";
const OPTION: &str = "has no effect here: use the option of the command line";

/// Directives that are known and have no effect, and the reason; empty if none is needed.
const WITHOUT_EFFECT: &[(&str, &str)] = &[
    ("doNotFork", ""),
    ("doNotRetainNotificationLogs", ""),
    ("agentXSocket", "has no effect: there is no NOTIFICATION-LOG-MIB"),
    ("pidFile", OPTION),
    ("logOption", OPTION),
    ("authGroup", VACM),
    ("authAccess", VACM),
    ("setAccess", VACM),
    ("group", VACM),
    ("access", VACM),
    ("com2sec", VACM),
    ("com2sec6", VACM),
    ("addForwarderInfo", "not supported: forwarded SNMPv1 traps contain snmpTrapAddress"),
    ("usmUser", "not supported: add the user with createUser"),
    ("engineID", "not supported: the engine ID is in the state directory"),
    ("oldEngineID", ""),
    ("engineBoots", ""),
    ("tlsMinVersion", TLS),
    ("tlsMaxVersion", TLS),
    ("tlsAlgorithms", TLS),
    ("sqlMaxQueue", "not supported: there is no SQL output"),
    ("sqlSaveInterval", "not supported: there is no SQL output"),
    ("perl", "not supported: run a program with traphandle"),
];
