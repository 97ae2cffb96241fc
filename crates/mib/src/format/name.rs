//! Formats names of objects and instances.

use portreeve_smi::display_arcs;

use super::{NameForm, OutputFormat, number::push_arcs, octets};
use crate::{
    Base, Object,
    index::{IndexForm, IndexPart, IndexParts},
    names::ResolvedName,
};

pub(super) fn write(format: &OutputFormat, out: &mut String, name: &[u32]) {
    let found = if format.names == NameForm::Numeric { None } else { format.definitions.resolve(name) };
    let Some(found) = found else {
        // An empty identifier is printed as a dot.
        return if name.is_empty() { out.push('.') } else { push_arcs(out, name) };
    };
    write_object(format, out, &found);
    let index = found.object.index().filter(|_| !format.plain_index);
    let rest = match index {
        Some(index) => {
            let mut parts = IndexParts::new(index, found.suffix);
            for part in parts.by_ref() {
                if format.bracketed_index {
                    *out += "[";
                    write_part(format, out, &part);
                    *out += "]";
                } else {
                    *out += ".";
                    write_part(format, out, &part);
                }
            }
            parts.rest()
        }
        None => found.suffix,
    };
    push_arcs(out, rest);
}

fn write_object(format: &OutputFormat, out: &mut String, found: &ResolvedName<'_>) {
    match format.names {
        // The three roots do not belong to a module.
        NameForm::Module if found.object.parent.is_some() => {
            *out += found.module.name;
            *out += "::";
            *out += found.object.name;
        }
        NameForm::Module | NameForm::Suffix | NameForm::Numeric => *out += found.object.name,
        NameForm::Full => write_path(out, found.object),
        NameForm::Ucd => write_ucd(out, found.object),
    }
}

fn write_path(out: &mut String, object: &Object) {
    if let Some(parent) = object.parent {
        write_path(out, parent);
    }
    *out += ".";
    *out += object.name;
}

/// Appends the path below the first of [`UCD_ROOTS`] that contains the object, or the complete path
/// if none of them contains it.
fn write_ucd(out: &mut String, object: &Object) {
    let mut path = String::new();
    write_path(&mut path, object);
    let short = UCD_ROOTS.iter().find_map(|root| path.strip_prefix(root));
    *out += short.unwrap_or(&path);
}

fn write_part(format: &OutputFormat, out: &mut String, part: &IndexPart<'_>) {
    let Some(syntax) = part.object.syntax() else { return };
    match (syntax.base, part.form) {
        (Base::OctetString, _) if format.bracketed_index && syntax.hint().is_some() => {
            let octets = part.octets().unwrap_or_default();
            octets::write(format, out, syntax, &octets);
        }
        (Base::OctetString, IndexForm::Counted) => match part.inet_address() {
            // Net-SNMP escapes the quotes of text, but not those of addresses.
            Some(address) => *out += &format!("\"{}\"", address.net_snmp()),
            None => quote(format, out, part.arcs, '"'),
        },
        (Base::OctetString, _) => quote(format, out, part.arcs, '\''),
        (Base::ObjectIdentifier, _) if format.bracketed_index => write(format, out, part.arcs),
        (Base::ObjectIdentifier, IndexForm::Counted) => {
            *out += &part.arcs.len().to_string();
            push_arcs(out, part.arcs);
        }
        (_, IndexForm::Number) => {
            let label = part.arcs.first().and_then(|arc| syntax.label(i32::try_from(*arc).ok()?));
            match label {
                Some(label) => *out += label,
                None => *out += &display_arcs(part.arcs).to_string(),
            }
        }
        _ => *out += &display_arcs(part.arcs).to_string(),
    }
}

/// Appends a string of an index. `quote` is a double quote if the length of the string is encoded,
/// and a single quote otherwise.
fn quote(format: &OutputFormat, out: &mut String, arcs: &[u32], quote: char) {
    let escape = if format.escaped_quotes { "\\" } else { "" };
    let text: String = arcs.iter().map(|arc| printable(*arc)).collect();
    *out += &format!("{escape}{quote}{text}{escape}{quote}");
}

fn printable(arc: u32) -> char {
    match u8::try_from(arc) {
        Ok(octet) if octet == b' ' || octet.is_ascii_graphic() => char::from(octet),
        _ => '.',
    }
}

const UCD_ROOTS: &[&str] = &[
    ".iso.org.dod.internet.mgmt.mib-2.",
    ".iso.org.dod.internet.experimental.",
    ".iso.org.dod.internet.private.",
];
