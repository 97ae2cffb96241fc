//! Transactions that change the data tree.

use portreeve_lcd::{LcdDraft, Tables};
use portreeve_yang::{Module, Node, NodeId, NodeKind, Schema, SchemaBuilder, Type, TypeKind};
use portreeve_yang_tree::{Editor, Operation};

use super::*;
use crate::{Link, Model, Place, RunningLockHolder, Tree, TreeEdit};

#[test]
fn edit_publishes_the_tree_alone() {
    let mut fixture = TreeFixture::new();
    let before = fixture.state();
    let edited = fixture.edit(&before.tree, &[("location", "roof")]);
    assert_eq!(fixture.execute(vec![edit(&before.tree, &edited)]), [None]);
    let after = fixture.state();
    assert!(after.tree.is_same_version(&edited) && Arc::ptr_eq(&before.lcd, &after.lcd));
    assert_eq!(after.generation, 1);
    let batch = &fixture.written()[0];
    let change = batch.tree.as_ref().unwrap();
    assert!(change.before.is_same_version(&before.tree) && change.after.is_same_version(&edited));
    assert!(batch.records.is_empty());
    assert_eq!(fixture.execute(vec![edit(&edited, &edited)]), [None]);
    assert_eq!((fixture.state().generation, fixture.written().len()), (1, 1), "nothing has changed");
}

#[test]
fn tree_follows_the_tables_and_tables_follow_the_tree() {
    let mut fixture = TreeFixture::new();
    assert_eq!(fixture.execute(vec![set("Ann")]), [None]);
    assert_eq!(fixture.leaf("contact"), Some("Ann".to_owned()));
    let tree = fixture.state().tree.clone();
    let edited = fixture.edit(&tree, &[("contact", "Bob")]);
    assert_eq!(fixture.execute(vec![edit(&tree, &edited)]), [None]);
    assert_eq!(fixture.contact(), "Bob");
    for batch in fixture.written() {
        assert!(batch.tree.is_some());
        assert_eq!(batch.records[0].key, b"system/sysContact");
    }
    // A value that the tree cannot represent survives edits of other leafs.
    assert_eq!(fixture.execute(vec![set("\u{7}")]), [None]);
    assert_eq!(fixture.leaf("contact"), None);
    let tree = fixture.state().tree.clone();
    let edited = fixture.edit(&tree, &[("location", "roof")]);
    assert_eq!(fixture.execute(vec![edit(&tree, &edited)]), [None]);
    assert_eq!(fixture.contact(), "\u{7}");
}

#[test]
fn edit_is_refused_without_effect_when_the_tables_cannot_follow() {
    let mut fixture = TreeFixture::new();
    let tree = fixture.state().tree.clone();
    let edited = fixture.edit(&tree, &[("contact", "read-only"), ("location", "roof")]);
    let results = fixture.execute(vec![edit(&tree, &edited), set("Ann")]);
    assert_eq!(results, [Some(RefusalKind::NotWritable), None]);
    assert_eq!((fixture.leaf("location"), fixture.leaf("contact")), (None, Some("Ann".to_owned())));
}

#[test]
fn edits_of_one_base_are_merged_unless_they_conflict() {
    let mut fixture = TreeFixture::new();
    let base = fixture.state().tree.clone();
    let edits = [("location", "roof"), ("server", "a"), ("location", "cellar"), ("location", "roof")];
    let group = edits.map(|change| edit(&base, &fixture.edit(&base, &[change])));
    let kinds = fixture.execute(group.into());
    assert_eq!(kinds, [None, None, Some(RefusalKind::Conflict), None]);
    assert_eq!(fixture.last_refusal_path(), "/example:location");
    assert_eq!((fixture.leaf("location"), fixture.servers()), (Some("roof".to_owned()), 1));
    assert_eq!(fixture.written().len(), 2, "the last edit changes nothing");
}

/// Each edit is valid, but the list would have three entries with both.
#[test]
fn merged_edit_is_checked_although_it_was_valid_on_its_base() {
    let mut fixture = TreeFixture::new();
    let base = fixture.state().tree.clone();
    let two = |names: [&str; 2]| fixture.edit(&base, &names.map(|name| ("server", name)));
    let group = vec![valid_edit(&base, &two(["a", "b"])), valid_edit(&base, &two(["b", "c"]))];
    assert_eq!(fixture.execute(group), [None, Some(RefusalKind::Invalid)]);
    assert_eq!(fixture.last_refusal_path(), "/example:server");
    assert_eq!(fixture.servers(), 2);
    let base = fixture.state().tree.clone();
    let three = fixture.edit(&base, &[("server", "d")]);
    assert_eq!(fixture.execute(vec![edit(&base, &three)]), [Some(RefusalKind::Invalid)]);
}

#[test]
fn lock_of_a_session_refuses_changes_of_the_tree_by_others() {
    let mut fixture = TreeFixture::new();
    fixture.lock(Some(7));
    let tree = fixture.state().tree.clone();
    let edited = fixture.edit(&tree, &[("location", "roof")]);
    let by = |session| Change::Edit(TreeEdit::new(tree.clone(), edited.clone()).by_session(session));
    let group = vec![set("Ann"), Change::SetName, by(8), edit(&tree, &edited), by(7)];
    let in_use = Some(RefusalKind::InUse);
    assert_eq!(fixture.execute(group), [in_use, None, in_use, in_use, None]);
    assert_eq!((fixture.contact(), fixture.leaf("location")), (String::new(), Some("roof".to_owned())));
    fixture.lock(None);
    assert_eq!(fixture.execute(vec![set("Ann")]), [None]);
}

#[test]
fn lock_that_is_granted_after_the_preparation_is_respected() {
    let mut fixture = TreeFixture::new();
    let lock = fixture.datastore.running_lock().clone();
    let group = vec![Change::Lock(lock), set("Ann")];
    assert_eq!(fixture.execute(group), [None, Some(RefusalKind::InUse)]);
    assert_eq!(fixture.leaf("contact"), None);
}

#[test]
fn tree_of_a_transaction_that_is_not_durable_is_not_published() {
    let mut fixture = TreeFixture::new();
    let base = fixture.state().tree.clone();
    let group = ["a", "b"].map(|name| edit(&base, &fixture.edit(&base, &[("server", name)])));
    fixture.coordinator.log_mut().durable = Some(1);
    assert_eq!(fixture.execute(group.into()), [None, Some(RefusalKind::CommitFailed)]);
    assert_eq!(fixture.servers(), 1);
}

/// A transaction of any protocol.
enum Change {
    SetContact(&'static str),
    /// Changes sysName, which the tree does not contain.
    SetName,
    Edit(TreeEdit),
    /// Grants session 9 the lock while it is prepared.
    Lock(crate::RunningLock),
}

fn set(contact: &'static str) -> Change {
    Change::SetContact(contact)
}

fn edit(base: &Tree, edited: &Tree) -> Change {
    Change::Edit(TreeEdit::new(base.clone(), edited.clone()))
}

fn valid_edit(base: &Tree, edited: &Tree) -> Change {
    Change::Edit(TreeEdit::new(base.clone(), edited.clone()).validated())
}

impl Transaction for Change {
    type Participants = ();

    fn prepare(&mut self, (): &mut (), proposed: &mut ProposedState) -> Result<(), Refusal> {
        match self {
            Self::SetContact(text) => {
                proposed.lcd_mut().scalars_mut().sys_contact = TextScalar::set(text.as_bytes());
            }
            Self::SetName => proposed.lcd_mut().scalars_mut().sys_name = TextScalar::set(*b"name"),
            Self::Edit(edit) => return edit.prepare(proposed),
            Self::Lock(lock) => {
                let holder = RunningLockHolder { session: 9, owner: "ops".into() };
                lock.set(Some(holder), std::time::Duration::ZERO);
            }
        }
        Ok(())
    }

    fn session(&self) -> Option<u32> {
        match self {
            Self::Edit(edit) => edit.session(),
            _ => None,
        }
    }
}

/// sysContact as a leaf. Control characters cannot be represented, and `read-only` cannot be set.
struct ContactLink {
    schema: Arc<Schema>,
    contact: NodeId,
}

impl ContactLink {
    fn leaf<'t>(&self, tree: &'t Tree) -> Option<&'t str> {
        tree.root().leaf(self.schema.slot(self.contact).unwrap())
    }
}

impl Link for ContactLink {
    fn to_tree(&self, tables: &Tables, tree: &Tree) -> Result<Tree, Refusal> {
        let contact = String::from_utf8(tables.scalars.sys_contact.value.to_vec()).unwrap();
        let value = Some(&*contact).filter(|text| !text.is_empty() && !text.contains(char::is_control));
        if self.leaf(tree) == value {
            return Ok(tree.clone());
        }
        let operation = if value.is_some() { Operation::Merge } else { Operation::Remove };
        let mut editor = Editor::new(Arc::clone(&self.schema), tree, operation);
        editor.leaf(self.contact, None, value).unwrap();
        Ok(editor.finish().unwrap())
    }

    fn to_tables(&self, before: &Tree, after: &Tree, lcd: &mut LcdDraft) -> Result<(), Refusal> {
        let value = self.leaf(after);
        if value == self.leaf(before) {
            return Ok(());
        }
        if value == Some("read-only") {
            return Err(RefusalKind::NotWritable.into());
        }
        let contact = lcd.tables().scalars.sys_contact.value.clone();
        if *contact != *value.unwrap_or_default().as_bytes() {
            lcd.scalars_mut().sys_contact = TextScalar::set(value.unwrap_or_default().as_bytes());
        }
        Ok(())
    }
}

/// A log that keeps the batches.
#[derive(Default)]
struct KeptLog {
    batches: Vec<TransactionRecords>,
    /// The number of batches of the next group that become durable; `None` for all.
    durable: Option<usize>,
}

impl DurableLog for KeptLog {
    fn commit_group(&mut self, batches: Vec<TransactionRecords>) -> Result<(), GroupError> {
        self.batches.extend(batches);
        match self.durable.take() {
            None => Ok(()),
            Some(durable) => Err(GroupError { durable, reason: "disk full".to_owned(), may_reappear: false }),
        }
    }
}

struct TreeFixture {
    datastore: Datastore,
    coordinator: Coordinator<KeptLog>,
    nodes: Vec<(&'static str, NodeId)>,
    name: NodeId,
    last_refusal: Option<Refusal>,
}

impl TreeFixture {
    /// Two leafs, and a list with at most two entries.
    fn new() -> Self {
        let mut builder = SchemaBuilder::new();
        let module = builder.add_module(Module::new("example", "urn:example", "ex"));
        let string = builder.add_type(Type::new(TypeKind::string()));
        let mut add = |parent, name, kind| builder.add_node(parent, Node::new(module, name, kind));
        let contact = add(NodeId::ROOT, "contact", NodeKind::leaf(string));
        let location = add(NodeId::ROOT, "location", NodeKind::leaf(string));
        let server = add(NodeId::ROOT, "server", NodeKind::list());
        let name = add(server, "name", NodeKind::leaf(string));
        builder.set_keys(server, &[name]);
        if let NodeKind::List(list) = &mut builder.node_mut(server).unwrap().kind {
            list.max = Some(2);
        }
        let schema = Arc::new(builder.build().unwrap());
        let link = ContactLink { schema: Arc::clone(&schema), contact };
        let model = Arc::new(Model::new(schema, vec![Box::new(link)]));
        let datastore = Datastore::new(Lcd::default(), Tree::new(), model);
        Self {
            coordinator: Coordinator::new(datastore.clone(), KeptLog::default()),
            datastore,
            nodes: vec![("contact", contact), ("location", location), ("server", server)],
            name,
            last_refusal: None,
        }
    }

    fn schema(&self) -> &Arc<Schema> {
        self.datastore.model().schema()
    }

    fn node(&self, name: &str) -> NodeId {
        self.nodes.iter().find(|(other, _)| *other == name).unwrap().1
    }

    /// Sets leafs, and adds servers.
    fn edit(&self, tree: &Tree, changes: &[(&str, &str)]) -> Tree {
        let mut editor = Editor::new(Arc::clone(self.schema()), tree, Operation::Merge);
        for (name, value) in changes {
            let node = self.node(name);
            if *name == "server" {
                editor.open(node, None, None).unwrap();
                editor.leaf(self.name, None, Some(value)).unwrap();
                editor.close().unwrap();
            } else {
                editor.leaf(node, None, Some(value)).unwrap();
            }
        }
        editor.finish().unwrap()
    }

    /// Executes a group, and returns the kinds of the refusals.
    fn execute(&mut self, mut group: Vec<Change>) -> Vec<Option<RefusalKind>> {
        let results = self.coordinator.execute(&mut (), &mut group, ticket(), || Timestamp::ZERO);
        self.last_refusal = results.iter().rev().find_map(|result| result.clone().err());
        results.into_iter().map(|result| result.err().map(|refusal| refusal.kind)).collect()
    }

    fn last_refusal_path(&self) -> &str {
        match &self.last_refusal.as_ref().unwrap().at {
            Place::Path(path) => &path.text,
            place => panic!("{place:?} is not a path"),
        }
    }

    fn lock(&self, session: Option<u32>) {
        let holder = session.map(|session| RunningLockHolder { session, owner: "ops".into() });
        self.datastore.running_lock().set(holder, std::time::Duration::ZERO);
    }

    fn state(&self) -> Arc<crate::State> {
        self.datastore.state().current()
    }

    fn contact(&self) -> String {
        String::from_utf8(self.state().lcd.scalars().sys_contact.value.to_vec()).unwrap()
    }

    fn leaf(&self, name: &str) -> Option<String> {
        let slot = self.schema().slot(self.node(name)).unwrap();
        self.state().tree.root().leaf(slot).map(str::to_owned)
    }

    fn servers(&self) -> usize {
        self.state().tree.root().list(0).map_or(0, |list| list.len())
    }

    fn written(&mut self) -> &[TransactionRecords] {
        &self.coordinator.log_mut().batches
    }
}
