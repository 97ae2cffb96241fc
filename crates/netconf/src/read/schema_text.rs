//! The texts of modules and submodules (RFC 6022 §3.1).

use std::sync::Arc;

use portreeve_netconf_message::names::NETCONF_MONITORING;
use portreeve_netconf_message::rpc::GetSchema;
use portreeve_netconf_message::rpc_error::{ErrorTag, ErrorType, RpcError};
use portreeve_yang::{ModuleId, Schema};
use portreeve_yang_text::Progress;
use portreeve_yang_text::xml::{NcName, Writer, XmlText};

/// The text of a module or submodule that is being written.
pub(crate) struct SchemaText {
    schema: Arc<Schema>,
    module: ModuleId,
    /// Index of the submodule; `None` for the text of the module itself.
    submodule: Option<usize>,
    /// Number of octets that have been written.
    written: usize,
}

/// Finds the text of a module or submodule: an implemented one, or one that is only imported.
///
/// # Errors
/// `invalid-value` if there is none, and `operation-failed` with `data-not-unique` if there are
/// several revisions and none is requested.
pub(crate) fn find_schema(schema: &Arc<Schema>, request: &GetSchema) -> Result<SchemaText, RpcError> {
    let mut found = Vec::new();
    for (id, module) in schema.modules() {
        let is_wanted = |name: &str, revision: &str, text: &str| {
            *name == *request.identifier
                && request.version.as_ref().is_none_or(|version| **version == *revision)
                && !text.is_empty()
        };
        if is_wanted(&module.name, &module.revision, &module.text) {
            found.push((id, None, &module.revision));
        }
        for (index, submodule) in module.submodules.iter().enumerate() {
            if is_wanted(&submodule.name, &submodule.revision, &submodule.text) {
                found.push((id, Some(index), &submodule.revision));
            }
        }
    }
    // Modules of several revisions can include the same submodule.
    found.dedup_by(|next, first| next.1.is_some() && first.1.is_some() && next.2 == first.2);
    match found.as_slice() {
        [(module, submodule, _)] => {
            Ok(SchemaText { schema: Arc::clone(schema), module: *module, submodule: *submodule, written: 0 })
        }
        //= rfc6022#3.1-p1
        [] => Err(RpcError::new(ErrorType::Application, ErrorTag::InvalidValue)
            .with_message("there is no module with this identifier and version")),
        //= rfc6022#3.1-p2
        _ => Err(RpcError::new(ErrorType::Application, ErrorTag::OperationFailed)
            .with_app_tag("data-not-unique")
            .with_message("there are several revisions of this module: the parameter version selects one")),
    }
}

impl SchemaText {
    /// Writes the next part of the `data` element.
    pub(crate) fn write(&mut self, writer: &mut Writer) -> Progress {
        let module = self.schema.module(self.module);
        let text = match self.submodule {
            None => Some(&module.text),
            Some(index) => module.submodules.get(index).map(|submodule| &submodule.text),
        };
        if self.written == 0 {
            writer.start(XmlText::from_static(NETCONF_MONITORING), DATA);
        }
        let rest = text.and_then(|text| text.get(self.written..)).unwrap_or_default();
        let mut length = rest.len().min(PART);
        while !rest.is_char_boundary(length) {
            length -= 1;
        }
        // The schema contains texts of XML characters only.
        writer.text(rest.get(..length).and_then(XmlText::new).unwrap_or_default());
        self.written += length;
        if length < rest.len() {
            return Progress::More;
        }
        writer.end();
        Progress::Done
    }
}

/// Number of octets that are written at once.
const PART: usize = 16 << 10;

const DATA: NcName<'_> = NcName::from_static("data");
