//! Tree diagrams of modules (RFC 8340).

use std::fmt::Write;

use portreeve_yang::{ModuleId, Node, NodeId, NodeKind, Schema, Status, TypeId, TypeKind};

/// Returns the diagram of a module's nodes, without its heading; empty if it has no nodes. Nodes
/// that other modules add are part of it.
pub(super) fn tree(schema: &Schema, module: ModuleId) -> String {
    let own = schema.children(NodeId::ROOT).iter().copied().filter(|id| schema.node(*id).module == module);
    let own: Vec<_> = own.collect();
    let heading_of = |id: &NodeId| match schema.node(*id).kind {
        NodeKind::Rpc => "rpcs",
        NodeKind::Notification => "notifications",
        _ => "",
    };
    let mut printer = Printer { schema, module, text: String::new() };
    for heading in ["", "rpcs", "notifications"] {
        let nodes: Vec<_> = own.iter().copied().filter(|id| heading_of(id) == heading).collect();
        if nodes.is_empty() {
            continue;
        }
        if heading.is_empty() {
            printer.nodes(&nodes, "  ", None);
        } else {
            let gap = if printer.text.is_empty() { "" } else { "\n" };
            let _ = writeln!(printer.text, "{gap}  {heading}:");
            printer.nodes(&nodes, "    ", None);
        }
    }
    printer.text
}

struct Printer<'s> {
    schema: &'s Schema,
    module: ModuleId,
    text: String,
}

impl Printer<'_> {
    /// Prints siblings and everything below them. `flags` are those of all nodes in an operation or
    /// notification. The depth of a schema is limited.
    fn nodes(&mut self, ids: &[NodeId], indent: &str, flags: Option<&'static str>) {
        let labels: Vec<_> = ids.iter().map(|id| self.label(*id)).collect();
        let has_type = |id: &NodeId| self.type_name(*id).is_some();
        let typed = ids.iter().zip(&labels).filter(|(id, _)| has_type(id));
        let width = typed.map(|(_, label)| label.len()).max().unwrap_or_default();
        for (at, (id, label)) in ids.iter().zip(&labels).enumerate() {
            let node = self.schema.node(*id);
            let status = match node.status {
                Status::Current => '+',
                Status::Deprecated => 'x',
                Status::Obsolete => 'o',
            };
            let shown_flags = match (&node.kind, flags) {
                (NodeKind::Case, _) => ":",
                (NodeKind::Rpc | NodeKind::Action, _) => "-x ",
                (NodeKind::Notification, _) => "-n ",
                (NodeKind::Input, _) => "-w ",
                (NodeKind::Output, _) => "ro ",
                (_, Some(flags)) => flags,
                (_, None) if node.config => "rw ",
                (_, None) => "ro ",
            };
            let _ = write!(self.text, "{indent}{status}--{shown_flags}{label}");
            if let Some(name) = self.type_name(*id) {
                let _ = write!(self.text, "{:1$}   {name}", "", width - label.len());
            }
            self.text.push('\n');
            let below = match node.kind {
                NodeKind::Input => Some("-w "),
                NodeKind::Output | NodeKind::Notification => Some("ro "),
                NodeKind::Action => None,
                _ => flags,
            };
            let bar = if at + 1 == ids.len() { ' ' } else { '|' };
            let children = self.schema.children(*id).iter().copied().filter(|id| !self.is_empty_part(*id));
            let children: Vec<_> = children.collect();
            self.nodes(&children, &format!("{indent}{bar}  "), below);
        }
    }

    /// Returns true for an input or output without nodes, which RFC 8340 does not show.
    fn is_empty_part(&self, id: NodeId) -> bool {
        matches!(self.schema.node(id).kind, NodeKind::Input | NodeKind::Output)
            && self.schema.children(id).is_empty()
    }

    /// Returns the name of a node with the symbols that follow it.
    fn label(&self, id: NodeId) -> String {
        let node = self.schema.node(id);
        let name = if node.module == self.module {
            node.name.to_string()
        } else {
            format!("{}:{}", self.schema.module(node.module).prefix, node.name)
        };
        match &node.kind {
            NodeKind::Choice(choice) => format!("({name}){}", optional(!choice.mandatory)),
            NodeKind::Case => format!("({name})"),
            NodeKind::Container(container) if container.presence => format!("{name}!"),
            NodeKind::Leaf(leaf) => format!("{name}{}", optional(!leaf.mandatory && !leaf.is_key)),
            NodeKind::AnyData { mandatory } | NodeKind::AnyXml { mandatory } => {
                format!("{name}{}", optional(!mandatory))
            }
            NodeKind::LeafList(_) => format!("{name}*"),
            NodeKind::List(list) if list.keys.is_empty() => format!("{name}* []"),
            NodeKind::List(list) => {
                let keys: Vec<_> = list.keys.iter().map(|key| &*self.schema.node(*key).name).collect();
                format!("{name}* [{}]", keys.join(" "))
            }
            _ => name,
        }
    }

    fn type_name(&self, id: NodeId) -> Option<String> {
        let node = self.schema.node(id);
        match &node.kind {
            NodeKind::Leaf(leaf) => Some(self.value_type(node, leaf.value_type)),
            NodeKind::LeafList(leaf_list) => Some(self.value_type(node, leaf_list.value_type)),
            NodeKind::AnyData { .. } => Some("anydata".to_owned()),
            NodeKind::AnyXml { .. } => Some("anyxml".to_owned()),
            _ => None,
        }
    }

    fn value_type(&self, node: &Node, id: TypeId) -> String {
        let value_type = self.schema.value_type(id);
        if let Some(typedef) = &value_type.typedef {
            let own = &self.schema.module(node.module).name;
            if typedef.module == *own {
                return typedef.name.to_string();
            }
            let module = self.schema.module_by_name(&typedef.module);
            let prefix = module.map_or(&*typedef.module, |module| &*self.schema.module(module).prefix);
            return format!("{prefix}:{}", typedef.name);
        }
        match &value_type.kind {
            TypeKind::Leafref { path, .. } => format!("-> {path}"),
            kind => kind.name().to_owned(),
        }
    }
}

fn optional(is_optional: bool) -> &'static str {
    if is_optional { "?" } else { "" }
}
