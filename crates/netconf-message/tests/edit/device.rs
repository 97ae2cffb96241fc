//! A device whose configuration tests edit with requests.

use std::sync::Arc;

use portreeve_netconf_message::names::NETCONF;
use portreeve_netconf_message::rpc::{
    ConfigUse, DefaultOperation, Operation as Request, OperationName, RpcHandler, RpcReader,
};
use portreeve_netconf_message::rpc_error::RpcError;
use portreeve_yang::{
    ErrorStatements, IntegerKind, Interval, LengthRestriction, List, Module, Node, NodeId, NodeKind, Schema,
    SchemaBuilder, Type, TypeKind,
};
use portreeve_yang_text::Progress;
use portreeve_yang_text::read::DataReader;
use portreeve_yang_text::write::TreeWriter;
use portreeve_yang_text::xml::{Event, Start, Writer};
use portreeve_yang_tree::{Editor, Operation, Tree, WriteAccess};

/// A schema of two modules. The list `berth` has a choice; users order the list `mooring`.
pub(crate) fn schema() -> Arc<Schema> {
    let mut builder = SchemaBuilder::new();
    let harbor = builder.add_module(Module::new("harbor", "urn:harbor", "h"));
    let lights = builder.add_module(Module::new("lights", "urn:lights", "l"));
    let string = builder.add_type(Type::new(TypeKind::string()));
    let error =
        ErrorStatements { message: Some("at most 8 characters".into()), app_tag: Some("name".into()) };
    let length = LengthRestriction { intervals: vec![Interval { min: 1, max: 8 }], error };
    let name = builder.add_type(Type::new(TypeKind::String { length: Some(length), patterns: Vec::new() }));
    let number = builder.add_type(Type::new(TypeKind::integer(IntegerKind::Uint8)));
    let mut add = |parent, module, name: &str, kind| builder.add_node(parent, Node::new(module, name, kind));
    let top = add(NodeId::ROOT, harbor, "harbor", NodeKind::container());
    let berth = add(top, harbor, "berth", NodeKind::list());
    let berth_key = add(berth, harbor, "name", NodeKind::leaf(name));
    let depth = add(berth, harbor, "depth", NodeKind::leaf(number));
    let power = add(berth, harbor, "power", NodeKind::choice());
    let shore = add(power, harbor, "shore", NodeKind::Case);
    add(shore, harbor, "voltage", NodeKind::leaf(number));
    let own = add(power, harbor, "own", NodeKind::Case);
    add(own, harbor, "fuel", NodeKind::leaf(string));
    let crane = add(berth, harbor, "crane", NodeKind::presence_container());
    add(crane, harbor, "reach", NodeKind::leaf(number));
    let mooring = NodeKind::List(List { user_ordered: true, ..List::default() });
    let mooring = add(top, harbor, "mooring", mooring);
    let mooring_key = add(mooring, harbor, "id", NodeKind::leaf(number));
    add(top, lights, "color", NodeKind::leaf(string));
    add(top, harbor, "note", NodeKind::AnyData { mandatory: false });
    add(top, harbor, "pilot", NodeKind::leaf_list(string));
    let tide = add(top, harbor, "tide", NodeKind::leaf(number));
    let owner = add(berth, harbor, "owner", NodeKind::container());
    let owner = add(owner, harbor, "code", NodeKind::leaf(number));
    builder.add_unique(berth, &[depth, owner]);
    builder.set_keys(berth, &[berth_key]);
    builder.set_keys(mooring, &[mooring_key]);
    builder.node_mut(tide).unwrap().config = false;
    Arc::new(builder.build().unwrap())
}

/// A device that executes `edit-config` as a server does.
pub(crate) struct Device {
    pub(crate) schema: Arc<Schema>,
    pub(crate) tree: Tree,
    /// Nodes with this name may not be written.
    pub(crate) protected: &'static str,
    /// The edit that is being read.
    pub(crate) pending: Option<(Editor, DataReader)>,
}

struct Rules(Arc<Schema>, &'static str);

impl WriteAccess for Rules {
    fn may_write(&self, node: NodeId, _change: portreeve_yang_tree::Write) -> bool {
        *self.0.node(node).name != *self.1
    }
}

impl Device {
    /// Creates a device with a configuration, in which the default namespace is that of `harbor`.
    pub(crate) fn new(config: &str) -> Self {
        let mut device = Self { schema: schema(), tree: Tree::new(), protected: "", pending: None };
        device.edit("", config).unwrap();
        device
    }

    /// Executes `edit-config` with these parameters and this content. Returns the `rpc-error`
    /// without the namespace of NETCONF.
    pub(crate) fn edit(&mut self, parameters: &str, config: &str) -> Result<(), String> {
        let request = format!(
            "<rpc xmlns='{NETCONF}' message-id='1'><edit-config><target><running/></target>{parameters}\
             <nc:config xmlns:nc='{NETCONF}' xmlns:h='urn:harbor' xmlns:l='urn:lights' xmlns:q='urn:q' \
             xmlns:y='urn:ietf:params:xml:ns:yang:1' xmlns='urn:harbor'>{config}</nc:config></edit-config></rpc>"
        );
        self.execute(&request).map_err(|error| written(&error))
    }

    fn execute(&mut self, request: &str) -> Result<(), RpcError> {
        self.pending = None;
        let mut reader = RpcReader::default();
        for octets in request.as_bytes().chunks(7) {
            reader.push(octets, self).unwrap();
        }
        let operation = reader.finish().unwrap().operation?;
        assert!(matches!(operation, Request::EditConfig(_)));
        let (editor, reader) = self.pending.take().unwrap();
        assert!(reader.is_at_top_level());
        self.tree = editor.finish().map_err(|error| RpcError::of_edit_error(&error, &self.schema))?;
        Ok(())
    }

    /// Returns the configuration without declarations of namespaces.
    pub(crate) fn config(&self) -> String {
        let (mut tree_writer, mut writer) = (TreeWriter::new(Arc::clone(&self.schema)), Writer::new());
        tree_writer.whole(&mut writer, NodeId::ROOT, Arc::clone(self.tree.root())).unwrap();
        assert_eq!(tree_writer.advance(&mut writer), Ok(Progress::Done));
        let text = String::from_utf8(writer.output().to_vec()).unwrap();
        text.replace(" xmlns=\"urn:harbor\"", "").replace(" xmlns=\"urn:lights\"", "")
    }
}

impl RpcHandler for Device {
    fn begin_operation(&mut self, _operation: OperationName) -> Result<(), RpcError> {
        Ok(())
    }

    fn begin_config(&mut self, config: ConfigUse, _start: Start<'_>) -> Result<(), RpcError> {
        let ConfigUse::Edit { default_operation, .. } = config else { panic!("{config:?}") };
        let operation = match default_operation {
            DefaultOperation::Merge => Operation::Merge,
            DefaultOperation::Replace => Operation::Replace,
            DefaultOperation::None => Operation::Enter,
        };
        let rules = Arc::new(Rules(Arc::clone(&self.schema), self.protected));
        let editor = Editor::new(Arc::clone(&self.schema), &self.tree, operation).with_access(rules);
        self.pending = Some((editor, DataReader::new()));
        Ok(())
    }

    fn config_event(&mut self, event: Event<'_>) -> Result<(), RpcError> {
        let Some((editor, reader)) = &mut self.pending else { panic!("no config has begun") };
        let read = reader.read(event, &self.schema, editor);
        read.map_err(|error| RpcError::of_read_error(&error, &self.schema))
    }
}

/// Returns the `rpc-error` without the namespace of NETCONF.
pub(crate) fn written(error: &RpcError) -> String {
    let mut writer = Writer::new();
    error.write(&mut writer);
    let text = String::from_utf8(writer.output().to_vec()).unwrap();
    text.replace(&format!(" xmlns=\"{NETCONF}\""), "")
}
