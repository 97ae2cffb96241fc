//! Schemas for the tests of this crate.

use crate::{
    Bit, Choice, Constraint, ConstraintKind, EnumValue, ErrorStatements, Extension, Identity, IdentityId,
    Import, IntegerKind, Interval, Leaf, LeafList, LeafrefPath, LeafrefPredicate, LeafrefStart, LeafrefStep,
    LengthRestriction, List, Module, ModuleId, Node, NodeId, NodeKind, PatternRestriction, RangeRestriction,
    Schema, SchemaBuilder, SourcePlace, Status, Submodule, Type, TypeId, TypeKind, Typedef, YangVersion,
};

/// The nodes of the sample that tests refer to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub(crate) module: ModuleId,
    pub(crate) other: ModuleId,
    pub(crate) base: IdentityId,
    pub(crate) derived: IdentityId,
    pub(crate) integer: TypeId,
    pub(crate) decimal: TypeId,
    pub(crate) string: TypeId,
    pub(crate) bits: TypeId,
    pub(crate) leafref: TypeId,
    pub(crate) identityref: TypeId,
    pub(crate) union: TypeId,
    /// container house
    pub(crate) house: NodeId,
    /// list house/stair, with the keys name and floor
    pub(crate) stair: NodeId,
    pub(crate) floor: NodeId,
    pub(crate) name: NodeId,
    /// container house/stair/size, without presence
    pub(crate) size: NodeId,
    pub(crate) steps: NodeId,
    /// presence container house/stair/lift
    pub(crate) lift: NodeId,
    /// leaf-list house/stair/color
    pub(crate) color: NodeId,
    /// choice house/stair/(material), with the cases wood and stone
    pub(crate) material: NodeId,
    pub(crate) wood: NodeId,
    pub(crate) stone: NodeId,
    pub(crate) species: NodeId,
    pub(crate) quarry: NodeId,
    /// leaf house/stair/other:owner, which another module adds
    pub(crate) owner: NodeId,
    /// list house/visitor, state without keys
    pub(crate) visitor: NodeId,
    pub(crate) rpc: NodeId,
    pub(crate) input: NodeId,
}

/// Returns a builder with all kinds of nodes and types, and its numbers.
pub(crate) fn sample() -> (SchemaBuilder, Sample) {
    let mut builder = SchemaBuilder::new();
    let module = builder.add_module(Module {
        revision: "2026-11-23".into(),
        yang_version: YangVersion::Version1_1,
        features: vec!["lifts".into()],
        deviations: vec!["other".into()],
        text: "module sample {}\n".into(),
        submodules: vec![Submodule {
            name: "sub".into(),
            revision: "2026-11-22".into(),
            text: "submodule".into(),
        }],
        imports: vec![Import { prefix: "t".into(), module: "types".into(), revision: "".into() }],
        ..Module::new("sample", "urn:sample", "s")
    });
    let other = builder.add_module(Module::new("other", "urn:other", "s"));
    builder.add_module(Module { is_implemented: false, ..Module::new("types", "urn:types", "t") });
    let identity = |name: &str, bases| Identity { name: name.into(), module, bases, status: Status::Current };
    let base = builder.add_identity(identity("base", vec![]));
    let middle = builder.add_identity(identity("middle", vec![base]));
    let derived = builder.add_identity(identity("derived", vec![middle]));

    let error = || ErrorStatements { message: Some("too steep".into()), app_tag: Some("steep".into()) };
    let range = |min, max| Some(RangeRestriction { intervals: vec![Interval { min, max }], error: error() });
    let length =
        || Some(LengthRestriction { intervals: vec![Interval { min: 1, max: 255 }], error: error() });
    let mut add = |kind| builder.add_type(Type::new(kind));
    let integer = add(TypeKind::Integer { kind: IntegerKind::Uint8, range: range(1, 100) });
    let decimal = add(TypeKind::Decimal64 { fraction_digits: 2, range: range(-150, 150) });
    let pattern = PatternRestriction { expression: "[a-z]+".into(), is_inverted: false, error: error() };
    let string = add(TypeKind::String { length: length(), patterns: vec![pattern] });
    let boolean = add(TypeKind::Boolean);
    let values =
        ["ash", "oak"].iter().zip([7, -1]).map(|(name, value)| EnumValue { name: (*name).into(), value });
    let enumeration = add(TypeKind::Enumeration { values: values.collect() });
    let bit = |name: &str, position| Bit { name: name.into(), position };
    let bits = add(TypeKind::Bits { bits: vec![bit("open", 0), bit("lit", 9)] });
    let binary = add(TypeKind::Binary { length: length() });
    let identityref = add(TypeKind::Identityref { bases: vec![base] });
    let empty = add(TypeKind::Empty);
    let union = add(TypeKind::Union { members: vec![integer, string] });
    let instance = add(TypeKind::InstanceIdentifier { require_instance: true });
    for kind in IntegerKind::ALL {
        add(TypeKind::integer(kind));
    }
    let plain = add(TypeKind::string());
    // Its target follows below.
    let leafref = add(TypeKind::Empty);
    let typedef = Some(Typedef { module: "types".into(), name: "steps".into() });
    let steps_type = builder.add_type(Type { typedef, kind: TypeKind::integer(IntegerKind::Int32) });

    let house = builder.add_node(NodeId::ROOT, Node::new(module, "house", NodeKind::container()));
    let list = List { max: Some(1000), ..List::default() };
    let stair = builder.add_node(house, Node::new(module, "stair", NodeKind::List(list)));
    builder.node_mut(stair).unwrap().extensions.push(extension("oid", "1.3.6.1.4.1.32473.5.1"));
    let mut leaf = |parent, name: &str, value_type| {
        builder.add_node(parent, Node::new(module, name, NodeKind::leaf(value_type)))
    };
    let owner_before = leaf(stair, "note", plain);
    let floor = leaf(stair, "floor", integer);
    let name = leaf(stair, "name", string);
    leaf(stair, "is-open", boolean);
    builder.set_keys(stair, &[name, floor]);
    let size = builder.add_node(stair, Node::new(module, "size", NodeKind::container()));
    let steps = builder.add_node(
        size,
        Node::new(
            module,
            "steps",
            NodeKind::Leaf(Leaf {
                value_type: steps_type,
                default: Some("12".into()),
                mandatory: false,
                is_key: false,
                units: Some("steps".into()),
            }),
        ),
    );
    builder.node_mut(steps).unwrap().extensions.push(extension("subid", "7"));
    let place = SourcePlace { file: "sample.yang".into(), line: 31 };
    builder.node_mut(steps).unwrap().place = Some(Box::new(place));
    builder.add_node(size, Node::new(module, "width", NodeKind::leaf(decimal)));
    let lift = builder.add_node(stair, Node::new(module, "lift", NodeKind::presence_container()));
    builder.add_node(lift, Node::new(module, "keycard", NodeKind::leaf(binary)));
    let color = builder.add_node(
        stair,
        Node::new(
            module,
            "color",
            NodeKind::LeafList(LeafList {
                value_type: enumeration,
                defaults: vec!["oak".into()],
                user_ordered: true,
                min: 0,
                max: Some(4),
                units: None,
            }),
        ),
    );
    let material = builder.add_node(stair, Node::new(module, "material", NodeKind::choice()));
    let wood = builder.add_node(material, Node::new(module, "wood", NodeKind::Case));
    let stone = builder.add_node(material, Node::new(module, "stone", NodeKind::Case));
    let species = builder.add_node(wood, Node::new(module, "species", NodeKind::leaf(enumeration)));
    let quarry = builder.add_node(stone, Node::new(module, "quarry", NodeKind::leaf(identityref)));
    builder.node_mut(material).unwrap().kind =
        NodeKind::Choice(Choice { default: Some(stone), mandatory: false });
    builder.add_unique(stair, &[steps, quarry]);
    let owner = builder.add_node(stair, Node::new(other, "owner", NodeKind::leaf(leafref)));
    builder.node_mut(owner).unwrap().constraints.push(Constraint {
        kind: ConstraintKind::When,
        expression: "../s:name".into(),
        prefixes: vec![("s".into(), module)],
        context: Some(stair),
        error: ErrorStatements::default(),
        file: "other.yang".into(),
        line: 12,
    });
    builder.type_mut(leafref).unwrap().kind = TypeKind::Leafref {
        target: name,
        path: "/s:house/s:stair[s:floor = current()/../s:floor]/s:name".into(),
        steps: LeafrefPath {
            start: LeafrefStart::Root,
            steps: vec![
                LeafrefStep { node: house, predicates: vec![] },
                LeafrefStep {
                    node: stair,
                    predicates: vec![LeafrefPredicate { key: floor, up: 1, steps: vec![floor] }],
                },
                LeafrefStep { node: name, predicates: vec![] },
            ],
        },
        require_instance: true,
    };
    builder.node_mut(owner_before).unwrap().status = Status::Deprecated;
    let state = |name: &str, kind| Node { config: false, ..Node::new(module, name, kind) };
    let visitor = builder.add_node(house, state("visitor", NodeKind::list()));
    builder.add_node(visitor, state("flags", NodeKind::leaf(bits)));
    builder.add_node(visitor, state("place", NodeKind::leaf(instance)));
    builder.add_node(visitor, state("is-here", NodeKind::leaf(empty)));
    builder.add_node(house, Node::new(module, "extra", NodeKind::AnyData { mandatory: true }));
    builder.add_node(house, Node::new(module, "more", NodeKind::AnyXml { mandatory: false }));
    let action = builder.add_node(lift, Node::new(module, "call", NodeKind::Action));
    builder.add_node(action, Node::new(module, "output", NodeKind::Output));
    let rpc = builder.add_node(NodeId::ROOT, Node::new(module, "climb", NodeKind::Rpc));
    let input = builder.add_node(rpc, Node::new(module, "input", NodeKind::Input));
    builder.add_node(input, Node::new(module, "height", NodeKind::leaf(union)));
    let notification = builder.add_node(NodeId::ROOT, Node::new(module, "fallen", NodeKind::Notification));
    builder.add_node(notification, Node::new(module, "depth", NodeKind::leaf(integer)));
    let sample = Sample {
        module,
        other,
        base,
        derived,
        integer,
        decimal,
        string,
        bits,
        leafref,
        identityref,
        union,
        house,
        stair,
        floor,
        name,
        size,
        steps,
        lift,
        color,
        material,
        wood,
        stone,
        species,
        quarry,
        owner,
        visitor,
        rpc,
        input,
    };
    (builder, sample)
}

/// Returns the schema of the sample.
pub(crate) fn sample_schema() -> (Schema, Sample) {
    let (builder, sample) = sample();
    (builder.build().unwrap(), sample)
}

fn extension(name: &str, argument: &str) -> Extension {
    Extension { module: "ietf-yang-smiv2".into(), name: name.into(), argument: argument.into() }
}

/// Builds a valid schema from random octets. Each group of octets adds a node, if its parent can
/// have it.
pub(crate) fn random_schema(script: &[[u8; 4]]) -> Schema {
    let mut builder = SchemaBuilder::new();
    let modules = ["a", "b"].map(|name| builder.add_module(Module::new(name, name, name)));
    let string = builder.add_type(Type::new(TypeKind::string()));
    let mut nodes = vec![NodeId::ROOT];
    for [parent, kind, name, module] in script {
        let parent = nodes[usize::from(*parent) % nodes.len()];
        // Few names, so that many are equal.
        let name = ["x", "y", "z", "xx", "Y"][usize::from(*name) % 5];
        let kind = match kind % 8 {
            0 => NodeKind::container(),
            1 => NodeKind::presence_container(),
            2 => NodeKind::list(),
            3 => NodeKind::leaf_list(string),
            4 => NodeKind::choice(),
            5 => NodeKind::Case,
            6 => NodeKind::AnyData { mandatory: false },
            _ => NodeKind::leaf(string),
        };
        let mut node = Node::new(modules[usize::from(*module) % 2], name, kind);
        // Lists need no keys then; below, some get them.
        node.config = false;
        let mut next = builder.clone();
        let id = next.add_node(parent, node.clone());
        let is_leaf = node.kind == NodeKind::leaf(string);
        if is_leaf && *module > 100 && matches!(builder.node(parent).kind, NodeKind::List(_)) {
            // The key that was added last comes first, so that their order differs from the
            // schema's.
            let mut keys = vec![id];
            if let NodeKind::List(list) = &builder.node(parent).kind {
                keys.extend(&list.keys);
            }
            next.set_keys(parent, &keys);
        }
        if next.clone().build().is_ok() {
            builder = next;
            nodes.push(id);
        }
    }
    builder.build().unwrap()
}
