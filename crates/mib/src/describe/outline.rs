//! Prints a subtree in outline.

use std::fmt::Write;

use super::{children, labels_of};
use crate::{
    Access, Base, Kind, Object,
    export::{index_names, ranges},
    names::Names,
};

/// Returns `object` and everything below it, with types, access and indexes, as complete lines.
pub fn outline(names: &Names, object: &'static Object) -> String {
    let mut writer = OutlineWriter { names, text: String::new(), indent: " ".to_owned(), after_leaf: true };
    writer.draw(object);
    writer.text
}

struct OutlineWriter<'n> {
    names: &'n Names,
    text: String,
    /// The text in front of a branch, one column for each level.
    indent: String,
    /// True if the last line was a leaf. The next leaf is then printed without an empty line before
    /// it; the next branch is printed after an empty line.
    after_leaf: bool,
}

impl OutlineWriter<'_> {
    fn draw(&mut self, object: &'static Object) {
        let trunk = self.indent.pop().unwrap_or(' ');
        let outer = self.indent.clone();
        // Writing to a String cannot fail.
        let _ = match object.leaf() {
            Some(leaf) => {
                let syntax = &leaf.syntax;
                let labels = labels_of(syntax);
                let (access, kind) = (access(leaf.access), kind(syntax.base, !labels.is_empty()));
                let _ = writeln!(self.text, "{outer}+-- {access} {kind:<9} {}({})", object.name, object.arc);
                let mut more = |line: String| writeln!(self.text, "{outer}{trunk}        {line}");
                if let Some(convention) = syntax.convention {
                    let _ = more(format!("Textual Convention: {}", convention.name));
                }
                if !labels.is_empty() {
                    let _ = more(format!("Values: {}", labels.join(", ")));
                }
                match (syntax.limits(), syntax.base) {
                    ([], _) => Ok(()),
                    (limits, Base::OctetString | Base::Opaque) => more(format!("Size: {}", ranges(limits))),
                    (limits, _) => more(format!("Range: {}", ranges(limits))),
                }
            }
            None => writeln!(self.text, "{outer}+--{}({})", object.name, object.arc),
        };
        if let Kind::Row(index) = object.kind
            && !matches!(index, crate::object::Index::Augments(_))
            && let Some(index) = index_names(index)
        {
            let index = index.join(", ").replace("IMPLIED ", "");
            let _ = writeln!(self.text, "{outer}{trunk}  |  Index: {index}");
        }
        self.after_leaf = !is_branch(object);
        self.indent.push(trunk);
        self.indent.push_str("  |");
        let below = children(self.names, object);
        for (position, child) in below.iter().enumerate() {
            if !self.after_leaf || is_branch(child) {
                let _ = writeln!(self.text, "{}", self.indent);
            }
            if position + 1 == below.len() {
                self.indent.pop();
                self.indent.push(' ');
            }
            self.draw(child);
        }
        if !below.is_empty() {
            self.after_leaf = false;
        }
        self.indent.truncate(self.indent.len().saturating_sub(3));
    }
}

/// Returns true for nodes that only structure the tree.
fn is_branch(object: &Object) -> bool {
    matches!(object.kind, Kind::Node | Kind::Table | Kind::Row(_))
}

fn access(access: Access) -> &'static str {
    match access {
        Access::NotAccessible => "----",
        Access::AccessibleForNotify => "---N",
        Access::ReadOnly => "-R--",
        Access::ReadWrite => "-RW-",
        Access::ReadCreate => "CR--",
    }
}

fn kind(base: Base, has_labels: bool) -> &'static str {
    match base {
        Base::Integer32 if has_labels => "EnumVal",
        Base::Integer32 => "Integer32",
        Base::Unsigned32 => "Unsigned",
        Base::OctetString => "String",
        Base::ObjectIdentifier => "ObjID",
        Base::Bits => "BitString",
        Base::IpAddress => "IpAddr",
        Base::Counter32 => "Counter",
        Base::Gauge32 => "Gauge",
        Base::TimeTicks => "TimeTicks",
        Base::Opaque => "Opaque",
        Base::Counter64 => "Counter64",
    }
}
