//! The `data` element of a reply, written in pieces.

use std::sync::Arc;

use portreeve_netconf_message::filter::{Filter, FilterWalk, Selection, TooManyStepsError};
use portreeve_netconf_message::names::NETCONF;
use portreeve_netconf_message::rpc_error::{ErrorPath, ErrorTag, ErrorType, RpcError};
use portreeve_yang::{Entry, InstancePath, NodeId, Schema};
use portreeve_yang_text::Progress;
use portreeve_yang_text::write::{TreeWriter, WriteError};
use portreeve_yang_text::xml::{NcName, Writer, XmlText};
use portreeve_yang_tree::Tree;

use super::schema_text::SchemaText;
use super::view::{DataNode, DataView};
use crate::DataError;

/// The content of a reply. It holds one version of each tree until it is written.
pub(crate) enum ReplyData {
    /// Data of trees.
    Tree(Box<TreeReply>),
    /// The text of a module.
    Schema(SchemaText),
}

/// Data of trees.
pub(crate) struct TreeReply {
    view: DataView,
    selected: Selected,
    writer: TreeWriter,
    has_begun: bool,
}

/// The nodes that remain to be written.
enum Selected {
    /// Everything in these trees; the next one is the last.
    Everything(Vec<Tree>),
    Filtered(Box<FilterWalk<DataView>>),
}

impl ReplyData {
    /// Begins to write the nodes that a filter selects, or everything.
    ///
    /// # Errors
    /// If the filter needs too many steps.
    pub(crate) fn of_trees(view: DataView, filter: Option<Filter>) -> Result<Self, RpcError> {
        let selected = match filter {
            None => Selected::Everything(view.trees().iter().rev().cloned().collect()),
            Some(filter) => {
                let walk = FilterWalk::new(filter, &view).map_err(|error| too_many_steps(&error))?;
                Selected::Filtered(Box::new(walk))
            }
        };
        let mut writer = TreeWriter::new(Arc::clone(view.schema()));
        if let Some(access) = view.access() {
            writer = writer.with_access(Arc::clone(access));
        }
        Ok(Self::Tree(Box::new(TreeReply { view, selected, writer, has_begun: false })))
    }

    /// Writes the next part.
    ///
    /// # Errors
    /// If the filter needs too many steps, or a name or value is not one of XML.
    pub(crate) fn write(&mut self, writer: &mut Writer) -> Result<Progress, DataError> {
        match self {
            Self::Tree(reply) => reply.write(writer).map_err(DataError),
            Self::Schema(text) => Ok(text.write(writer)),
        }
    }
}

impl TreeReply {
    fn write(&mut self, writer: &mut Writer) -> Result<Progress, RpcError> {
        if !std::mem::replace(&mut self.has_begun, true) {
            writer.start(XmlText::from_static(NETCONF), DATA);
        }
        loop {
            let progress = self.writer.advance(writer).map_err(|error| self.write_error(error))?;
            if progress != Progress::Done {
                return Ok(progress);
            }
            if let Some(progress) = self.write_next(writer)? {
                return Ok(progress);
            }
        }
    }

    /// Begins with the next node. Returns the progress if there is nothing to be written now.
    fn write_next(&mut self, writer: &mut Writer) -> Result<Option<Progress>, RpcError> {
        let selection = match &mut self.selected {
            Selected::Everything(trees) => match trees.pop() {
                Some(tree) => {
                    let begun = self.writer.whole(writer, NodeId::ROOT, Arc::clone(tree.root()));
                    return begun.map(|()| None).map_err(|error| self.write_error(error));
                }
                None => None,
            },
            Selected::Filtered(walk) => {
                walk.next_selection(&self.view).map_err(|error| too_many_steps(&error))?
            }
        };
        let begun = match selection {
            None => {
                writer.end();
                return Ok(Some(Progress::Done));
            }
            Some(Selection::Pause) => return Ok(Some(Progress::Pause)),
            Some(Selection::Open(node)) => self.writer.open(writer, node.kind()),
            Some(Selection::Whole(node)) => match &node {
                DataNode::Root => Ok(()),
                DataNode::Container(kind, row) | DataNode::Entry { list: kind, row, .. } => {
                    self.writer.whole(writer, *kind, Arc::clone(row))
                }
                DataNode::Leaf(kind, row) => self.writer.leaf(writer, *kind, row),
                DataNode::Value(kind, _) => {
                    let value = node.value(self.view.schema()).unwrap_or_default();
                    self.writer.leaf_list_entry(writer, *kind, value)
                }
            },
            Some(Selection::Close) => {
                self.writer.close(writer);
                Ok(())
            }
        };
        begun.map(|()| None).map_err(|error| self.write_error(error))
    }

    fn write_error(&self, error: WriteError) -> RpcError {
        let (WriteError::InvalidName(node) | WriteError::InvalidValue(node)) = error;
        RpcError::new(ErrorType::Application, ErrorTag::OperationFailed)
            .with_message(error.to_string())
            .with_path(ErrorPath::of_instance(&schema_path(self.view.schema(), node), self.view.schema()))
    }
}

/// Returns the path of all instances of a node.
fn schema_path(schema: &Schema, node: NodeId) -> InstancePath {
    let mut nodes = vec![node];
    let mut at = node;
    while let Some(parent) = schema.data_parent(at).filter(|parent| *parent != NodeId::ROOT) {
        nodes.push(parent);
        at = parent;
    }
    let mut path = InstancePath::new();
    nodes.into_iter().rev().for_each(|node| path.push(node, Entry::All));
    path
}

fn too_many_steps(error: &TooManyStepsError) -> RpcError {
    RpcError::new(ErrorType::Protocol, ErrorTag::TooBig).with_message(error.to_string())
}

const DATA: NcName<'_> = NcName::from_static("data");
