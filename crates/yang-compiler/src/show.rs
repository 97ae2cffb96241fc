//! Prints a schema: its modules, its nodes as tree diagrams (RFC 8340), and its constraints.

use std::fmt::Write;

use portreeve_yang::{ConstraintKind, Module, ModuleId, NodeId, Schema};

mod tree;

/// Returns the text of `portreeve yang show`.
pub(crate) fn show(schema: &Schema) -> String {
    let mut text = String::from("modules:\n");
    for (_, module) in schema.modules() {
        text += &describe_module(module);
    }
    for (id, module) in schema.modules().filter(|(_, module)| module.is_implemented) {
        let tree = tree::tree(schema, id);
        if !tree.is_empty() {
            let _ = write!(text, "\nmodule: {}\n{tree}", module.name);
        }
    }
    let constraints = constraints(schema);
    if !constraints.is_empty() {
        let _ = write!(text, "\nconstraints:\n{constraints}");
    }
    text
}

fn describe_module(module: &Module) -> String {
    let mut text = format!("  {}", module.name);
    if !module.revision.is_empty() {
        let _ = write!(text, "@{}", module.revision);
    }
    if !module.is_implemented {
        text += " (imported only)";
    }
    let submodules: Vec<_> = module.submodules.iter().map(|submodule| &*submodule.name).collect();
    let lists: [(&str, Vec<&str>); 3] = [
        ("submodules", submodules),
        ("features", module.features.iter().map(|name| &**name).collect()),
        ("deviated by", module.deviations.iter().map(|name| &**name).collect()),
    ];
    for (title, names) in lists.into_iter().filter(|(_, names)| !names.is_empty()) {
        let _ = write!(text, "; {title}: {}", names.join(", "));
    }
    text.push('\n');
    text
}

/// Returns a line for each `must` and `when` statement, in schema order.
fn constraints(schema: &Schema) -> String {
    let mut text = String::new();
    for (id, node) in schema.nodes() {
        for constraint in &node.constraints {
            let keyword = match constraint.kind {
                ConstraintKind::Must => "must",
                ConstraintKind::When => "when",
            };
            let file = if constraint.file.is_empty() { "unknown file" } else { &constraint.file };
            let expression = constraint.expression.split_whitespace().collect::<Vec<_>>().join(" ");
            let path = path(schema, id);
            let _ = writeln!(text, "  {file}:{}: {path}: {keyword} {expression:?}", constraint.line);
        }
    }
    text
}

/// Returns the names of a node and its ancestors, with the names of their modules where they
/// change.
pub(crate) fn path(schema: &Schema, id: NodeId) -> String {
    let mut ids: Vec<_> = std::iter::successors(Some(id), |id| schema.node(*id).parent).collect();
    ids.reverse();
    let mut module: Option<ModuleId> = None;
    let mut path = String::new();
    for node in ids.into_iter().filter(|id| *id != NodeId::ROOT).map(|id| schema.node(id)) {
        path.push('/');
        if module != Some(node.module) {
            let _ = write!(path, "{}:", schema.module(node.module).name);
            module = Some(node.module);
        }
        path += &node.name;
    }
    path
}

#[cfg(test)]
mod tests;
