//! Converts a resolved tree of modules to a table.

use std::{cmp::Reverse, collections::HashMap, iter::successors};

use mib_rs::{
    Access, BaseType, Kind, Language, Mib, Module, Node, Object, SourceOrigin, Status, Type,
    mib::types::{DefVal, DefValValue, NamedValue, Range},
};

use crate::table::{
    AccessRow, BaseRow, ConventionRow, DefaultRow, DefinitionTable, KindRow, LeafRow, ModuleRow, ObjectRow,
    StatusRow, SyntaxRow,
};

/// Extracts the definitions of the modules that came from files. SMIv2 modules come first, because
/// they replace SMIv1 modules. Of the SMIv1 modules, RFC1213-MIB comes before RFC1158-MIB.
/// Definitions with more than [`MAX_OID_LEN`] arcs are omitted.
pub(crate) fn extract(mib: &Mib) -> DefinitionTable<'_> {
    let mut modules: Vec<Module<'_>> = mib.modules().filter(|module| is_of_file(*module)).collect();
    modules.sort_by_key(|module| (module.language() == Language::SMIv1, Reverse(module.name())));
    let numbers = modules.iter().map(|module| module.id()).zip(0_u32..).collect();
    let mut extractor = Extractor { numbers, ..Extractor::default() };
    for (number, module) in (0_u32..).zip(modules) {
        extractor.module(number, module);
    }
    extractor.table
}

#[derive(Default)]
struct Extractor<'a> {
    table: DefinitionTable<'a>,
    numbers: HashMap<mib_rs::raw::ModuleId, u32>,
    /// For each type, the position of its convention and the length of the chain of conventions
    /// below it.
    conventions: HashMap<mib_rs::raw::TypeId, (u32, usize)>,
}

impl<'a> Extractor<'a> {
    fn module(&mut self, number: u32, module: Module<'a>) {
        self.table.modules.push(ModuleRow {
            name: module.name(),
            last_updated: module.last_updated(),
            description: module.description(),
        });
        for ty in module.types() {
            self.convention(ty, 0);
        }
        // Several modules may define the same node; each has its own object.
        let own: HashMap<_, _> =
            module.objects().filter_map(|object| Some((object.node()?.id(), object))).collect();
        for node in module.nodes().filter(|node| !node.name().is_empty()) {
            let Some(arcs) = arcs(node) else { continue };
            let object = own.get(&node.id()).copied();
            let (of_node, text) = clauses(node);
            let row = ObjectRow {
                module: number,
                name: object.map_or(node.name(), Object::name),
                arcs,
                kind: self.kind(node, object),
                status: status(object.map(Object::status).or(of_node)),
                description: object.map_or(text, Object::description),
            };
            self.table.objects.push(row);
        }
    }

    fn kind(&mut self, node: Node<'a>, object: Option<Object<'a>>) -> KindRow<'a> {
        let Some(object) = object else { return plain_kind(node) };
        // Uses the kind that this module declares, even if another module declares the node
        // differently.
        match object.declared_kind() {
            Kind::Scalar => self.leaf(object).map_or(KindRow::Node, KindRow::Scalar),
            Kind::Column => self.leaf(object).map_or(KindRow::Node, KindRow::Column),
            Kind::Row => row(object),
            Kind::Table => KindRow::Table,
            _ => KindRow::Node,
        }
    }

    /// Returns the data of a scalar or column; `None` if its type is unknown.
    fn leaf(&mut self, object: Object<'a>) -> Option<LeafRow<'a>> {
        let ty = object.ty()?;
        let base = base(ty.effective_base())?;
        let convention = self.convention(ty, 0);
        let syntax = SyntaxRow {
            base: if object.effective_bits().is_empty() { base } else { BaseRow::Bits },
            convention,
            limits: limits(object.declared_sizes(), object.declared_ranges()),
            labels: labels(object.declared_enums(), object.declared_bits()),
        };
        let default = object.default_value().and_then(default);
        Some(LeafRow { syntax, access: access(object.access()), units: object.units(), default })
    }

    /// Returns the position of a type's row, and adds the row if the type is new. Returns `None`
    /// for base types, and at the end of a chain that is too long.
    fn convention(&mut self, ty: Type<'a>, depth: usize) -> Option<u32> {
        self.convention_and_chain(ty, depth).map(|(position, _)| position)
    }

    /// Like [`convention`](Self::convention), but also returns the length of the chain below the
    /// row.
    fn convention_and_chain(&mut self, ty: Type<'a>, depth: usize) -> Option<(u32, usize)> {
        if ty.name().is_empty() || is_base(ty) || depth > MAX_CHAIN_LEN {
            return None;
        }
        if let Some(known) = self.conventions.get(&ty.id()) {
            return Some(*known);
        }
        let base = base(ty.effective_base())?;
        let parent = ty.parent().and_then(|parent| self.convention_and_chain(parent, depth + 1));
        // The parent's row may have been added before, as the end of a chain of the maximum length.
        let parent = parent.filter(|(_, chain_len)| *chain_len < MAX_CHAIN_LEN);
        let chain_len = parent.map_or(0, |(_, chain_len)| chain_len + 1);
        let home = ty.module().and_then(|module| self.numbers.get(&module.id())).copied();
        let row = ConventionRow {
            // A convention that is not from a file does not belong to a loaded module.
            module: home.unwrap_or(u32::MAX),
            name: ty.name(),
            syntax: SyntaxRow {
                base,
                convention: parent.map(|(position, _)| position),
                limits: limits(ty.sizes(), ty.ranges()),
                labels: labels(ty.enums(), ty.bits()),
            },
            hint: Some(ty.effective_display_hint()).filter(|hint| !hint.is_empty()),
            status: status(Some(ty.status())),
            description: ty.description(),
        };
        let position = u32::try_from(self.table.conventions.len()).ok()?;
        self.table.conventions.push(row);
        self.conventions.insert(ty.id(), (position, chain_len));
        Some((position, chain_len))
    }
}

/// Returns the index of a row, or that of the row it augments.
fn row<'a>(object: Object<'a>) -> KindRow<'a> {
    let chain = successors(Some(object), |row| row.augments()).take(MAX_CHAIN_LEN);
    let parts: Vec<_> =
        chain.map(|row| row.index().collect::<Vec<_>>()).find(|parts| !parts.is_empty()).unwrap_or_default();
    let objects: Vec<Vec<u32>> = parts.iter().filter_map(|part| arcs(part.object()?.node()?)).collect();
    if objects.len() != parts.len() {
        return KindRow::Row(Vec::new(), false);
    }
    KindRow::Row(objects, parts.last().is_some_and(|part| part.implied()))
}

fn plain_kind<'a>(node: Node<'a>) -> KindRow<'a> {
    match node.kind() {
        Kind::ObjectIdentity => KindRow::Identity,
        Kind::ModuleIdentity => KindRow::Module,
        Kind::Notification => KindRow::Notification(
            node.notification()
                .map_or_else(Vec::new, |it| it.objects().filter_map(|object| arcs(object.node()?)).collect()),
        ),
        Kind::Group => group(node),
        Kind::Compliance => KindRow::Compliance,
        _ => KindRow::Node,
    }
}

/// Returns the STATUS and DESCRIPTION of a node that is not an object.
fn clauses<'a>(node: Node<'a>) -> (Option<Status>, &'a str) {
    if let Some(it) = node.notification() {
        (Some(it.status()), it.description())
    } else if let Some(it) = node.group() {
        (Some(it.status()), it.description())
    } else if let Some(it) = node.compliance() {
        (Some(it.status()), it.description())
    } else {
        (node.status(), node.description())
    }
}

fn group<'a>(node: Node<'a>) -> KindRow<'a> {
    let Some(group) = node.group() else { return KindRow::Node };
    let members = group.members().filter_map(arcs).collect();
    if group.is_notification_group() { KindRow::NotificationGroup(members) } else { KindRow::Group(members) }
}

fn is_of_file(module: Module<'_>) -> bool {
    matches!(module.source_origin(), Some(SourceOrigin::File { .. }))
}

/// Returns true for the base types of SMI, with the names of either version.
fn is_base(ty: Type<'_>) -> bool {
    matches!(
        ty.name(),
        "INTEGER"
            | "Integer32"
            | "Unsigned32"
            | "UInteger32"
            | "Counter"
            | "Counter32"
            | "Counter64"
            | "Gauge"
            | "Gauge32"
            | "TimeTicks"
            | "IpAddress"
            | "NetworkAddress"
            | "Opaque"
            | "OCTET STRING"
            | "OBJECT IDENTIFIER"
            | "BITS"
            | "ObjectName"
            | "ObjectSyntax"
            | "SimpleSyntax"
            | "ApplicationSyntax"
            | "NotificationName"
    )
}

/// Returns the identifier of a node; `None` if it is longer than [`MAX_OID_LEN`]. `Node::oid` is
/// not used, because it would allocate the whole identifier for each node of a chain.
fn arcs(node: Node<'_>) -> Option<Vec<u32>> {
    // The root of the tree has no arc.
    let nodes = successors(Some(node), |node| node.parent()).take_while(|node| node.parent().is_some());
    let mut arcs: Vec<u32> = nodes.take(MAX_OID_LEN + 1).map(Node::arc).collect();
    arcs.reverse();
    (arcs.len() <= MAX_OID_LEN).then_some(arcs)
}

fn base(base: BaseType) -> Option<BaseRow> {
    Some(match base {
        BaseType::Integer32 => BaseRow::Integer32,
        BaseType::Unsigned32 => BaseRow::Unsigned32,
        BaseType::Counter32 => BaseRow::Counter32,
        BaseType::Counter64 => BaseRow::Counter64,
        BaseType::Gauge32 => BaseRow::Gauge32,
        BaseType::TimeTicks => BaseRow::TimeTicks,
        BaseType::IpAddress => BaseRow::IpAddress,
        BaseType::OctetString => BaseRow::OctetString,
        BaseType::ObjectIdentifier => BaseRow::ObjectIdentifier,
        BaseType::Bits => BaseRow::Bits,
        BaseType::Opaque => BaseRow::Opaque,
        _ => return None,
    })
}

/// Returns a default value; `None` if it cannot be stored because it is a BITS value or an object
/// identifier.
fn default(written: &DefVal) -> Option<DefaultRow<'_>> {
    Some(match written.value() {
        DefValValue::Int(number) => DefaultRow::Number(*number),
        DefValValue::Uint(number) => DefaultRow::Number(i64::try_from(*number).ok()?),
        DefValValue::String(text) => DefaultRow::Text(text),
        DefValValue::Bytes(octets) => DefaultRow::Octets(octets),
        DefValValue::Enum(label) => DefaultRow::Label(label),
        DefValValue::None | DefValValue::Bits(_) | DefValValue::Oid(_) => return None,
    })
}

/// Returns the allowed lengths of a string or values of a number. Returns an empty list (no limits)
/// if a bound is not a number.
fn limits(sizes: &[Range], ranges: &[Range]) -> Vec<(i64, i64)> {
    let restrictions = if sizes.is_empty() { ranges } else { sizes };
    let bounds = restrictions.iter().map(|range| Some((range.min.as_i64()?, range.max.as_i64()?)));
    bounds.collect::<Option<Vec<_>>>().unwrap_or_default()
}

fn labels<'a>(enums: &'a [NamedValue], bits: &'a [NamedValue]) -> Vec<(&'a str, i32)> {
    let named = if enums.is_empty() { bits } else { enums };
    named.iter().filter_map(|named| Some((named.label.as_str(), i32::try_from(named.value).ok()?))).collect()
}

fn access(access: Access) -> AccessRow {
    match access {
        Access::NotAccessible | Access::NotImplemented => AccessRow::NotAccessible,
        Access::AccessibleForNotify => AccessRow::AccessibleForNotify,
        Access::ReadOnly => AccessRow::ReadOnly,
        Access::ReadWrite | Access::WriteOnly => AccessRow::ReadWrite,
        Access::ReadCreate => AccessRow::ReadCreate,
    }
}

fn status(status: Option<Status>) -> StatusRow {
    match status {
        Some(Status::Deprecated) => StatusRow::Deprecated,
        Some(Status::Obsolete) => StatusRow::Obsolete,
        _ => StatusRow::Current,
    }
}

/// The maximum number of arcs of an identifier (RFC 2578 §3.5).
pub(crate) const MAX_OID_LEN: usize = 128;

/// The maximum length of a chain of conventions or augmented rows. Longer chains are treated as
/// circular.
pub(crate) const MAX_CHAIN_LEN: usize = 32;
