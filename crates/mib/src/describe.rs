//! Definitions for people to read, as `snmptranslate -Td` and `-Tp` lay them out: one in full, or a subtree in outline.

mod outline;

use std::fmt::Write;

use crate::{
    Base, Kind, Object, Syntax,
    export::{access_word, default_value, index_names, macro_name, ranges, status_word},
    names::Names,
};

pub use outline::outline;

/// Everything that is said of the definition at or above `oid`, and the way to `oid` through the tree. Lines, the last
/// one ended too; empty where nothing is known of the name.
pub fn details(names: &Names, oid: &[u32]) -> String {
    let Some(found) = names.resolve(oid) else { return String::new() };
    let object = found.object;
    // What has no macro of its own is called by the most common one.
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
        // A mere place in the tree has no DESCRIPTION clause.
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

/// Every name on the way to `oid`, each with its number; the last is the number alone.
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

/// The name of exactly this identifier.
fn label(names: &Names, oid: &[u32]) -> Option<&'static str> {
    names.resolve(oid).filter(|found| found.suffix.is_empty()).map(|found| found.object.name)
}

/// The base type with its labels and limits.
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

/// The labels with their numbers, as they are written in a definition.
fn labels_of(syntax: &Syntax) -> Vec<String> {
    syntax.labels().iter().map(|(label, number)| format!("{label}({number})")).collect()
}

/// The objects right below `object`, in the order of their numbers.
fn children(names: &Names, object: &'static Object) -> Vec<&'static Object> {
    let below = names.in_order().map(|(_, below)| below);
    below.filter(|below| below.arcs().split_last().is_some_and(|(_, above)| above == object.arcs())).collect()
}

#[cfg(test)]
mod tests;
