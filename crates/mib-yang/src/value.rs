//! Values in SNMP from the canonical text of a leaf, and back.

use portreeve_datastore::{Refusal, RefusalKind};
use portreeve_smi::{Oid, OidBuf, OidRef, Value};
use portreeve_yang::{ModuleNames, Schema, TypeId, TypeKind, ValueReason, base64, decode_base64};

use crate::form::Form;

/// The type of a leaf in both worlds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueType {
    pub(crate) form: Form,
    /// The type of the leaf, before leafrefs.
    pub(crate) type_id: TypeId,
}

/// Memory for values that are not in the tree as SNMP has them. Kept between requests.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    octets: Vec<u8>,
    arcs: OidBuf,
}

impl ValueType {
    /// Returns the value in SNMP of a canonical text. Returns `None` if SNMP cannot show it: a
    /// string that is too long, or an object identifier with too many arcs.
    pub(crate) fn to_smi<'v>(
        self,
        schema: &Schema,
        text: &'v str,
        scratch: &'v mut Scratch,
    ) -> Option<Value<'v>> {
        Some(match self.form {
            Form::Integer => Value::Integer(text.parse().ok()?),
            Form::Unsigned => Value::Gauge32(text.parse().ok()?),
            Form::Counter32 => Value::Counter32(text.parse().ok()?),
            Form::TimeTicks => Value::TimeTicks(text.parse().ok()?),
            Form::Counter64 => Value::Counter64(text.parse().ok()?),
            Form::Boolean => Value::Integer(if text == "true" { TRUE } else { FALSE }),
            Form::RowStatus => Value::Integer(ACTIVE),
            Form::Enumeration => Value::Integer(self.number(schema, text)?),
            Form::Text => Value::OctetString(Some(text.as_bytes()).filter(|text| text.len() <= MAX_OCTETS)?),
            Form::Octets => {
                scratch.octets = decode_base64(text).filter(|octets| octets.len() <= MAX_OCTETS)?;
                Value::OctetString(&scratch.octets)
            }
            Form::Bits => {
                self.set_bits(schema, text, &mut scratch.octets)?;
                Value::OctetString(&scratch.octets)
            }
            Form::ObjectId => {
                let oid: Oid = text.parse().ok()?;
                scratch.arcs.set(&oid).ok()?;
                Value::ObjectId(OidRef::Arcs(&scratch.arcs))
            }
        })
    }

    /// Returns true if SNMP can show a canonical text.
    pub(crate) fn has_smi(self, text: &str) -> bool {
        match self.form {
            Form::Text => text.len() <= MAX_OCTETS,
            Form::Octets => text.len() / 4 * 3 <= MAX_OCTETS,
            Form::ObjectId => text.parse::<Oid>().is_ok(),
            _ => true,
        }
    }

    /// Returns the canonical text of a value in SNMP.
    ///
    /// # Errors
    /// The value has another type, or the type of the leaf does not permit it.
    pub(crate) fn to_text(self, schema: &Schema, value: &Value<'_>) -> Result<Box<str>, Refusal> {
        let unknown = || Refusal::new(RefusalKind::WrongValue, "the type has no such value");
        let text = match (self.form, value) {
            (Form::Integer, Value::Integer(number)) => number.to_string(),
            (Form::Unsigned, Value::Gauge32(number)) | (Form::TimeTicks, Value::TimeTicks(number)) => {
                number.to_string()
            }
            (Form::Boolean, Value::Integer(TRUE)) => "true".to_owned(),
            (Form::Boolean, Value::Integer(FALSE)) => "false".to_owned(),
            (Form::Boolean, Value::Integer(_)) => return Err(unknown()),
            (Form::Enumeration, Value::Integer(number)) => {
                self.name(schema, *number).ok_or_else(unknown)?.to_owned()
            }
            (Form::Text, Value::OctetString(octets)) => match str::from_utf8(octets) {
                Ok(text) => text.to_owned(),
                Err(_) => return Err(Refusal::new(RefusalKind::WrongValue, "the text is not UTF-8")),
            },
            (Form::Octets, Value::OctetString(octets)) => base64(octets),
            (Form::Bits, Value::OctetString(octets)) => self.names(schema, octets).ok_or_else(unknown)?,
            (Form::ObjectId, Value::ObjectId(oid)) => portreeve_smi::display_arcs(&oid.to_buf()).to_string(),
            _ => return Err(RefusalKind::WrongType.into()),
        };
        match schema.canonical(self.type_id, &text, &ModuleNames::new(schema)) {
            Ok(canonical) => Ok(canonical.into()),
            Err(error) => {
                let kind = match error.reason {
                    ValueReason::InvalidLength => RefusalKind::WrongLength,
                    _ => RefusalKind::WrongValue,
                };
                Err(Refusal::new(kind, error.to_string()))
            }
        }
    }

    fn kind(self, schema: &Schema) -> &TypeKind {
        &schema.value_type(schema.real_type(self.type_id)).kind
    }

    /// Returns the number of a name of an enumeration.
    fn number(self, schema: &Schema, name: &str) -> Option<i32> {
        match self.kind(schema) {
            TypeKind::Enumeration { values } => {
                values.iter().find(|value| *value.name == *name).map(|value| value.value)
            }
            _ => None,
        }
    }

    /// Returns the name of a number of an enumeration.
    fn name(self, schema: &Schema, number: i32) -> Option<&str> {
        match self.kind(schema) {
            TypeKind::Enumeration { values } => {
                values.iter().find(|value| value.value == number).map(|value| &*value.name)
            }
            _ => None,
        }
    }

    /// Makes octets of the names of bits, which are ordered by their positions (RFC 2578 §7.1.4).
    fn set_bits(self, schema: &Schema, names: &str, octets: &mut Vec<u8>) -> Option<()> {
        let TypeKind::Bits { bits } = self.kind(schema) else { return None };
        octets.clear();
        let mut rest = bits.iter();
        for name in names.split(' ').filter(|name| !name.is_empty()) {
            let position = rest.find(|bit| *bit.name == *name)?.position;
            let index = usize::try_from(position / 8).ok()?;
            if octets.len() <= index {
                octets.resize(index + 1, 0);
            }
            *octets.get_mut(index)? |= HIGHEST >> (position % 8);
        }
        Some(())
    }

    /// Returns the names of the bits that are set. Returns `None` if a bit has no name.
    fn names(self, schema: &Schema, octets: &[u8]) -> Option<String> {
        let TypeKind::Bits { bits } = self.kind(schema) else { return None };
        let is_set = |position: u32| {
            let octet = usize::try_from(position / 8).ok().and_then(|index| octets.get(index));
            octet.is_some_and(|octet| octet & (HIGHEST >> (position % 8)) != 0)
        };
        let names: Vec<&str> = bits.iter().filter(|bit| is_set(bit.position)).map(|bit| &*bit.name).collect();
        let set: u32 = octets.iter().map(|octet| octet.count_ones()).sum();
        (usize::try_from(set).ok()? == names.len()).then(|| names.join(" "))
    }
}

/// The numbers of TruthValue (RFC 2579 §2).
const TRUE: i32 = 1;
const FALSE: i32 = 2;

/// The status of each row that exists (RFC 2579 §2).
const ACTIVE: i32 = 1;

/// The bit with position 0 in an octet.
const HIGHEST: u8 = 0x80;

/// The maximum length of an OCTET STRING (RFC 2578 §7.1.2).
const MAX_OCTETS: usize = 65_535;

#[cfg(test)]
mod tests;
