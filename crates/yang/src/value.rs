//! Canonical values (RFC 7950 §9).
//!
//! ```text
//! text of a document ── Schema::canonical ──▶ canonical text ── Schema::write_value ──▶ XML text
//!  (its own prefixes)                          (module names)                       (prefixes)
//! ```
//! Two canonical texts of one type are equal if their values are equal. RFC 7950 defines no
//! canonical form for the two types that contain names; here, it is the one of RFC 7951, but an
//! identity always has its module:
//!
//! | type | canonical text |
//! |---|---|
//! | identityref | `iana-if-type:ethernetCsmacd` |
//! | instance-identifier | `/ietf-interfaces:interfaces/interface[name='eth0']/ietf-ip:ipv4` |
//!
//! A canonical text does not record which member of a union accepted it: it is a value of the first
//! member that accepts this text. If a member with names precedes a string, a string such as
//! `iana-if-type:ethernetCsmacd` is therefore taken for an identity, whatever prefixes the document
//! declares.

mod binary;
mod error;
mod instance_identifier;
mod names;
mod number;
mod patterns;
mod prefixes;
#[cfg(test)]
mod tests;
mod text;

use std::borrow::Cow;

pub use error::{ValueError, ValueReason};
pub(crate) use patterns::Patterns;
pub use prefixes::{ModuleNames, PrefixResolver};

use crate::{MAX_TYPE_DEPTH, ModuleId, PatternError, Schema, TypeId, TypeKind};
use error::Refusal;
use number::Notation;

/// The white space of XML.
const XML_SPACE: [char; 4] = [' ', '\t', '\r', '\n'];

impl Schema {
    /// Returns the canonical text of a value as a document has it. Borrows the text if it is
    /// canonical already.
    ///
    /// For a leafref, this is a value of the target's type. Neither the existence of what a
    /// leafref or instance-identifier names is checked, nor that it is configuration.
    ///
    /// # Errors
    /// The text is not a value of the type, or a restriction of the type refuses it.
    pub fn canonical<'t>(
        &self,
        value_type: TypeId,
        text: &'t str,
        prefixes: &dyn PrefixResolver,
    ) -> Result<Cow<'t, str>, ValueError> {
        Ok(Reader::new(self, prefixes).value(value_type, text)?)
    }

    /// Returns the canonical text of the argument of a `default` statement, in which integers can
    /// be hexadecimal or octal (RFC 7950 §9.2.1).
    ///
    /// # Errors
    /// The text is not a value of the type, or a restriction of the type refuses it.
    pub fn canonical_default<'t>(
        &self,
        value_type: TypeId,
        text: &'t str,
        prefixes: &dyn PrefixResolver,
    ) -> Result<Cow<'t, str>, ValueError> {
        let reader = Reader { notation: Notation::Any, ..Reader::new(self, prefixes) };
        Ok(reader.value(value_type, text)?)
    }

    /// Returns the type that a canonical value belongs to, after leafrefs and unions: that of the
    /// first member which accepts it. `None` if the text is not a value of the type.
    pub fn member_type(&self, value_type: TypeId, canonical: &str) -> Option<TypeId> {
        let names = ModuleNames::new(self);
        let found = Reader::new(self, &names).member(value_type, canonical, 0);
        found.ok().map(|(member, _)| member)
    }

    /// Returns the modules that a canonical value names, each once. XML needs a namespace
    /// declaration for each of them.
    pub fn modules_in_value(&self, value_type: TypeId, canonical: &str) -> Vec<ModuleId> {
        let mut modules = Vec::new();
        // The writer asks for a prefix whenever it writes a name.
        let asked = std::cell::RefCell::new(&mut modules);
        let prefix_of = |module: ModuleId| {
            let mut modules = asked.borrow_mut();
            if !modules.contains(&module) {
                modules.push(module);
            }
            ""
        };
        self.write_value(value_type, canonical, &prefix_of, &mut String::new());
        modules
    }

    /// Appends a canonical value as XML has it, with these prefixes instead of module names. The
    /// caller escapes it. A text that is not a value of the type is written as it is.
    ///
    /// An empty prefix stands for the default namespace, which is not possible in an instance
    /// identifier (RFC 7950 §9.13.2).
    pub fn write_value<'p>(
        &self,
        value_type: TypeId,
        canonical: &str,
        prefix_of: &dyn Fn(ModuleId) -> &'p str,
        output: &mut String,
    ) {
        if !self.has_names(value_type, 0)
            || names::write(self, value_type, canonical, prefix_of, output).is_none()
        {
            output.push_str(canonical);
        }
    }

    /// Returns the patterns of all types that cannot be compiled. The compiler of the schema
    /// refuses them. A type with such a pattern accepts no value.
    pub fn invalid_patterns(&self) -> Vec<(&str, PatternError)> {
        self.patterns.invalid()
    }

    /// Returns true if a type is a union, after leafrefs.
    fn is_union(&self, mut value_type: TypeId) -> bool {
        for _ in 0..=MAX_TYPE_DEPTH {
            match &self.value_type(value_type).kind {
                TypeKind::Union { .. } => return true,
                TypeKind::Leafref { target, .. } => match self.type_of(*target) {
                    Some(target) => value_type = target,
                    None => return false,
                },
                _ => return false,
            }
        }
        false
    }

    /// Returns true if a value of the type can contain the name of a module.
    fn has_names(&self, value_type: TypeId, depth: usize) -> bool {
        match &self.value_type(value_type).kind {
            TypeKind::Identityref { .. } | TypeKind::InstanceIdentifier { .. } => true,
            TypeKind::Leafref { target, .. } if depth < MAX_TYPE_DEPTH => {
                self.type_of(*target).is_some_and(|target| self.has_names(target, depth + 1))
            }
            TypeKind::Union { members } if depth < MAX_TYPE_DEPTH => {
                members.iter().any(|member| self.has_names(*member, depth + 1))
            }
            _ => false,
        }
    }
}

/// Reads values of one document.
#[derive(Clone, Copy)]
struct Reader<'s> {
    schema: &'s Schema,
    prefixes: &'s dyn PrefixResolver,
    notation: Notation,
}

impl<'s> Reader<'s> {
    fn new(schema: &'s Schema, prefixes: &'s dyn PrefixResolver) -> Self {
        Self { schema, prefixes, notation: Notation::Decimal }
    }

    /// Returns the canonical text of a value.
    fn value<'t>(&self, value_type: TypeId, text: &'t str) -> Result<Cow<'t, str>, Refusal<'s>> {
        let (_, mut value) = self.member(value_type, text, 0)?;
        if !self.schema.is_union(value_type) {
            return Ok(value);
        }
        // An earlier member can accept the canonical text, such as a decimal number for the base64
        // `1 2 3 4`. Each further reading ends at the same or an earlier member, so that the text
        // becomes one that is read as the same value for ever.
        let names = ModuleNames::new(self.schema);
        let reader = Reader::new(self.schema, &names);
        for _ in 0..MAX_UNION_READINGS {
            let Ok((_, again)) = reader.member(value_type, &value, 0) else { break };
            if again == value {
                return Ok(value);
            }
            value = Cow::Owned(again.into_owned());
        }
        Err(ValueReason::NoMember.into())
    }

    /// Returns the canonical text of a value, and its type after leafrefs and unions. The depth is
    /// the number of leafrefs and unions around the type.
    fn member<'t>(
        &self,
        value_type: TypeId,
        text: &'t str,
        depth: usize,
    ) -> Result<(TypeId, Cow<'t, str>), Refusal<'s>> {
        if depth > MAX_TYPE_DEPTH {
            return Err(ValueReason::TooDeep.into());
        }
        let value = match &self.schema.value_type(value_type).kind {
            TypeKind::Leafref { target, .. } => {
                let target = self.schema.type_of(*target).ok_or(ValueReason::NoMember)?;
                return self.member(target, text, depth + 1);
            }
            TypeKind::Union { members } => {
                let accepted = members.iter().find_map(|member| self.member(*member, text, depth + 1).ok());
                return accepted.ok_or(ValueReason::NoMember.into());
            }
            TypeKind::String { length, patterns } => {
                text::check_string(text, length.as_ref())?;
                self.schema.patterns.check(value_type, patterns, text)?;
                Cow::Borrowed(text)
            }
            TypeKind::Integer { kind, range } => number::integer(*kind, range.as_ref(), text, self.notation)?,
            TypeKind::Decimal64 { fraction_digits, range } => {
                number::decimal64(*fraction_digits, range.as_ref(), text)?
            }
            TypeKind::Boolean if text == "true" || text == "false" => Cow::Borrowed(text),
            TypeKind::Boolean => return Err(ValueReason::NotBoolean.into()),
            TypeKind::Enumeration { values } if values.iter().any(|value| *value.name == *text) => {
                Cow::Borrowed(text)
            }
            TypeKind::Enumeration { .. } => return Err(ValueReason::UnknownEnum.into()),
            TypeKind::Bits { bits } => names::bits(bits, text)?,
            TypeKind::Binary { length } => binary::canonical(text, length.as_ref())?,
            TypeKind::Empty if text.is_empty() => Cow::Borrowed(text),
            TypeKind::Empty => return Err(ValueReason::NotEmpty.into()),
            TypeKind::Identityref { bases } => names::identity(self.schema, self.prefixes, bases, text)?,
            TypeKind::InstanceIdentifier { .. } => {
                let path = instance_identifier::read(self, text)?;
                instance_identifier::canonical(self.schema, &path, text)?
            }
        };
        Ok((value_type, value))
    }
}

/// The maximum number of times that a value of a union is read until its text stays the same.
const MAX_UNION_READINGS: usize = 16;
