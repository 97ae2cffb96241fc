//! The names of notifications and hosts in configuration files.

use std::{
    io,
    net::{IpAddr, ToSocketAddrs},
};

use portreeve_mib::{
    Object,
    names::{self, BUILT_IN},
};
use portreeve_smi::{Oid, OidError};

/// Returns the identifier of a number with dots, or of a name with or without its module.
pub(super) fn resolve(text: &str) -> Result<Oid, String> {
    let object = match text.split_once("::") {
        Some((module, name)) => object_of(module, name)?,
        None => match names::object(text) {
            Some(object) => object,
            None if is_number(text) => return text.parse().map_err(|error: OidError| error.to_string()),
            None => return Err(unknown(text)),
        },
    };
    Oid::new(&object.oid()).map_err(|error| error.to_string())
}

/// Returns the definition of a name in a module.
fn object_of(module: &str, name: &str) -> Result<&'static Object, String> {
    let mut modules = BUILT_IN.modules().iter().filter(|known| known.name == module).peekable();
    if modules.peek().is_none() {
        return Err(format!("unknown module {module:?}"));
    }
    let object = modules.find_map(|module| names::object_in(module, name));
    object.ok_or_else(|| match names::object(name).and_then(names::module_of) {
        Some(other) => format!("the module does not define this name, but {} does", other.name),
        None => unknown(&format!("{module}::{name}")),
    })
}

fn is_number(text: &str) -> bool {
    text.starts_with(|first: char| first == '.' || first.is_ascii_digit())
}

fn unknown(text: &str) -> String {
    match BUILT_IN.similar(text) {
        Some(similar) => format!("unknown name; a similar one is {similar}"),
        None => "unknown name".to_owned(),
    }
}

pub(super) fn resolve_host(name: &str) -> io::Result<Vec<IpAddr>> {
    Ok((name, 0).to_socket_addrs()?.map(|address| address.ip()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_and_number_are_resolved() {
        for text in ["linkDown", "IF-MIB::linkDown", ".1.3.6.1.6.3.1.1.5.3", "1.3.6.1.6.3.1.1.5.3"] {
            assert_eq!(resolve(text), Ok("1.3.6.1.6.3.1.1.5.3".parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn module_must_define_the_name() {
        for (text, reason) in [
            ("BAD-MIB::linkDown", "unknown module \"BAD-MIB\""),
            ("::linkDown", "unknown module \"\""),
            ("IF-MIB::coldStart", "the module does not define this name, but SNMPv2-MIB does"),
            ("IF-MIB::linkUpp", "unknown name; a similar one is IF-MIB::linkUp"),
            ("IF-MIB::nothing", "unknown name"),
            ("IF-MIB::.1.3", "unknown name"),
            ("linkDwon", "unknown name; a similar one is linkDown"),
            ("", "unknown name"),
            (".1.3.x", "expected numbers below 4294967296 joined by dots, for example 1.3.6.1.2.1"),
        ] {
            assert_eq!(resolve(text), Err(reason.to_owned()), "{text}");
        }
    }
}
