//! Values as `set` takes them: a letter for the type, and text.

use std::net::Ipv4Addr;

use portreeve_mib::{Base, Syntax, names};
use portreeve_smi::{Oid, OwnedValue};

/// The letters.
pub(super) const KINDS: [char; 12] = ['=', 'i', 'u', 't', 'a', 'o', 's', 'x', 'd', 'b', 'U', 'n'];

/// Reads the value of the instance `name`. Errors are in Net-SNMP's words.
pub(super) fn read(name: &[u32], kind: char, text: &str) -> Result<OwnedValue, String> {
    let syntax = syntax(name);
    let bad = || format!("Bad value notation ({text})");
    let out_of_range = || format!("Value out of range ({text})");
    Ok(match kind {
        '=' => {
            let kind = syntax.map(own_kind).ok_or_else(|| "Bad variable type (\"=\")".to_owned())?;
            return read(name, kind, text);
        }
        'i' => {
            let label = || syntax.and_then(|syntax| syntax.number(text));
            OwnedValue::Integer(text.parse().ok().or_else(label).ok_or_else(out_of_range)?)
        }
        'u' => match syntax.map(|syntax| syntax.base) {
            Some(Base::Counter32) => OwnedValue::Counter32(text.parse().map_err(|_| bad())?),
            _ => OwnedValue::Gauge32(text.parse().map_err(|_| bad())?),
        },
        't' => OwnedValue::TimeTicks(text.parse().map_err(|_| bad())?),
        'U' => OwnedValue::Counter64(text.parse().map_err(|_| bad())?),
        'a' => OwnedValue::IpAddress(text.parse::<Ipv4Addr>().map_err(|_| bad())?.octets()),
        'o' => {
            let oid = names::parse(text).map_err(|error| error.to_string())?;
            OwnedValue::ObjectId(Oid::new(&oid).map_err(|_| bad())?)
        }
        's' => OwnedValue::OctetString(text.as_bytes().to_vec()),
        'x' => OwnedValue::OctetString(hexadecimal(text).ok_or_else(bad)?),
        'd' => OwnedValue::OctetString(decimal(text).ok_or_else(bad)?),
        'b' => OwnedValue::OctetString(bits(syntax, text).ok_or_else(out_of_range)?),
        'n' => OwnedValue::Null,
        _ => return Err(format!("Bad variable type (\"{kind}\")")),
    })
}

fn syntax(name: &[u32]) -> Option<&'static Syntax> {
    names::resolve(name)?.object.leaf().map(|leaf| &leaf.syntax)
}

/// The letter for an object's own type.
fn own_kind(syntax: &Syntax) -> char {
    match syntax.base {
        Base::Integer32 => 'i',
        Base::Gauge32 | Base::Unsigned32 | Base::Counter32 => 'u',
        Base::TimeTicks => 't',
        Base::IpAddress => 'a',
        Base::ObjectIdentifier => 'o',
        Base::Counter64 => 'U',
        Base::Bits => 'b',
        Base::OctetString | Base::Opaque => 's',
    }
}

/// Pairs of digits, with or without `0x` before each run and blanks between the pairs.
fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    let mut octets = Vec::new();
    for word in text.split_ascii_whitespace() {
        let digits = word.strip_prefix("0x").unwrap_or(word).as_bytes();
        for pair in digits.chunks(2) {
            let [high, low] = pair else { return None };
            let digit = |digit: u8| char::from(digit).to_digit(16);
            octets.push(u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()?);
        }
    }
    Some(octets)
}

/// Numbers below 256 with dots or blanks between them.
fn decimal(text: &str) -> Option<Vec<u8>> {
    let words = text.split(|c: char| c == '.' || c.is_ascii_whitespace()).filter(|word| !word.is_empty());
    words.map(|word| word.parse().ok()).collect()
}

/// Positions or labels of the bits that are set, with commas or blanks between them.
fn bits(syntax: Option<&Syntax>, text: &str) -> Option<Vec<u8>> {
    let mut octets = Vec::new();
    let words = text.split(|c: char| c == ',' || c.is_ascii_whitespace()).filter(|word| !word.is_empty());
    for word in words {
        let label = || syntax.and_then(|syntax| usize::try_from(syntax.number(word)?).ok());
        let bit: usize = word.parse().ok().or_else(label).filter(|bit| *bit <= HIGHEST_BIT)?;
        if octets.len() <= bit / 8 {
            octets.resize(bit / 8 + 1, 0);
        }
        *octets.get_mut(bit / 8)? |= 0x80 >> (bit % 8);
    }
    Some(octets)
}

const HIGHEST_BIT: usize = 8 * 65_535 - 1;

#[cfg(test)]
mod tests;
