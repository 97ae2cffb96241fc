//! `--name value` pairs and what stands between them.

use std::str::FromStr;

use crate::failure::Result;

/// The arguments of one command.
#[derive(Debug, Default)]
pub(crate) struct Options {
    named: Vec<(String, String)>,
    /// What stood without a name, in order.
    pub(crate) plain: Vec<String>,
}

impl Options {
    /// Splits `arguments`; every name must be one of `known`. After `--` nothing is a name.
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
                return Err(format!("no option --{name} here").into());
            }
            let value = rest.next().ok_or_else(|| format!("--{name} needs a value"))?;
            options.named.push((name.to_owned(), value.clone()));
        }
        Ok(options)
    }

    /// Every value given for `name`.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.named.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The last value given for `name`, or `default`.
    pub(crate) fn or<T: FromStr>(&self, name: &str, default: T) -> Result<T> {
        self.get(name)?.map_or(Ok(default), Ok)
    }

    /// The last value given for `name`, which must be there.
    pub(crate) fn required<T: FromStr>(&self, name: &str) -> Result<T> {
        self.get(name)?.ok_or_else(|| format!("--{name} is missing").into())
    }

    fn get<T: FromStr>(&self, name: &str) -> Result<Option<T>> {
        let Some(value) = self.all(name).last() else { return Ok(None) };
        value.parse().map(Some).map_err(|_| format!("--{name}: '{value}' is no value for it").into())
    }
}
