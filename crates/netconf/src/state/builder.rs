//! Builds trees of state data by names.

use std::sync::Arc;

use portreeve_yang::{ModuleId, ModuleNames, NodeId, Schema};
use portreeve_yang_tree::{Editor, Tree};

/// Builds the state data of one module. Nodes that the schema lacks, for example because of a
/// deviation, and values that their type refuses are omitted.
pub(super) struct StateBuilder {
    schema: Arc<Schema>,
    module: Option<ModuleId>,
    editor: Editor,
    open: Vec<NodeId>,
}

impl StateBuilder {
    pub(super) fn new(schema: &Arc<Schema>, module: &str) -> Self {
        Self {
            module: schema.module_by_name(module),
            schema: Arc::clone(schema),
            editor: Editor::for_state(Arc::clone(schema)),
            open: Vec::new(),
        }
    }

    /// Adds a container or list entry with the content that `fill` adds.
    pub(super) fn node(&mut self, name: &str, fill: impl FnOnce(&mut Self)) {
        let Some(node) = self.find(name) else { return };
        if self.editor.open(node, None, None).is_err() {
            return;
        }
        self.open.push(node);
        fill(self);
        self.open.pop();
        // The keys of all entries are values of this program, so that this does not fail.
        let _ = self.editor.close();
    }

    /// Adds a leaf, or an entry of a leaf-list. Names of identities have the names of their modules
    /// as prefixes.
    pub(super) fn leaf(&mut self, name: &str, value: &str) {
        let Some(node) = self.find(name) else { return };
        let Some(value_type) = self.schema.type_of(node) else { return };
        let names = ModuleNames::new(&self.schema);
        let Ok(value) = self.schema.canonical(value_type, value, &names) else { return };
        // A value that its type accepts is refused only if the row is too long.
        let _ = match self.schema.leaf(node) {
            Some(_) => self.editor.leaf(node, None, Some(&value)),
            None => self.editor.leaf_list_entry(node, None, None, &value),
        };
    }

    /// Returns the tree.
    pub(super) fn finish(self) -> Tree {
        self.editor.finish().unwrap_or_default()
    }

    fn find(&self, name: &str) -> Option<NodeId> {
        self.schema.data_child(self.open.last().copied().unwrap_or(NodeId::ROOT), self.module?, name)
    }
}
