//! Bits and identities (RFC 7950 §9.7, §9.10), and names in XML.

use std::borrow::Cow;

use crate::{Bit, IdentityId, ModuleId, Schema, TypeId, TypeKind};

use super::instance_identifier::{self, Style};
use super::{ModuleNames, PrefixResolver, Reader, ValueReason, XML_SPACE};

/// Returns the canonical text of a set of bits: their names by position, with single spaces.
pub(super) fn bits<'t>(bits: &[Bit], text: &'t str) -> Result<Cow<'t, str>, ValueReason> {
    let mut set = Vec::new();
    for name in text.split(XML_SPACE).filter(|name| !name.is_empty()) {
        let index = bits.iter().position(|bit| *bit.name == *name).ok_or(ValueReason::UnknownBit)?;
        // Sorted, so that a name of a long list is found without visiting all before it.
        match set.binary_search(&index) {
            Ok(_) => return Err(ValueReason::DuplicateBit),
            Err(place) => set.insert(place, index),
        }
    }
    let names: Vec<&str> = set.iter().filter_map(|index| bits.get(*index)).map(|bit| &*bit.name).collect();
    let canonical = names.join(" ");
    Ok(if canonical == text { Cow::Borrowed(text) } else { Cow::Owned(canonical) })
}

/// Returns the canonical text of an identity: its module's name, a colon and its name.
pub(super) fn identity<'t>(
    schema: &Schema,
    prefixes: &dyn PrefixResolver,
    bases: &[IdentityId],
    text: &'t str,
) -> Result<Cow<'t, str>, ValueReason> {
    let (module, name) = match text.split_once(':') {
        Some(("", _)) => return Err(ValueReason::UnknownPrefix),
        Some((prefix, name)) => (prefixes.module(prefix), name),
        None => (prefixes.default_module(), text),
    };
    let module = module.ok_or(ValueReason::UnknownPrefix)?;
    // The identities of modules that are only imported are not values (RFC 7950 §9.10.2).
    let module_definition = Some(schema.module(module)).filter(|module| module.is_implemented);
    let module_name = &module_definition.ok_or(ValueReason::UnknownIdentity)?.name;
    let identity = schema.identity_by_name(module, name).ok_or(ValueReason::UnknownIdentity)?;
    if !bases.iter().all(|base| schema.is_derived(identity, *base)) {
        return Err(ValueReason::NotDerived);
    }
    let is_canonical = text.strip_suffix(name).and_then(|start| start.strip_suffix(':')) == Some(module_name);
    Ok(if is_canonical { Cow::Borrowed(text) } else { Cow::Owned(format!("{module_name}:{name}")) })
}

/// Appends a canonical value with other prefixes. Returns `None` and appends nothing if it is not a
/// value of the type.
pub(super) fn write<'p>(
    schema: &Schema,
    value_type: TypeId,
    canonical: &str,
    prefix_of: &dyn Fn(ModuleId) -> &'p str,
    output: &mut String,
) -> Option<()> {
    let names = ModuleNames::new(schema);
    let reader = Reader::new(schema, &names);
    let (member, _) = reader.member(value_type, canonical, 0).ok()?;
    match &schema.value_type(member).kind {
        TypeKind::Identityref { .. } => {
            let (module, name) = canonical.split_once(':')?;
            push_qualified(prefix_of(schema.module_by_name(module)?), name, output);
        }
        TypeKind::InstanceIdentifier { .. } => {
            let path = instance_identifier::read(&reader, canonical).ok()?;
            output.push_str(&instance_identifier::write(schema, &path, Style::Xml(prefix_of)).ok()?);
        }
        _ => output.push_str(canonical),
    }
    Some(())
}

/// Appends a name with its prefix. An empty prefix stands for the default namespace.
pub(super) fn push_qualified(prefix: &str, name: &str, output: &mut String) {
    if !prefix.is_empty() {
        output.push_str(prefix);
        output.push(':');
    }
    output.push_str(name);
}
