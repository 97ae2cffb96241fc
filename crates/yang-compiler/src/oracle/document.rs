//! Documents: data as a client sends it, valid or not.

use std::fmt::Write;

use portreeve_yang::{NodeId, Schema};

/// A document. The children of the root.
#[derive(Clone, Debug)]
pub(super) struct Document(pub(super) Vec<Item>);

/// A node of a document.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// A container or list entry.
    Open(NodeId, Vec<Item>),
    Leaf(NodeId, String),
    /// A value of a leaf-list.
    Value(NodeId, String),
}

impl Document {
    /// Returns the document in XML. The default namespace and all prefixes are declared at the
    /// top-level elements.
    pub(super) fn to_xml(&self, schema: &Schema) -> String {
        let mut xml = String::new();
        for item in &self.0 {
            write_item(schema, item, true, &mut xml);
        }
        xml
    }
}

fn write_item(schema: &Schema, item: &Item, is_top: bool, xml: &mut String) {
    let (Item::Open(node, _) | Item::Leaf(node, _) | Item::Value(node, _)) = item;
    let name = &schema.node(*node).name;
    let module = schema.module(schema.node(*node).module);
    let _ = match is_top {
        true => write!(xml, "<{name} xmlns=\"{0}\" xmlns:{1}=\"{0}\">", module.namespace, module.prefix),
        false => write!(xml, "<{name}>"),
    };
    match item {
        Item::Open(_, items) => items.iter().for_each(|item| write_item(schema, item, false, xml)),
        Item::Leaf(_, value) | Item::Value(_, value) => {
            *xml += &value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        }
    }
    let _ = write!(xml, "</{name}>");
}
