//! The identifiers of capabilities.

use std::fmt::{self, Display, Write as _};

/// A capability with parameters, which are written after its identifier:
/// `urn:ietf:params:netconf:capability:with-defaults:1.0?basic-mode=explicit`.
#[derive(Clone, Copy, Debug)]
pub struct Capability<'a> {
    /// The identifier, a URI without a query.
    pub uri: &'a str,
    /// Names and values of the parameters.
    pub parameters: &'a [(&'a str, &'a str)],
}

/// The capability of a module of YANG version 1 (RFC 6020 §5.6.4).
#[derive(Clone, Copy, Debug)]
pub struct ModuleCapability<'a> {
    /// The namespace of the module.
    pub namespace: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Its revision, if it has one.
    pub revision: Option<&'a str>,
    /// Its features that are supported.
    pub features: &'a [&'a str],
    /// The names of the modules that deviate from it.
    pub deviations: &'a [&'a str],
}

impl Display for Capability<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.uri)?;
        let mut separator = '?';
        for (name, value) in self.parameters {
            write!(f, "{separator}{name}={}", Escaped(value))?;
            separator = '&';
        }
        Ok(())
    }
}

impl Display for ModuleCapability<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The namespace may itself have a query.
        let separator = if self.namespace.contains('?') { '&' } else { '?' };
        write!(f, "{}{separator}module={}", self.namespace, Escaped(self.name))?;
        if let Some(revision) = self.revision {
            write!(f, "&revision={}", Escaped(revision))?;
        }
        write_list(f, "features", self.features)?;
        write_list(f, "deviations", self.deviations)
    }
}

fn write_list(f: &mut fmt::Formatter<'_>, parameter: &str, names: &[&str]) -> fmt::Result {
    for (index, name) in names.iter().enumerate() {
        match index {
            0 => write!(f, "&{parameter}=")?,
            _ => f.write_char(',')?,
        }
        write!(f, "{}", Escaped(name))?;
    }
    Ok(())
}

/// A value in which every octet is escaped that is not an unreserved character (RFC 3986 §2.3), a
/// comma or a colon.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for octet in self.0.bytes() {
            match octet {
                b'-' | b'.' | b'_' | b'~' | b',' | b':' => f.write_char(char::from(octet))?,
                _ if octet.is_ascii_alphanumeric() => f.write_char(char::from(octet))?,
                _ => write!(f, "%{octet:02X}")?,
            }
        }
        Ok(())
    }
}
