//! Parses `--name value` pairs and operands.

use std::str::FromStr;

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

    fn get<T: FromStr>(&self, name: &str) -> Result<Option<T>> {
        let Some(value) = self.all(name).last() else { return Ok(None) };
        value.parse().map(Some).map_err(|_| format!("invalid value '{value}' of --{name}").into())
    }
}
