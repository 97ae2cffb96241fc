//! The directive `alias NAME ADDRESS`: names for agent addresses, used as `alias:NAME`.

use std::collections::HashMap;

/// The agent addresses of `alias` directives, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Aliases {
    addresses: HashMap<String, String>,
}

impl Aliases {
    /// Adds the values of a directive. A later directive replaces an earlier one of the same name.
    pub(super) fn add(&mut self, values: Vec<String>) -> Result<(), &'static str> {
        let [name, address] = <[String; 2]>::try_from(values).map_err(|_| "Should be NAME ADDRESS")?;
        self.addresses.insert(name, address);
        Ok(())
    }

    /// Returns the address for a text that a user typed. Any other text than `alias:NAME` is the
    /// address itself.
    ///
    /// # Errors
    /// The reason, if no such alias exists or the aliases refer to each other in a loop.
    pub(crate) fn resolve<'a>(&'a self, typed: &'a str) -> Result<&'a str, String> {
        let mut address = typed;
        for _ in 0..=self.addresses.len() {
            let Some(name) = alias_name(address) else { return Ok(address) };
            let found = self.addresses.get(name);
            address = found.ok_or_else(|| format!("snmp.conf has no line `alias {name} ADDRESS`"))?;
        }
        Err(format!("the alias directives of snmp.conf refer to each other: {address}"))
    }
}

fn alias_name(address: &str) -> Option<&str> {
    let (transport, name) = address.split_once(':')?;
    transport.eq_ignore_ascii_case("alias").then_some(name)
}

#[cfg(test)]
mod tests;
