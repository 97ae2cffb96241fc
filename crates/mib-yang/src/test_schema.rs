//! Schemas for tests and measurements.

#![allow(dead_code, unreachable_pub, clippy::unwrap_used, reason = "each program uses a part of it")]

use portreeve_yang::{
    EnumValue, ErrorStatements, Extension, IntegerKind, Interval, LengthRestriction, Module, ModuleId, Node,
    NodeId, NodeKind, RangeRestriction, Schema, SchemaBuilder, SourcePlace, Type, TypeId, TypeKind, Typedef,
};

/// The identifier of the example's enterprise, below which all test objects are.
pub const EXAMPLES: &str = "1.3.6.1.4.1.32473";

/// Builds a module whose nodes have object identifiers.
pub struct TestSchema {
    pub builder: SchemaBuilder,
    pub module: ModuleId,
    /// The line of the next node.
    line: u32,
}

impl TestSchema {
    pub fn new(module: &str) -> Self {
        let mut builder = SchemaBuilder::new();
        let module = builder.add_module(Module::new(module, &format!("urn:{module}"), module));
        Self { builder, module, line: 10 }
    }

    pub fn build(self) -> Schema {
        self.builder.build().unwrap()
    }

    /// Adds a node. Its identifier is that of the examples and these arcs; none if they are empty.
    pub fn add(&mut self, parent: NodeId, name: &str, kind: NodeKind, arcs: &str) -> NodeId {
        let id = self.builder.add_node(parent, Node::new(self.module, name, kind));
        if !arcs.is_empty() {
            self.extend(id, "ietf-yang-smiv2", "oid", &format!("{EXAMPLES}.{arcs}"));
        }
        id
    }

    /// Adds a leaf.
    pub fn leaf(&mut self, parent: NodeId, name: &str, kind: TypeKind, arcs: &str) -> NodeId {
        let value_type = self.builder.add_type(Type::new(kind));
        self.add(parent, name, NodeKind::leaf(value_type), arcs)
    }

    /// Adds a leaf whose type has a name.
    pub fn named(
        &mut self,
        parent: NodeId,
        name: &str,
        typedef: (&str, &str),
        kind: TypeKind,
        arcs: &str,
    ) -> NodeId {
        let typedef = Some(Typedef { module: typedef.0.into(), name: typedef.1.into() });
        let value_type = self.builder.add_type(Type { typedef, kind });
        self.add(parent, name, NodeKind::leaf(value_type), arcs)
    }

    /// Adds a list and its key leafs, whose identifiers are those of the list and a number.
    pub fn list(&mut self, parent: NodeId, name: &str, keys: &[(&str, TypeKind)], arcs: &str) -> NodeId {
        let list = self.add(parent, name, NodeKind::list(), arcs);
        let mut leafs = Vec::new();
        for (number, (name, kind)) in (1..).zip(keys) {
            leafs.push(self.leaf(list, name, kind.clone(), &format!("{arcs}.{number}")));
        }
        self.builder.set_keys(list, &leafs);
        list
    }

    /// Adds a RowStatus leaf.
    pub fn row_status(&mut self, list: NodeId, name: &str, arcs: &str) -> NodeId {
        let names = ["active", "notInService", "notReady", "createAndGo", "createAndWait", "destroy"];
        let kind = enumeration(&(1..).zip(names).map(|(value, name)| (name, value)).collect::<Vec<_>>());
        self.named(list, name, ("anything", "RowStatus"), kind, arcs)
    }

    /// Adds an instance of an extension, and the place of the node.
    pub fn extend(&mut self, id: NodeId, module: &str, name: &str, argument: &str) {
        let node = self.builder.node_mut(id).unwrap();
        node.extensions.push(Extension {
            module: module.into(),
            name: name.into(),
            argument: argument.into(),
        });
        node.place = Some(Box::new(SourcePlace { file: "test.yang".into(), line: self.line }));
        self.line += 10;
    }

    pub fn set_default(&mut self, id: NodeId, value: &str) {
        if let NodeKind::Leaf(leaf) = &mut self.builder.node_mut(id).unwrap().kind {
            leaf.default = Some(value.into());
        }
    }

    pub fn set_state(&mut self, id: NodeId) {
        self.builder.node_mut(id).unwrap().config = false;
    }

    pub fn type_of(&mut self, kind: TypeKind) -> TypeId {
        self.builder.add_type(Type::new(kind))
    }
}

/// Returns the schema of the example `stair`: a list with a number as its key, ten texts, and a
/// status. The prefix of the names can be any; `has_more` adds a leaf and a list in the list.
pub fn stair(prefix: &str, has_more: bool) -> Schema {
    let mut schema = TestSchema::new(prefix);
    let table = schema.add(NodeId::ROOT, &format!("{prefix}Table"), NodeKind::container(), "3.1");
    let key = range(IntegerKind::Int32, 1, i32::MAX.into());
    let entry = schema.list(table, &format!("{prefix}Entry"), &[(&format!("{prefix}Index"), key)], "3.1.1");
    for number in 1..=10 {
        let arcs = format!("3.1.1.{}", number + 1);
        schema.leaf(entry, &format!("{prefix}Text{number}"), text(0, 255), &arcs);
    }
    schema.row_status(entry, &format!("{prefix}RowStatus"), "3.1.1.12");
    if has_more {
        let extra =
            schema.leaf(entry, &format!("{prefix}Width"), range(IntegerKind::Uint8, 0, 90), "3.1.1.13");
        schema.set_default(extra, "80");
        let step = schema.list(entry, "step", &[("name", text(1, 20))], "3.1.1.14");
        schema.leaf(step, "height", TypeKind::integer(IntegerKind::Uint16), "3.1.1.14.2");
        schema.row_status(step, "status", "3.1.1.14.3");
    }
    schema.build()
}

pub fn range(kind: IntegerKind, min: i128, max: i128) -> TypeKind {
    let range =
        RangeRestriction { intervals: vec![Interval { min, max }], error: ErrorStatements::default() };
    TypeKind::Integer { kind, range: Some(range) }
}

pub fn length(min: u64, max: u64) -> Option<LengthRestriction> {
    Some(LengthRestriction { intervals: vec![Interval { min, max }], error: ErrorStatements::default() })
}

pub fn text(min: u64, max: u64) -> TypeKind {
    TypeKind::String { length: length(min, max), patterns: Vec::new() }
}

pub fn enumeration(values: &[(&str, i32)]) -> TypeKind {
    let values = values.iter().map(|(name, value)| EnumValue { name: (*name).into(), value: *value });
    TypeKind::Enumeration { values: values.collect() }
}
