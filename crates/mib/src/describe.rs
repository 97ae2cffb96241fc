//! Prints definitions in the layout of `snmptranslate -Td` and `-Tp`: a single definition in full,
//! or a subtree in outline.

mod outline;

use std::fmt::Write;

use crate::{
    Base, Kind, Object, Syntax,
    export::{access_word, default_value, index_names, macro_name, ranges, status_word},
    names::Names,
};

pub use outline::outline;

/// Returns the full definition at or above `oid`, and the path to `oid` through the tree. The
/// result consists of complete lines; it is empty if there is no such definition.
pub fn details(names: &Names, oid: &[u32]) -> String {
    let Some(found) = names.resolve(oid) else { return String::new() };
    let object = found.object;
    // Nodes that are not defined by a macro are printed with the most common macro.
    let mut text = format!("{} {}\n", object.name, macro_name(object).unwrap_or("OBJECT-TYPE"));
    let mut line = |name: &str, value: &str| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  {name}{value}");
    };
    line("-- FROM\t", found.module.name);
    if let Some(syntax) = object.syntax() {
        if let Some(convention) = syntax.convention {
            line("-- TEXTUAL CONVENTION ", convention.name);
        }
        line("SYNTAX\t", &type_in_full(syntax));
        if let Some(hint) = syntax.hint() {
            line("DISPLAY-HINT\t", &format!("\"{hint}\""));
        }
    }
    if let Some(leaf) = object.leaf().filter(|leaf| !leaf.units.is_empty()) {
        line("UNITS\t\t", &format!("\"{}\"", leaf.units));
    }
    if matches!(object.kind, Kind::Scalar(_) | Kind::Column(_) | Kind::Table | Kind::Row(_)) {
        line("MAX-ACCESS\t", access_word(object.max_access()));
        line("STATUS\t", status_word(object.status));
    }
    match object.kind {
        Kind::Row(crate::object::Index::Augments(row)) => line("AUGMENTS\t", &format!("{{ {} }}", row.name)),
        Kind::Row(index) => {
            if let Some(names) = index_names(index) {
                line("INDEX\t\t", &format!("{{ {} }}", names.join(", ")));
            }
        }
        Kind::Notification(objects) if !objects.is_empty() => {
            let objects: Vec<&str> = objects.iter().map(|object| object.name).collect();
            line("OBJECTS\t", &format!("{{ {} }}", objects.join(", ")));
        }
        _ => {}
    }
    let description = match object.kind {
        // A plain node has no DESCRIPTION clause.
        Kind::Node => "",
        Kind::Module => found.module.description,
        _ => object.description,
    };
    if !description.is_empty() {
        let description: Vec<&str> = description.lines().map(str::trim).collect();
        line("DESCRIPTION\t", &format!("\"{}\"", description.join("\n        ").replace('"', "'")));
    }
    if let Some(default) = object.leaf().and_then(|leaf| leaf.default) {
        line("DEFVAL\t", &format!("{{ {} }}", default_value(default)));
    }
    let _ = writeln!(text, "::= {{ {} }}", path_to(names, oid));
    text
}

/// Returns the path to `oid`, such as `iso(1) org(3) dod(6) 1`. Each part is a name with its
/// number, except the last part, which is only a number.
fn path_to(names: &Names, oid: &[u32]) -> String {
    let steps: Vec<String> = oid
        .iter()
        .enumerate()
        .map(|(position, arc)| match label(names, oid.get(..=position).unwrap_or_default()) {
            Some(name) if position + 1 < oid.len() => format!("{name}({arc})"),
            _ => arc.to_string(),
        })
        .collect();
    steps.join(" ")
}

/// Returns the name of exactly this identifier.
fn label(names: &Names, oid: &[u32]) -> Option<&'static str> {
    names.resolve(oid).filter(|found| found.suffix.is_empty()).map(|found| found.object.name)
}

/// Returns the base type with its labels and limits.
fn type_in_full(syntax: &Syntax) -> String {
    let labels = labels_of(syntax);
    let base = match syntax.base {
        Base::Integer32 if !labels.is_empty() => "INTEGER",
        base => base.name(),
    };
    let mut text = base.to_owned();
    if !syntax.limits().is_empty() {
        text += &format!(" ({}) ", ranges(syntax.limits()));
    }
    if !labels.is_empty() {
        text += &format!(" {{{}}} ", labels.join(", "));
    }
    text
}

/// Returns the labels with their numbers, as in a definition.
fn labels_of(syntax: &Syntax) -> Vec<String> {
    syntax.labels().iter().map(|(label, number)| format!("{label}({number})")).collect()
}

/// Returns the direct children of `object`, sorted by number.
fn children(names: &Names, object: &'static Object) -> Vec<&'static Object> {
    let below = names.in_order().map(|(_, below)| below);
    below.filter(|below| below.arcs().split_last().is_some_and(|(_, above)| above == object.arcs())).collect()
}

#[cfg(test)]
mod tests;
