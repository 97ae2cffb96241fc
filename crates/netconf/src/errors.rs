//! Errors of changes as NETCONF reports them.

use portreeve_datastore::{Place, Refusal, RefusalKind};
use portreeve_netconf_message::rpc_error::{ErrorInfo, ErrorPath, ErrorTag, ErrorType, RpcError};
use portreeve_yang::{InstancePath, Schema};
use portreeve_yang_tree::{Conflicts, Fault};

#[cfg(test)]
mod tests;

/// The errors of a user: they name no nodes that the user may not read.
pub(crate) struct ErrorWriter<'e> {
    pub(crate) schema: &'e Schema,
    /// Returns true if the user may read a node.
    pub(crate) may_read: &'e dyn Fn(&InstancePath) -> bool,
}

impl ErrorWriter<'_> {
    /// Returns the errors of a configuration that is not valid.
    pub(crate) fn of_faults(&self, faults: &[Fault]) -> Vec<RpcError> {
        let errors = faults.iter().map(|fault| match (self.may_read)(&fault.path) {
            true => RpcError::of_fault(fault, self.schema),
            false => RpcError {
                path: None,
                info: Vec::new(),
                message: Some("a constraint of a node that you may not read is not met".into()),
                ..RpcError::of_fault(fault, self.schema)
            },
        });
        errors.collect()
    }

    /// Returns the errors of two changes of the same nodes.
    pub(crate) fn of_conflicts(&self, conflicts: &Conflicts) -> Vec<RpcError> {
        let error = || {
            RpcError::new(ErrorType::Application, ErrorTag::OperationFailed).with_message(
                "the running configuration has changed here since this change began: discard the change, or repeat it",
            )
        };
        let readable = conflicts.paths.iter().filter(|path| (self.may_read)(path));
        let errors: Vec<_> =
            readable.map(|path| error().with_path(ErrorPath::of_instance(path, self.schema))).collect();
        if errors.is_empty() { vec![error()] } else { errors }
    }

    /// Returns the errors of a transaction that was refused.
    pub(crate) fn of_refusal(&self, refusal: &Refusal) -> Vec<RpcError> {
        std::iter::once(refusal).chain(&refusal.further).map(|refusal| self.of_one_refusal(refusal)).collect()
    }

    fn of_one_refusal(&self, refusal: &Refusal) -> RpcError {
        let tag = error_tag(refusal);
        let kind = match tag {
            ErrorTag::InUse | ErrorTag::ResourceDenied => ErrorType::Protocol,
            _ => ErrorType::Application,
        };
        let mut error = RpcError::new(kind, tag).with_message(refusal.text.clone());
        error.app_tag.clone_from(&refusal.app_tag);
        if let Place::Path(place) = &refusal.at
            && (self.may_read)(&place.path)
        {
            let path = ErrorPath::of_instance(&place.path, self.schema);
            if refusal.app_tag.as_deref() == Some("data-not-unique") {
                error.info.push(ErrorInfo::NonUnique(path.clone()));
            }
            error = error.with_path(path);
        }
        error
    }
}

/// Returns the error-tag of a refusal.
fn error_tag(refusal: &Refusal) -> ErrorTag {
    match refusal.kind {
        RefusalKind::AccessDenied | RefusalKind::NotAuthorized => ErrorTag::AccessDenied,
        RefusalKind::WrongType | RefusalKind::WrongLength | RefusalKind::WrongValue => ErrorTag::InvalidValue,
        RefusalKind::ResourceUnavailable => ErrorTag::ResourceDenied,
        RefusalKind::UndoFailed => ErrorTag::RollbackFailed,
        RefusalKind::DataExists => ErrorTag::DataExists,
        RefusalKind::DataMissing => ErrorTag::DataMissing,
        RefusalKind::TooBig => ErrorTag::TooBig,
        RefusalKind::InUse => ErrorTag::InUse,
        RefusalKind::NotWritable
        | RefusalKind::NoCreation
        | RefusalKind::InconsistentName
        | RefusalKind::InconsistentValue
        | RefusalKind::CommitFailed
        | RefusalKind::Invalid
        | RefusalKind::Conflict
        | RefusalKind::Internal => ErrorTag::OperationFailed,
    }
}
