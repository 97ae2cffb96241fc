//! The nodes that users may read and write, determined once for a schema.

use std::sync::Arc;

use portreeve_yang::{DefaultDeny, NodeId, Schema};
use portreeve_yang_text::write::ReadAccess;
use portreeve_yang_tree::{Write, WriteAccess};

use super::Level;

/// The nodes of a schema to which special rules apply.
#[derive(Clone, Debug)]
pub(crate) struct NodeRules {
    rules: Arc<[Rule]>,
}

/// The rules for one node.
#[derive(Clone, Copy, Debug, Default)]
struct Rule {
    /// Only recovery users may read the node and everything below it.
    is_hidden: bool,
    /// Only recovery users may write the node and everything below it.
    is_protected: bool,
}

/// The nodes that users with these rights may read and write.
struct UserRules {
    rules: NodeRules,
    level: Level,
}

impl NodeRules {
    /// Determines the rules of a schema. A rule for a node applies to everything below it.
    pub(crate) fn new(schema: &Schema) -> Self {
        let mut rules = vec![Rule::default(); schema.nodes().len()];
        // Parents precede their children.
        for (id, node) in schema.nodes() {
            let above = node.parent.and_then(|parent| rules.get(parent.index()).copied());
            let above = above.unwrap_or_default();
            let deny = node.default_deny();
            if let Some(rule) = rules.get_mut(id.index()) {
                rule.is_hidden = above.is_hidden || deny == DefaultDeny::All;
                rule.is_protected =
                    above.is_protected || deny != DefaultDeny::None || is_access_control(schema, id);
            }
        }
        Self { rules: rules.into() }
    }

    /// Returns the rules for what a user reads; `None` if no rules apply.
    pub(crate) fn read_access(&self, level: Level) -> Option<Arc<dyn ReadAccess>> {
        (level != Level::Recovery)
            .then(|| Arc::new(UserRules { rules: self.clone(), level }) as Arc<dyn ReadAccess>)
    }

    /// Returns the rules for the changes of a user; `None` if no rules apply.
    pub(crate) fn write_access(&self, level: Level) -> Option<Arc<dyn WriteAccess>> {
        (level != Level::Recovery)
            .then(|| Arc::new(UserRules { rules: self.clone(), level }) as Arc<dyn WriteAccess>)
    }

    /// Returns true if a user with these rights may read a node.
    pub(crate) fn may_read(&self, level: Level, node: NodeId) -> bool {
        match level {
            Level::None => false,
            Level::Read | Level::Write => !self.rule(node).is_hidden,
            Level::Recovery => true,
        }
    }

    /// Returns true if a user with these rights may write a node.
    pub(crate) fn may_write(&self, level: Level, node: NodeId) -> bool {
        match level {
            Level::None | Level::Read => false,
            Level::Write => !self.rule(node).is_protected,
            Level::Recovery => true,
        }
    }

    /// Returns the topmost configuration nodes with a rule, and true for those that are hidden.
    pub(super) fn exceptions<'s>(&'s self, schema: &'s Schema) -> impl Iterator<Item = (NodeId, bool)> + 's {
        schema.nodes().filter_map(|(id, node)| {
            let rule = self.rule(id);
            let above = node.parent.map(|parent| self.rule(parent)).unwrap_or_default();
            let is_first = rule.is_hidden != above.is_hidden || rule.is_protected != above.is_protected;
            (is_first && node.is_data() && node.config).then_some((id, rule.is_hidden))
        })
    }

    fn rule(&self, node: NodeId) -> Rule {
        self.rules.get(node.index()).copied().unwrap_or_default()
    }
}

impl ReadAccess for UserRules {
    fn may_read(&self, node: NodeId) -> bool {
        self.rules.may_read(self.level, node)
    }
}

impl WriteAccess for UserRules {
    fn may_write(&self, node: NodeId, _: Write) -> bool {
        self.rules.may_write(self.level, node)
    }
}

/// Returns true for the nodes with which users could give themselves rights.
fn is_access_control(schema: &Schema, id: NodeId) -> bool {
    let node = schema.node(id);
    let parent = schema.data_parent(id);
    match (&*schema.module(node.module).name, &*node.name) {
        ("ietf-netconf-acm", "nacm") => parent == Some(NodeId::ROOT),
        ("ietf-snmp", "vacm" | "usm") => parent.is_some_and(|parent| {
            *schema.node(parent).name == *"snmp" && schema.data_parent(parent) == Some(NodeId::ROOT)
        }),
        _ => false,
    }
}
