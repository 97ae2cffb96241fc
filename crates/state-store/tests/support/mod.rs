//! A model with a list of leafs, and a datastore in a directory.

#![allow(dead_code, reason = "each test program uses a part of this module")]

#[path = "../../../store/tests/support/mod.rs"]
mod victim;

use std::{path::Path, sync::Arc};

use portreeve_datastore::{
    Coordinator, Datastore, Model, ProposedState, Purpose, Refusal, Ticket, Transaction, TransactionResult,
    Tree, TreeEdit,
};
use portreeve_lcd::Lcd;
use portreeve_smi::Timestamp;
use portreeve_state_store::{LoadedTree, StateLog, load};
use portreeve_store::Store;
use portreeve_yang::{
    Entry, InstancePath, IntegerKind, Module, Node, NodeId, NodeKind, Schema, SchemaBuilder, Type, TypeKind,
};
use portreeve_yang_tree::{Editor, Operation, Placement, RowKey};

#[allow(unused_imports, reason = "each test program uses a part of this module")]
pub use victim::{TempDir, VICTIM_ENV, run};

/// A list `step` with an integer key and ten strings, and two leafs at the top level.
pub struct Stair {
    pub model: Arc<Model>,
    pub number: NodeId,
    count: NodeId,
    pub list: NodeId,
    index: NodeId,
    leafs: Vec<NodeId>,
}

pub const LEAFS_OF_STEP: u32 = 10;

impl Stair {
    pub fn new() -> Self {
        Self::with(|_, _| {})
    }

    /// Creates the model with a schema that a function has changed.
    pub fn with(change: impl FnOnce(&mut SchemaBuilder, &Self)) -> Self {
        let mut builder = SchemaBuilder::new();
        let module = builder.add_module(Module::new("stair", "urn:stair", "st"));
        let string = builder.add_type(Type::new(TypeKind::string()));
        let number_type = builder.add_type(Type::new(TypeKind::integer(IntegerKind::Uint32)));
        let mut leaf = |parent, name: &str, leaf_type| {
            builder.add_node(parent, Node::new(module, name, NodeKind::leaf(leaf_type)))
        };
        let number = leaf(NodeId::ROOT, "number", number_type);
        let count = leaf(NodeId::ROOT, "count", number_type);
        let list = builder.add_node(NodeId::ROOT, Node::new(module, "step", NodeKind::list()));
        let mut leaf = |name: &str, leaf_type| {
            builder.add_node(list, Node::new(module, name, NodeKind::leaf(leaf_type)))
        };
        let index = leaf("index", number_type);
        let leafs = (0..LEAFS_OF_STEP).map(|number| leaf(&format!("text-{number}"), string)).collect();
        builder.set_keys(list, &[index]);
        let mut stair = Self { model: Arc::new(Model::empty()), number, count, list, index, leafs };
        change(&mut builder, &stair);
        stair.model = Arc::new(Model::new(Arc::new(builder.build().unwrap()), Vec::new()));
        stair
    }

    pub fn schema(&self) -> &Arc<Schema> {
        self.model.schema()
    }

    pub fn leaf(&self, number: usize) -> NodeId {
        self.leafs[number]
    }

    /// Returns a tree with this number, `steps` steps, and this text in all of their leafs. It
    /// shares nothing with another tree.
    pub fn tree(&self, number: u32, steps: u32, text: &str) -> Tree {
        let mut editor = Editor::new(Arc::clone(self.schema()), &Tree::new(), Operation::Merge);
        editor.leaf(self.number, None, Some(&number.to_string())).unwrap();
        editor.leaf(self.count, None, Some(&steps.to_string())).unwrap();
        for step in 0..steps {
            editor.open(self.list, None, None).unwrap();
            editor.leaf(self.index, None, Some(&step.to_string())).unwrap();
            for leaf in &self.leafs {
                editor.leaf(*leaf, None, Some(text)).unwrap();
            }
            editor.close().unwrap();
        }
        editor.finish().unwrap()
    }

    /// Returns the tree with another text in one leaf.
    pub fn with_text(&self, tree: &Tree, step: u32, leaf: usize, text: &str) -> Tree {
        let mut editor = Editor::new(Arc::clone(self.schema()), tree, Operation::Merge);
        editor.open(self.list, None, None).unwrap();
        editor.leaf(self.index, None, Some(&step.to_string())).unwrap();
        editor.leaf(self.leafs[leaf], None, Some(text)).unwrap();
        editor.close().unwrap();
        editor.finish().unwrap()
    }

    /// Returns the tree with a step after another one, in a list that users order.
    pub fn with_step_after(&self, tree: &Tree, step: u32, other: u32) -> Tree {
        let key = self.schema().encode_key(self.list, [&*other.to_string()]).unwrap();
        let place = Placement::After(RowKey::from(&key[..]));
        let mut editor = Editor::new(Arc::clone(self.schema()), tree, Operation::Merge);
        editor.open(self.list, None, Some(place)).unwrap();
        editor.leaf(self.index, None, Some(&step.to_string())).unwrap();
        editor.close().unwrap();
        editor.finish().unwrap()
    }

    /// Returns the numbers of the steps in the order of the list.
    pub fn steps(&self, tree: &Tree) -> Vec<String> {
        let list = tree.root().list(self.schema().row_children_in(self.list).start).unwrap();
        list.iter().map(|(_, step)| step.leaf(0).unwrap().to_owned()).collect()
    }

    /// Returns the tree without a leaf.
    pub fn without_text(&self, tree: &Tree, step: u32, leaf: usize) -> Tree {
        let mut path = self.path(step);
        path.push(self.leafs[leaf], Entry::All);
        tree.without(self.schema(), &path)
    }

    /// Returns the tree without a step.
    pub fn without_step(&self, tree: &Tree, step: u32) -> Tree {
        tree.without(self.schema(), &self.path(step))
    }

    fn path(&self, step: u32) -> InstancePath {
        let mut path = InstancePath::new();
        path.push(self.list, Entry::Keys(vec![step.to_string().into()]));
        path
    }

    /// Creates a model without modules.
    pub fn without_modules() -> Self {
        Self { model: Arc::new(Model::empty()), ..Self::new() }
    }

    /// Returns the number in a tree, and the number of its steps.
    pub fn numbers(&self, tree: &Tree) -> (u32, u32) {
        let leaf = |leaf| {
            let slot = self.schema().slot(leaf).unwrap();
            tree.root().leaf(slot).map_or(0, |value| value.parse().unwrap())
        };
        (leaf(self.number), leaf(self.count))
    }

    /// Opens the state in a directory.
    pub fn open(&self, directory: &Path) -> OpenState {
        let (mut store, _) = Store::open(directory).unwrap();
        let LoadedTree { tree, stored, set_aside } = load(&mut store, &self.model);
        let set_aside = set_aside.into_iter().map(|data| format!("{}: {}", data.path, data.reason)).collect();
        let datastore = Datastore::new(Lcd::default(), tree, Arc::clone(&self.model));
        let log = StateLog::new(store.into_writer().unwrap(), Some(stored));
        OpenState { coordinator: Coordinator::new(datastore.clone(), log), datastore, set_aside }
    }
}

/// The state in a directory.
pub struct OpenState {
    pub datastore: Datastore,
    pub coordinator: Coordinator<StateLog>,
    pub set_aside: Vec<String>,
}

impl OpenState {
    pub fn tree(&self) -> Tree {
        self.datastore.state().current().tree.clone()
    }

    /// Makes a valid change of the current tree durable.
    pub fn commit(&mut self, edited: Tree) -> TransactionResult {
        self.execute(TreeEdit::new(self.tree(), edited).validated())
    }

    /// Makes a change of the current tree durable if it is valid.
    pub fn commit_unchecked(&mut self, edited: Tree) -> TransactionResult {
        self.execute(TreeEdit::new(self.tree(), edited))
    }

    fn execute(&mut self, edit: TreeEdit) -> TransactionResult {
        let ticket = Ticket::new("test", Purpose::Edit, Timestamp::ZERO);
        let results = self.coordinator.execute(&mut (), &mut [Edit(edit)], ticket, || Timestamp::ZERO);
        self.datastore.state().free_replaced();
        results.into_iter().next().unwrap()
    }
}

pub struct Edit(pub TreeEdit);

impl Transaction for Edit {
    type Participants = ();

    fn prepare(&mut self, (): &mut (), proposed: &mut ProposedState) -> Result<(), Refusal> {
        self.0.prepare(proposed)
    }
}
