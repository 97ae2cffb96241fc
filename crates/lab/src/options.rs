//! Parses options and operands.

use std::str::FromStr;

use portreeve_usage::Flag;

use crate::error::Result;

/// The arguments of one command.
#[derive(Debug, Default)]
pub(crate) struct Options {
    named: Vec<(String, String)>,
    /// The arguments without a name, in order.
    pub(crate) plain: Vec<String>,
}

impl Options {
    /// Parses `arguments`; every name must be in `known`. All arguments after `--` are operands.
    pub(crate) fn parse(arguments: &[String], known: &[&str]) -> Result<Self> {
        let mut options = Self::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            if argument == "--" {
                options.plain.extend(rest.cloned());
                break;
            }
            let Some(name) = argument.strip_prefix("--") else {
                options.plain.push(argument.clone());
                continue;
            };
            if !known.contains(&name) {
                return Err(format!("unknown option --{name}").into());
            }
            let value = rest.next().ok_or_else(|| format!("--{name} requires a value"))?;
            options.named.push((name.to_owned(), value.clone()));
        }
        Ok(options)
    }

    /// Parses `arguments` of a command with these options. Options without a value are switches.
    pub(crate) fn parse_flags(arguments: &[String], flags: &[Flag]) -> Result<Self> {
        let mut options = Self::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let Some(name) = argument.strip_prefix("--") else {
                options.plain.push(argument.clone());
                continue;
            };
            let flag = flags.iter().find(|flag| flag.long == Some(name));
            let flag = flag.ok_or_else(|| format!("unknown option --{name}"))?;
            let value = match flag.value {
                Some(_) => rest.next().ok_or_else(|| format!("--{name} requires a value"))?.clone(),
                None => String::new(),
            };
            options.named.push((name.to_owned(), value));
        }
        Ok(options)
    }

    /// Returns true if a switch is given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.named.iter().any(|(known, _)| known == name)
    }

    /// Returns every value of an option.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.named.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns the last value of an option, or `default`.
    pub(crate) fn or<T: FromStr>(&self, name: &str, default: T) -> Result<T> {
        self.get(name)?.map_or(Ok(default), Ok)
    }

    /// Returns the last value of a required option.
    pub(crate) fn required<T: FromStr>(&self, name: &str) -> Result<T> {
        self.get(name)?.ok_or_else(|| format!("--{name} is missing").into())
    }

    /// Returns the last value of an option.
    pub(crate) fn get<T: FromStr>(&self, name: &str) -> Result<Option<T>> {
        let Some(value) = self.all(name).last() else { return Ok(None) };
        value.parse().map(Some).map_err(|_| format!("invalid value '{value}' of --{name}").into())
    }
}
