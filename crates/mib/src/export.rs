//! Exports definitions as SMIv2 text (RFC 2578, 2579, 2580), for programs that load MIB modules.
//!
//! Names, identifiers, types and values are those of the standards; the descriptions are written
//! for this project. The exported modules import only from each other.

mod base;
mod clauses;
mod imports;

pub(crate) use clauses::{access_word, default_value, index_names, macro_name, ranges, status_word};

use crate::{Convention, Kind, Module, Object};

/// Returns the text of one module.
pub fn export_smi(module: &Module) -> String {
    let base = base::of(module);
    let mut sections = vec![format!("{} DEFINITIONS ::= BEGIN", module.name)];
    sections.extend(imports::section(module));
    sections.extend(base.macros.iter().map(|name| base::macro_text(name)));
    sections.extend(base.types.iter().map(|(name, definition)| format!("{name} ::= {definition}")));
    // MODULE-IDENTITY must be the first definition of a module.
    let (identity, others): (Vec<&Object>, Vec<&Object>) =
        module.objects.iter().copied().partition(|object| matches!(object.kind, Kind::Module));
    sections.extend(identity.iter().filter_map(|object| clauses::object(module, object)));
    sections
        .extend(module.conventions.iter().map(|convention: &&Convention| clauses::convention(convention)));
    sections.extend(others.iter().filter_map(|object| clauses::object(module, object)));
    sections.push("END\n".to_owned());
    sections.join("\n\n")
}

#[cfg(test)]
mod tests;
