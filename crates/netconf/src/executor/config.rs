//! The content of a `config` element, which becomes an edited tree while it is read.

use std::sync::Arc;

use portreeve_netconf_message::rpc::{ConfigUse, Datastore, DefaultOperation};
use portreeve_netconf_message::rpc_error::{ErrorTag, ErrorType, RpcError};
use portreeve_yang::Schema;
use portreeve_yang_text::read::DataReader;
use portreeve_yang_text::xml::Event;
use portreeve_yang_tree::{Editor, Operation, Tree};

use super::Executor;

/// An edit in progress, on the version of a tree that was current when it began.
pub(crate) struct ConfigEdit {
    base: Tree,
    editor: Editor,
    reader: DataReader,
}

impl Executor {
    /// Begins an edit of the datastore that a request names.
    pub(super) fn begin_edit(&self, session: u32, config: ConfigUse) -> Result<ConfigEdit, RpcError> {
        let level = self.level(session);
        if !level.may_write() {
            return Err(RpcError::new(ErrorType::Protocol, ErrorTag::AccessDenied)
                .with_message("you may not write anything"));
        }
        let running = &self.state.tree;
        let (base, operation) = match config {
            ConfigUse::Edit { target, default_operation } => {
                let base = match target {
                    Datastore::Running => running,
                    Datastore::Candidate => self.candidate.tree(running),
                };
                let operation = match default_operation {
                    DefaultOperation::Merge => Operation::Merge,
                    DefaultOperation::Replace => Operation::Replace,
                    DefaultOperation::None => Operation::Enter,
                };
                (base, operation)
            }
            //= rfc6241#7.3-p2
            // Everything is replaced, so that the base matters only for what it can share.
            ConfigUse::Copy | ConfigUse::Validate => (running, Operation::Replace),
        };
        let mut editor = Editor::new(Arc::clone(&self.schema), base, operation);
        // The target of a copy can follow its source, so that its rights are checked at the end.
        if matches!(config, ConfigUse::Edit { .. })
            && let Some(rules) = self.rules.write_access(level)
        {
            editor = editor.with_access(rules);
        }
        Ok(ConfigEdit { base: base.clone(), editor, reader: DataReader::new() })
    }
}

impl ConfigEdit {
    /// Reads an event within `config`.
    pub(super) fn read(&mut self, event: Event<'_>, schema: &Schema) -> Result<(), RpcError> {
        self.reader
            .read(event, schema, &mut self.editor)
            .map_err(|error| RpcError::of_read_error(&error, schema))
    }

    /// Returns the tree before and after the edit.
    pub(super) fn finish(self, schema: &Schema) -> Result<(Tree, Tree), RpcError> {
        let edited = self.editor.finish().map_err(|error| RpcError::of_edit_error(&error, schema))?;
        Ok((self.base, edited))
    }
}
