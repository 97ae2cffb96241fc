use crate::{
    Bit, Choice, EnumValue, Extension, Identity, IdentityId, IdentityReason, IntegerKind, Interval,
    LeafrefStart, LengthRestriction, List, MAX_DEPTH, MAX_DERIVATIONS, MAX_KEYS, MAX_MODULE_TEXT,
    MAX_MODULES, MAX_NAME, MAX_SLOTS, MAX_STRING, MAX_TYPE_DEPTH, MAX_UNION_MEMBERS, Module, ModuleId,
    ModuleReason, Node, NodeId, NodeKind, NodeReason, RangeRestriction, Schema, SchemaBuilder, SchemaError,
    Status, Submodule, Type, TypeId, TypeKind, TypeReason, test_schemas::Sample, test_schemas::sample,
};

mod modules;
mod nodes;
mod types;

/// Builds the sample after a change.
fn build(change: impl FnOnce(&mut SchemaBuilder, Sample)) -> Result<Schema, SchemaError> {
    let (mut builder, sample) = sample();
    change(&mut builder, sample);
    builder.build()
}

fn node_reason(change: impl FnOnce(&mut SchemaBuilder, Sample)) -> Option<NodeReason> {
    match build(change) {
        Err(SchemaError::Node { reason, .. }) => Some(reason),
        Err(other) => panic!("{other:?}"),
        Ok(_) => None,
    }
}

fn type_reason(kind: TypeKind) -> Option<TypeReason> {
    match build(|builder, _| _ = builder.add_type(Type::new(kind))) {
        Err(SchemaError::Type { reason, .. }) => Some(reason),
        Err(other) => panic!("{other:?}"),
        Ok(_) => None,
    }
}

fn module_reason(change: impl FnOnce(&mut Module)) -> Option<ModuleReason> {
    match build(|builder, sample| change(builder.module_mut(sample.module).unwrap())) {
        Err(SchemaError::Module { reason, .. }) => Some(reason),
        Err(other) => panic!("{other:?}"),
        Ok(_) => None,
    }
}

fn identity_reason(change: impl FnOnce(&mut SchemaBuilder, Sample)) -> Option<IdentityReason> {
    match build(change) {
        Err(SchemaError::Identity { reason, .. }) => Some(reason),
        Err(other) => panic!("{other:?}"),
        Ok(_) => None,
    }
}

fn list_mut(builder: &mut SchemaBuilder, id: NodeId) -> &mut List {
    match &mut builder.node_mut(id).unwrap().kind {
        NodeKind::List(list) => list,
        other => panic!("{other:?}"),
    }
}

const UNKNOWN_NODE: NodeId = NodeId(9999);
