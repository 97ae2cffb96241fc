//! Types of leafs, leaf-lists and union members.

use portreeve_yang::{
    Bit, EnumValue, ErrorStatements, IntegerKind, Interval, LeafrefPath, LeafrefPredicate, LeafrefStart,
    LeafrefStep, LengthRestriction, NodeId, PatternRestriction, RangeRestriction, Type, TypeId, TypeKind,
    Typedef,
};

use super::{
    Converter,
    leafref::{ResolvedPath, resolve},
};
use crate::libyang::{BaseType, Bounds, Identity, Node, Pattern, Type as CompiledType, TypeItem};

impl<'c> Converter<'c, '_> {
    /// Converts the type of a leaf or leaf-list.
    pub(super) fn leaf_type(&mut self, leaf: Node<'c>, compiled: CompiledType<'c>) -> TypeId {
        self.value_type(leaf, compiled, None, 0)
    }

    /// Converts a type. Leafs share equal types, except if a leafref is part of them, because its
    /// target depends on the leaf.
    fn value_type(
        &mut self,
        leaf: Node<'c>,
        compiled: CompiledType<'c>,
        outer: Option<&str>,
        depth: usize,
    ) -> TypeId {
        // Types that are shared by leafs of different modules have the same typedef.
        let key = compiled.address();
        if let Some(known) = self.types.get(&key) {
            return *known;
        }
        let typedef = compiled.typedef().and_then(|name| {
            let module = self.locator.typedef_module(leaf, name, outer)?;
            Some(Typedef { module: module.into(), name: name.into() })
        });
        let outer = typedef.as_ref().map(|typedef| typedef.module.to_string());
        let kind = if depth > portreeve_yang::MAX_TYPE_DEPTH {
            self.reject(leaf, "the type has too many unions within one another");
            TypeKind::Empty
        } else {
            self.type_kind(leaf, compiled, outer.as_deref(), depth)
        };
        let converted = Type { typedef, kind };
        if has_leafref(compiled, 0) {
            let id = self.builder.add_type(converted);
            self.type_users.insert(id.index(), leaf);
            if compiled.base() == Some(BaseType::LeafRef) {
                self.leafrefs.push((id, leaf, compiled));
            }
            return id;
        }
        let builder = &mut self.builder;
        let description = format!("{converted:?}");
        let id = *self.equal_types.entry(description).or_insert_with(|| builder.add_type(converted));
        self.types.insert(key, id);
        self.type_users.entry(id.index()).or_insert(leaf);
        id
    }

    fn type_kind(
        &mut self,
        leaf: Node<'c>,
        compiled: CompiledType<'c>,
        outer: Option<&str>,
        depth: usize,
    ) -> TypeKind {
        let Some(base) = compiled.base() else {
            self.reject(leaf, "the type is unknown");
            return TypeKind::Empty;
        };
        match base {
            BaseType::Binary => TypeKind::Binary { length: length(compiled) },
            BaseType::Bits => {
                let bit = |item: TypeItem<'_>| Bit {
                    name: item.name.into(),
                    position: u32::try_from(item.number).unwrap_or(u32::MAX),
                };
                let mut bits: Vec<_> = compiled.items().into_iter().map(bit).collect();
                bits.sort_by_key(|bit| bit.position);
                TypeKind::Bits { bits }
            }
            BaseType::Boolean => TypeKind::Boolean,
            BaseType::Decimal64 => TypeKind::Decimal64 {
                fraction_digits: compiled.fraction_digits().unwrap_or_default(),
                range: range(compiled),
            },
            BaseType::Empty => TypeKind::Empty,
            BaseType::Enumeration => {
                let value = |item: TypeItem<'_>| EnumValue {
                    name: item.name.into(),
                    value: i32::try_from(item.number).unwrap_or(i32::MAX),
                };
                TypeKind::Enumeration { values: compiled.items().into_iter().map(value).collect() }
            }
            BaseType::IdentityRef => {
                let bases = compiled.bases();
                let known = |base: &Identity<'_>| self.identities.get(&base.address()).copied();
                TypeKind::Identityref { bases: bases.iter().filter_map(known).collect() }
            }
            BaseType::InstanceIdentifier => {
                TypeKind::InstanceIdentifier { require_instance: compiled.requires_instance() }
            }
            // The target is set when all nodes are known.
            BaseType::LeafRef => TypeKind::Empty,
            BaseType::String => self.string(leaf, compiled),
            BaseType::Union => {
                let members = compiled.members();
                let members = members
                    .into_iter()
                    .map(|member| self.value_type(leaf, member, outer, depth + 1))
                    .collect();
                TypeKind::Union { members }
            }
            BaseType::Int8 => integer(compiled, IntegerKind::Int8),
            BaseType::Int16 => integer(compiled, IntegerKind::Int16),
            BaseType::Int32 => integer(compiled, IntegerKind::Int32),
            BaseType::Int64 => integer(compiled, IntegerKind::Int64),
            BaseType::Uint8 => integer(compiled, IntegerKind::Uint8),
            BaseType::Uint16 => integer(compiled, IntegerKind::Uint16),
            BaseType::Uint32 => integer(compiled, IntegerKind::Uint32),
            BaseType::Uint64 => integer(compiled, IntegerKind::Uint64),
        }
    }

    fn string(&mut self, leaf: Node<'c>, compiled: CompiledType<'c>) -> TypeKind {
        let patterns = compiled.patterns();
        if patterns.iter().any(|pattern| pattern.is_posix) {
            self.reject(leaf, "the type has a POSIX pattern, which is not supported");
        }
        for pattern in &patterns {
            // The agent compiles the pattern again, which cannot fail then.
            if let Err(error) = portreeve_yang::Pattern::new(pattern.expression) {
                self.reject(leaf, &format!("{error}: {:?}", pattern.expression));
            }
        }
        let pattern = |pattern: Pattern<'_>| PatternRestriction {
            expression: pattern.expression.into(),
            is_inverted: pattern.is_inverted,
            error: errors(pattern.error_message, pattern.error_app_tag),
        };
        TypeKind::String { length: length(compiled), patterns: patterns.into_iter().map(pattern).collect() }
    }

    /// Sets the targets of all leafrefs.
    pub(super) fn set_leafrefs(&mut self) {
        for (id, leaf, compiled) in std::mem::take(&mut self.leafrefs) {
            let Some((path, prefixes)) = compiled.path() else { continue };
            let resolved = resolve(leaf, path, &prefixes);
            let kind = resolved.and_then(|resolved| self.leafref(path, compiled, &resolved));
            match (kind, self.builder.type_mut(id)) {
                (Some(kind), Some(value_type)) => value_type.kind = kind,
                _ => self.reject(leaf, &format!("the path {path:?} does not lead to a leaf")),
            }
        }
    }

    fn leafref(
        &self,
        path: &str,
        compiled: CompiledType<'c>,
        resolved: &ResolvedPath<'c>,
    ) -> Option<TypeKind> {
        let id = |node: &Node<'c>| self.nodes.get(&node.address()).copied();
        let steps: Option<Vec<_>> = resolved
            .steps
            .iter()
            .map(|step| {
                let predicates = step.predicates.iter().map(|predicate| {
                    let steps: Option<Vec<NodeId>> = predicate.steps.iter().map(id).collect();
                    Some(LeafrefPredicate { key: id(&predicate.key)?, up: predicate.up, steps: steps? })
                });
                Some(LeafrefStep { node: id(&step.node)?, predicates: predicates.collect::<Option<_>>()? })
            })
            .collect();
        let steps = steps?;
        Some(TypeKind::Leafref {
            target: steps.last()?.node,
            path: path.into(),
            steps: LeafrefPath { start: resolved.up.map_or(LeafrefStart::Root, LeafrefStart::Up), steps },
            require_instance: compiled.requires_instance(),
        })
    }
}

/// Returns true if a type is a leafref, or a union with one. Unions that are too deep count.
fn has_leafref(compiled: CompiledType<'_>, depth: usize) -> bool {
    match compiled.base() {
        Some(BaseType::LeafRef) => true,
        Some(BaseType::Union) => {
            depth > portreeve_yang::MAX_TYPE_DEPTH
                || compiled.members().into_iter().any(|member| has_leafref(member, depth + 1))
        }
        _ => false,
    }
}

fn integer(compiled: CompiledType<'_>, kind: IntegerKind) -> TypeKind {
    TypeKind::Integer { kind, range: range(compiled) }
}

fn range(compiled: CompiledType<'_>) -> Option<RangeRestriction> {
    let bounds = compiled.bounds()?;
    let intervals = bounds.parts.iter().map(|(min, max)| Interval { min: *min, max: *max }).collect();
    Some(RangeRestriction { intervals, error: errors_of(&bounds) })
}

fn length(compiled: CompiledType<'_>) -> Option<LengthRestriction> {
    let bounds = compiled.bounds()?;
    let number = |number: i128| u64::try_from(number).unwrap_or(u64::MAX);
    let interval = |(min, max): &(i128, i128)| Interval { min: number(*min), max: number(*max) };
    Some(LengthRestriction {
        intervals: bounds.parts.iter().map(interval).collect(),
        error: errors_of(&bounds),
    })
}

fn errors_of(bounds: &Bounds<'_>) -> ErrorStatements {
    errors(bounds.error_message, bounds.error_app_tag)
}

pub(super) fn errors(message: Option<&str>, app_tag: Option<&str>) -> ErrorStatements {
    ErrorStatements { message: message.map(Into::into), app_tag: app_tag.map(Into::into) }
}
