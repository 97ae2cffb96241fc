//! The checks of modules.

use super::text::{is_identifier, is_revision, is_value, is_xml_text};
use crate::{
    MAX_MODULE_TEXT, Module, ModuleReason, SchemaError,
    definitions::{Definitions, shorten},
};

pub(super) fn check(definitions: &Definitions) -> Result<(), SchemaError> {
    let modules = definitions.modules.items();
    for module in modules {
        check_one(module).map_err(|reason| error(module, reason))?;
    }
    check_names(modules.iter().collect())
}

fn check_one(module: &Module) -> Result<(), ModuleReason> {
    let Module {
        name,
        namespace,
        prefix,
        revision,
        yang_version: _,
        features,
        deviations,
        is_implemented: _,
        text,
        submodules,
        imports,
    } = module;
    let names = [name, prefix].into_iter().chain(features).chain(deviations);
    let names = names.chain(submodules.iter().map(|submodule| &submodule.name));
    let names = names.chain(imports.iter().flat_map(|import| [&import.prefix, &import.module]));
    let revisions = submodules.iter().map(|submodule| &submodule.revision);
    let revisions = revisions.chain(imports.iter().map(|import| &import.revision)).chain([revision]);
    let mut texts = submodules.iter().map(|submodule| &submodule.text).chain([text]);
    if !names.into_iter().all(|name| is_identifier(name)) {
        return Err(ModuleReason::InvalidName);
    }
    if namespace.is_empty() || !is_value(namespace) {
        return Err(ModuleReason::InvalidNamespace);
    }
    if !revisions.into_iter().all(|revision| is_revision(revision)) {
        return Err(ModuleReason::InvalidRevision);
    }
    if !texts.all(|text| text.len() <= MAX_MODULE_TEXT && is_xml_text(text)) {
        return Err(ModuleReason::InvalidText);
    }
    Ok(())
}

/// Checks that modules can be found by their names, revisions and namespaces.
fn check_names(mut modules: Vec<&Module>) -> Result<(), SchemaError> {
    modules.sort_by_key(|module| (&module.name, module.is_implemented, &module.revision));
    for pair in modules.windows(2) {
        let [a, b] = pair else { continue };
        if a.name == b.name && (a.revision == b.revision || a.is_implemented) {
            return Err(error(b, ModuleReason::Duplicate));
        }
    }
    modules.sort_by_key(|module| &module.namespace);
    for pair in modules.windows(2) {
        let [a, b] = pair else { continue };
        if a.namespace == b.namespace && a.name != b.name {
            return Err(error(b, ModuleReason::DuplicateNamespace));
        }
    }
    Ok(())
}

fn error(module: &Module, reason: ModuleReason) -> SchemaError {
    SchemaError::Module { name: shorten(&module.name), reason }
}
