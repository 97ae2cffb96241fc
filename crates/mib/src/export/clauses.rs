//! The text of one definition.

use crate::{
    Access, Base, Convention, Kind, Module, Object, Syntax, names,
    object::{Compliance, DefaultValue, Index, Leaf, Status},
    syntax::Limits,
};

/// Returns the definition of a textual convention.
pub(super) fn convention(convention: &Convention) -> String {
    let mut text = format!("{} ::= TEXTUAL-CONVENTION", convention.name);
    if let Some(hint) = convention.hint {
        text += &format!("\n    DISPLAY-HINT \"{hint}\"");
    }
    text += &status(convention.status);
    text += &description(convention.description);
    text += &format!("\n    SYNTAX {}", syntax(&convention.syntax));
    text
}

/// Returns the definition of an object; `None` for the roots, which ASN.1 defines.
pub(super) fn object(module: &Module, object: &Object) -> Option<String> {
    let parent = object.parent?;
    let value = match parent.parent {
        Some(_) => format!("{{ {} {} }}", parent.name, object.arc),
        // All programs have `iso` built in, but not all have the other two roots.
        None if parent.name == "iso" => format!("{{ iso {} }}", object.arc),
        None => format!("{{ {} {} }}", parent.arc, object.arc),
    };
    let Some(macro_name) = macro_name(object) else {
        return Some(format!("{} OBJECT IDENTIFIER ::= {value}", object.name));
    };
    let mut text = format!("{} {macro_name}", object.name);
    text += &match &object.kind {
        Kind::Module => module_identity(module),
        Kind::Scalar(leaf) | Kind::Column(leaf) => leaf_clauses(object, leaf),
        Kind::Table => structure(&format!("SEQUENCE OF {}", row_type(&table_row(module, object))), object),
        Kind::Row(index) => structure(&row_type(object.name), object) + &index_clause(*index),
        Kind::Notification(objects) => members("OBJECTS", objects) + &status_and_description(object),
        Kind::Group(objects) => members("OBJECTS", objects) + &status_and_description(object),
        Kind::NotificationGroup(objects) => {
            members("NOTIFICATIONS", objects) + &status_and_description(object)
        }
        Kind::Compliance(compliance) => {
            status_and_description(object) + &compliance_clauses(module, compliance)
        }
        Kind::Node | Kind::Identity => status_and_description(object),
    };
    text += &format!("\n    ::= {value}");
    if let Kind::Row(_) = object.kind {
        text += &sequence(module, object);
    }
    Some(text)
}

/// Returns the macro that defines an object; `None` for plain OBJECT IDENTIFIER.
pub(crate) fn macro_name(object: &Object) -> Option<&'static str> {
    Some(match object.kind {
        Kind::Node => return None,
        Kind::Identity => "OBJECT-IDENTITY",
        Kind::Module => "MODULE-IDENTITY",
        Kind::Scalar(_) | Kind::Table | Kind::Row(_) | Kind::Column(_) => "OBJECT-TYPE",
        Kind::Notification(_) => "NOTIFICATION-TYPE",
        Kind::Group(_) => "OBJECT-GROUP",
        Kind::NotificationGroup(_) => "NOTIFICATION-GROUP",
        Kind::Compliance(_) => "MODULE-COMPLIANCE",
    })
}

/// Returns a type's name without its restrictions, as in a SEQUENCE.
pub(super) fn type_name(syntax: &Syntax) -> &'static str {
    match syntax.convention {
        Some(convention) => convention.name,
        None => match syntax.base {
            Base::Integer32 if !syntax.own_labels.is_empty() => "INTEGER",
            base => base.name(),
        },
    }
}

fn syntax(syntax: &Syntax) -> String {
    let name = type_name(syntax);
    if !syntax.own_labels.is_empty() {
        let labels: Vec<String> =
            syntax.own_labels.iter().map(|(label, number)| format!("{label}({number})")).collect();
        return format!("{name} {{\n        {}\n    }}", labels.join(",\n        "));
    }
    match (syntax.own_limits, syntax.base) {
        ([], _) => name.to_owned(),
        (limits, Base::OctetString | Base::Opaque) => format!("{name} (SIZE ({}))", ranges(limits)),
        (limits, _) => format!("{name} ({})", ranges(limits)),
    }
}

pub(crate) fn ranges(limits: Limits) -> String {
    let ranges: Vec<String> = limits
        .iter()
        .map(|(low, high)| if low == high { low.to_string() } else { format!("{low}..{high}") })
        .collect();
    ranges.join(" | ")
}

fn module_identity(module: &Module) -> String {
    let Module { last_updated, reference, .. } = module;
    format!(
        "\n    LAST-UPDATED \"{last_updated}\"\n    ORGANIZATION \"{reference}\"\n    CONTACT-INFO \"{reference}\"{}\
         \n    REVISION \"{last_updated}\"{}",
        description(module.description),
        description(&format!("As in {reference}.")),
    )
}

fn leaf_clauses(object: &Object, leaf: &Leaf) -> String {
    let mut text = format!("\n    SYNTAX {}", syntax(&leaf.syntax));
    if !leaf.units.is_empty() {
        text += &format!("\n    UNITS \"{}\"", leaf.units);
    }
    text += &format!("\n    MAX-ACCESS {}", access_word(leaf.access));
    text += &status_and_description(object);
    if let Some(value) = leaf.default {
        text += &format!("\n    DEFVAL {{ {} }}", default_value(value));
    }
    text
}

pub(crate) fn default_value(value: DefaultValue) -> String {
    match value {
        DefaultValue::Number(number) => number.to_string(),
        DefaultValue::Label(label) => label.to_owned(),
        DefaultValue::Text(text) => format!("\"{text}\""),
        DefaultValue::Octets(octets) => {
            let digits: String = octets.iter().map(|octet| format!("{octet:02X}")).collect();
            format!("'{digits}'H")
        }
        DefaultValue::Object(object) => object.name.to_owned(),
    }
}

pub(crate) fn access_word(access: Access) -> &'static str {
    match access {
        Access::NotAccessible => "not-accessible",
        Access::AccessibleForNotify => "accessible-for-notify",
        Access::ReadOnly => "read-only",
        Access::ReadWrite => "read-write",
        Access::ReadCreate => "read-create",
    }
}

/// Returns the clauses of a table or row.
fn structure(syntax: &str, object: &Object) -> String {
    format!("\n    SYNTAX {syntax}\n    MAX-ACCESS not-accessible{}", status_and_description(object))
}

fn index_clause(index: Index) -> String {
    if let Index::Augments(row) = index {
        return format!("\n    AUGMENTS {{ {} }}", row.name);
    }
    index_names(index).map_or_else(String::new, |names| format!("\n    INDEX {{ {} }}", names.join(", ")))
}

/// Returns the names in an INDEX clause; `None` if there is none.
pub(crate) fn index_names(index: Index) -> Option<Vec<String>> {
    let (objects, implied) = match index {
        Index::Augments(_) => return None,
        Index::Objects(objects) => (objects, false),
        Index::Implied(objects) => (objects, true),
        Index::Loaded(index) => index.get().map(|index| (index.objects, index.implied))?,
    };
    let mut names: Vec<String> = objects.iter().map(|object| object.name.to_owned()).collect();
    if let Some(last) = names.last_mut().filter(|_| implied) {
        last.insert_str(0, "IMPLIED ");
    }
    Some(names)
}

/// Returns the SEQUENCE type of a row.
fn sequence(module: &Module, row: &Object) -> String {
    let columns: Vec<String> = module
        .objects
        .iter()
        .filter(|column| column.parent == Some(row))
        .filter_map(|column| Some(format!("    {} {}", column.name, type_name(column.syntax()?))))
        .collect();
    format!("\n\n{} ::= SEQUENCE {{\n{}\n}}", row_type(row.name), columns.join(",\n"))
}

fn table_row(module: &Module, table: &Object) -> String {
    module
        .objects
        .iter()
        .find(|row| row.parent == Some(table))
        .map_or_else(String::new, |row| row.name.to_owned())
}

/// Returns the name of a row's type: the row's name with an initial capital.
fn row_type(row: &str) -> String {
    let mut characters = row.chars();
    characters
        .next()
        .map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + characters.as_str())
}

fn members(keyword: &str, objects: &[&Object]) -> String {
    if objects.is_empty() {
        return String::new();
    }
    let names: Vec<&str> = objects.iter().map(|object| object.name).collect();
    format!("\n    {keyword} {{\n        {}\n    }}", names.join(",\n        "))
}

/// Returns one MODULE clause for each module with required groups.
fn compliance_clauses(module: &Module, compliance: &Compliance) -> String {
    let mut homes: Vec<&str> = vec![module.name];
    for group in compliance.mandatory.iter().chain(compliance.conditional) {
        let home = names::module_of(group).map_or(module.name, |home| home.name);
        if !homes.contains(&home) {
            homes.push(home);
        }
    }
    let mut text = String::new();
    for home in homes {
        let of_home =
            |group: &&&Object| names::module_of(group).is_some_and(|candidate| candidate.name == home);
        let mandatory: Vec<&str> =
            compliance.mandatory.iter().filter(of_home).map(|group| group.name).collect();
        text += "\n    MODULE";
        if home != module.name {
            text += &format!(" {home}");
        }
        if !mandatory.is_empty() {
            text += &format!("\n    MANDATORY-GROUPS {{\n        {}\n    }}", mandatory.join(",\n        "));
        }
        for group in compliance.conditional.iter().filter(of_home) {
            text += &format!("\n    GROUP {}{}", group.name, description(group.description));
        }
    }
    text
}

fn status_and_description(object: &Object) -> String {
    status(object.status) + &description(object.description)
}

fn status(status: Status) -> String {
    format!("\n    STATUS {}", status_word(status))
}

pub(crate) fn status_word(status: Status) -> &'static str {
    match status {
        Status::Current => "current",
        Status::Deprecated => "deprecated",
        Status::Obsolete => "obsolete",
    }
}

fn description(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    format!("\n    DESCRIPTION\n        \"{}\"", lines.join("\n        ").replace('"', "'"))
}
