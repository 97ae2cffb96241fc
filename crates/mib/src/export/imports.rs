//! The symbols that a module imports from other modules.

use std::collections::{BTreeMap, BTreeSet};

use super::{base, clauses};
use crate::{
    Kind, Module, Object, Syntax, modules, names,
    object::{DefaultValue, Index},
};

/// Returns the IMPORTS section; `None` if nothing is imported.
pub(super) fn section(module: &Module) -> Option<String> {
    let mut imports = Imports { module, symbols: BTreeMap::new() };
    if !module.conventions.is_empty() {
        imports.base_symbol("TEXTUAL-CONVENTION");
    }
    for convention in module.conventions {
        imports.syntax(&convention.syntax);
    }
    for object in module.objects {
        imports.definition(object);
    }
    let lists: Vec<String> = imports
        .symbols
        .iter()
        .map(|(from, symbols)| {
            let symbols: Vec<&str> = symbols.iter().copied().collect();
            format!("    {}\n        FROM {from}", symbols.join(",\n    "))
        })
        .collect();
    (!lists.is_empty()).then(|| format!("IMPORTS\n{};", lists.join("\n")))
}

struct Imports<'a> {
    module: &'a Module,
    symbols: BTreeMap<&'static str, BTreeSet<&'static str>>,
}

impl Imports<'_> {
    fn definition(&mut self, object: &Object) {
        let Some(parent) = object.parent else { return };
        self.object(parent);
        if let Some(name) = clauses::macro_name(object) {
            self.base_symbol(name);
        }
        match object.kind {
            Kind::Scalar(leaf) | Kind::Column(leaf) => {
                self.syntax(&leaf.syntax);
                if let Some(DefaultValue::Object(value)) = leaf.default {
                    self.object(value);
                }
            }
            Kind::Row(Index::Augments(row)) => self.object(row),
            Kind::Row(Index::Objects(objects) | Index::Implied(objects))
            | Kind::Notification(objects)
            | Kind::Group(objects)
            | Kind::NotificationGroup(objects) => objects.iter().for_each(|object| self.object(object)),
            _ => {}
        }
    }

    fn syntax(&mut self, syntax: &Syntax) {
        match syntax.convention {
            None => self.base_symbol(clauses::type_name(syntax)),
            Some(convention) => {
                let defines =
                    |module: &&Module| module.conventions.iter().any(|own| own.name == convention.name);
                let home = modules::ALL.iter().copied().find(defines);
                self.symbol(home.map(|module| module.name), convention.name);
            }
        }
    }

    fn object(&mut self, object: &'static Object) {
        // The roots are not imported, because they are part of ASN.1.
        if object.parent.is_some() {
            self.symbol(names::module_of(object).map(|module| module.name), object.name);
        }
    }

    fn base_symbol(&mut self, name: &'static str) {
        self.symbol(base::home(name), name);
    }

    fn symbol(&mut self, home: Option<&'static str>, name: &'static str) {
        if let Some(home) = home.filter(|home| *home != self.module.name) {
            self.symbols.entry(home).or_default().insert(name);
        }
    }
}
