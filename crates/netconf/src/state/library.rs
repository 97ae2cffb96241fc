//! The YANG library in its present form (RFC 8525) and in the form of 2016 (RFC 7895).

use std::sync::Arc;

use portreeve_yang::{Module, Schema};
use portreeve_yang_tree::Tree;

use super::builder::StateBuilder;

/// The name of the only module set and schema.
const COMPLETE: &str = "complete";

/// Returns an identifier that changes whenever the content of the library changes.
//= rfc8525#3-p1
pub(crate) fn content_id(schema: &Schema) -> String {
    format!("{:016x}", schema.digest())
}

/// Returns the state data of `ietf-yang-library`.
pub(crate) fn library_tree(schema: &Arc<Schema>) -> Tree {
    let id = content_id(schema);
    let mut builder = StateBuilder::new(schema, "ietf-yang-library");
    builder.node("yang-library", |library| {
        library.node("module-set", |set| {
            set.leaf("name", COMPLETE);
            for (_, module) in schema.modules() {
                let list = if module.is_implemented { "module" } else { "import-only-module" };
                set.node(list, |entry| add_module(entry, module));
            }
        });
        library.node("schema", |entry| {
            entry.leaf("name", COMPLETE);
            entry.leaf("module-set", COMPLETE);
        });
        for datastore in ["ietf-datastores:running", "ietf-datastores:candidate"] {
            library.node("datastore", |entry| {
                entry.leaf("name", datastore);
                entry.leaf("schema", COMPLETE);
            });
        }
        library.leaf("content-id", &id);
    });
    builder.node("modules-state", |state| {
        state.leaf("module-set-id", &id);
        for (_, module) in schema.modules() {
            state.node("module", |entry| add_module_of_2016(entry, module, schema));
        }
    });
    builder.finish()
}

fn add_module(entry: &mut StateBuilder, module: &Module) {
    entry.leaf("name", &module.name);
    entry.leaf("revision", &module.revision);
    entry.leaf("namespace", &module.namespace);
    for submodule in &module.submodules {
        entry.node("submodule", |entry| {
            entry.leaf("name", &submodule.name);
            entry.leaf("revision", &submodule.revision);
        });
    }
    if module.is_implemented {
        module.features.iter().for_each(|feature| entry.leaf("feature", feature));
        module.deviations.iter().for_each(|deviation| entry.leaf("deviation", deviation));
    }
}

fn add_module_of_2016(entry: &mut StateBuilder, module: &Module, schema: &Schema) {
    entry.leaf("name", &module.name);
    entry.leaf("revision", &module.revision);
    entry.leaf("namespace", &module.namespace);
    module.features.iter().for_each(|feature| entry.leaf("feature", feature));
    for deviation in &module.deviations {
        let revision = schema.module_by_name(deviation).map(|id| &*schema.module(id).revision);
        entry.node("deviation", |entry| {
            entry.leaf("name", deviation);
            entry.leaf("revision", revision.unwrap_or_default());
        });
    }
    entry.leaf("conformance-type", if module.is_implemented { "implement" } else { "import" });
    for submodule in &module.submodules {
        entry.node("submodule", |entry| {
            entry.leaf("name", &submodule.name);
            entry.leaf("revision", &submodule.revision);
        });
    }
}
