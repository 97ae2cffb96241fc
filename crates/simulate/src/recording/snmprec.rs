//! Lines `OID|TAG|VALUE`. TAG is the BER identifier octet of the type in decimal; a final `x` means
//! that VALUE is in hexadecimal. With `TAG:MODULE`, VALUE contains the settings of a variation.
//! Lines that begin with `#` are comments.

use std::net::Ipv4Addr;

use portreeve_smi::{Oid, OwnedValue};

use super::{
    SyntaxError,
    builder::Builder,
    variation::{self, Notation, Variation},
};

/// Adds all lines of `text` to the recording.
pub(super) fn read(text: &[u8], builder: &mut Builder) {
    for (index, line) in text.split(|octet| *octet == b'\n').enumerate() {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if !line.is_empty() && !line.starts_with(b"#") {
            builder.add_varying(index + 1, instance(line));
        }
    }
}

fn instance(line: &[u8]) -> Result<(Oid, OwnedValue, Option<Variation>), SyntaxError> {
    let mut fields = line.splitn(3, |octet| *octet == b'|');
    let (Some(name), Some(tag), Some(value)) = (fields.next(), fields.next(), fields.next()) else {
        return Err(SyntaxError::Fields);
    };
    let name = text(name).and_then(|name| name.parse().ok()).ok_or(SyntaxError::Name)?;
    let tag = text(tag).ok_or(SyntaxError::Tag)?;
    if let Some((tag, module)) = tag.split_once(':') {
        let settings = text(value).ok_or(SyntaxError::Variation)?;
        let tag = tag.strip_suffix('x').unwrap_or(tag);
        let value_of = |notation, text: &str| match notation {
            Notation::Plain => from_text(tag, text.as_bytes()),
            Notation::Hexadecimal => from_digits(tag, text.as_bytes()),
        };
        let (value, variation) = variation::read(module, tag, settings, value_of)?;
        return Ok((name, value, Some(variation)));
    }
    let value = match tag.strip_suffix('x') {
        Some(tag) => from_digits(tag, value)?,
        None => from_text(tag, value)?,
    };
    Ok((name, value, None))
}

fn from_digits(tag: &str, digits: &[u8]) -> Result<OwnedValue, SyntaxError> {
    from_octets(tag, &hexadecimal(digits).ok_or(SyntaxError::Hexadecimal)?)
}

fn from_text(tag: &str, value: &[u8]) -> Result<OwnedValue, SyntaxError> {
    let written = || text(value).map(str::trim);
    let unsigned = || written().and_then(|text| text.parse().ok()).ok_or(SyntaxError::Number);
    Ok(match tag {
        "2" => OwnedValue::Integer(written().and_then(|text| text.parse().ok()).ok_or(SyntaxError::Number)?),
        "4" => OwnedValue::OctetString(value.to_vec()),
        "5" => OwnedValue::Null,
        "6" => {
            OwnedValue::ObjectId(written().and_then(|text| text.parse().ok()).ok_or(SyntaxError::ObjectId)?)
        }
        "64" => {
            let address: Option<Ipv4Addr> = written().and_then(|text| text.parse().ok());
            OwnedValue::IpAddress(address.ok_or(SyntaxError::IpAddress)?.octets())
        }
        "65" => OwnedValue::Counter32(unsigned()?),
        "66" => OwnedValue::Gauge32(unsigned()?),
        "67" => OwnedValue::TimeTicks(unsigned()?),
        "68" => OwnedValue::Opaque(value.to_vec()),
        "70" => {
            OwnedValue::Counter64(written().and_then(|text| text.parse().ok()).ok_or(SyntaxError::Number)?)
        }
        _ => return Err(SyntaxError::Tag),
    })
}

/// Parses a value given as octets: the string itself, or a number in network byte order.
fn from_octets(tag: &str, octets: &[u8]) -> Result<OwnedValue, SyntaxError> {
    let number = || -> Result<u64, SyntaxError> {
        if octets.is_empty() || octets.len() > 8 {
            return Err(SyntaxError::Number);
        }
        Ok(octets.iter().fold(0, |number, octet| number << 8 | u64::from(*octet)))
    };
    let unsigned = || u32::try_from(number()?).map_err(|_| SyntaxError::Number);
    Ok(match tag {
        "2" => OwnedValue::Integer(unsigned()?.cast_signed()),
        "4" => OwnedValue::OctetString(octets.to_vec()),
        "64" => OwnedValue::IpAddress(octets.try_into().map_err(|_| SyntaxError::IpAddress)?),
        "65" => OwnedValue::Counter32(unsigned()?),
        "66" => OwnedValue::Gauge32(unsigned()?),
        "67" => OwnedValue::TimeTicks(unsigned()?),
        "68" => OwnedValue::Opaque(octets.to_vec()),
        "70" => OwnedValue::Counter64(number()?),
        _ => return Err(SyntaxError::Tag),
    })
}

fn hexadecimal(digits: &[u8]) -> Option<Vec<u8>> {
    let pairs = digits.trim_ascii().chunks(2);
    let digit = |octet: u8| char::from(octet).to_digit(16);
    let octet = |pair: &[u8]| match *pair {
        [high, low] => u8::try_from(digit(high)? * 16 + digit(low)?).ok(),
        _ => None,
    };
    pairs.map(octet).collect()
}

fn text(octets: &[u8]) -> Option<&str> {
    std::str::from_utf8(octets).ok()
}

#[cfg(test)]
mod tests;
