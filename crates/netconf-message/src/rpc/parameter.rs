//! The parameters that each operation accepts.

use portreeve_yang_text::xml::Name;

use super::{Datastore, DefaultOperation, ErrorOption, OperationName, TestOption, WithDefaults};
use crate::names::WITH_DEFAULTS;

/// A parameter of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parameter {
    Source,
    Target,
    Filter,
    Config,
    DefaultOperation,
    TestOption,
    ErrorOption,
    WithDefaults,
    SessionId,
    Identifier,
    Version,
    Format,
}

impl Parameter {
    /// Returns the parameter that an element of an operation is.
    pub(super) fn of(operation: OperationName, name: Name<'_>) -> Option<Self> {
        let namespace_of = |parameter| match parameter {
            Self::WithDefaults => WITH_DEFAULTS,
            _ => operation.namespace(),
        };
        let is_wanted = |parameter: &&Self| {
            parameter.as_str() == name.local && namespace_of(**parameter) == name.namespace
        };
        Self::accepted(operation).iter().find(is_wanted).copied()
    }

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Target => "target",
            Self::Filter => "filter",
            Self::Config => "config",
            Self::DefaultOperation => "default-operation",
            Self::TestOption => "test-option",
            Self::ErrorOption => "error-option",
            Self::WithDefaults => "with-defaults",
            Self::SessionId => "session-id",
            Self::Identifier => "identifier",
            Self::Version => "version",
            Self::Format => "format",
        }
    }

    /// The parameters of an operation. Those of features that this server lacks, such as the ones
    /// of a confirmed commit, are unknown elements (RFC 7950 §8.3.1).
    fn accepted(operation: OperationName) -> &'static [Self] {
        match operation {
            OperationName::Get => &[Self::Filter, Self::WithDefaults],
            OperationName::GetConfig => &[Self::Source, Self::Filter, Self::WithDefaults],
            OperationName::EditConfig => {
                &[Self::Target, Self::DefaultOperation, Self::TestOption, Self::ErrorOption, Self::Config]
            }
            OperationName::CopyConfig => &[Self::Target, Self::Source, Self::WithDefaults],
            OperationName::DeleteConfig | OperationName::Lock | OperationName::Unlock => &[Self::Target],
            OperationName::KillSession => &[Self::SessionId],
            OperationName::Validate => &[Self::Source],
            OperationName::GetSchema => &[Self::Identifier, Self::Version, Self::Format],
            OperationName::CloseSession | OperationName::Commit | OperationName::DiscardChanges => &[],
        }
    }
}

/// Returns the datastore that an element within `source` or `target` names. `startup` and `url` are
/// features that this server lacks; without them, nothing can be deleted (RFC 6241 §7.4).
pub(super) fn datastore(operation: OperationName, name: Name<'_>) -> Option<Datastore> {
    //= rfc6241#7.4-p1
    if operation == OperationName::DeleteConfig || name.namespace != operation.namespace() {
        return None;
    }
    match name.local {
        "running" => Some(Datastore::Running),
        "candidate" => Some(Datastore::Candidate),
        _ => None,
    }
}

/// Returns true if the operation has a `config` element within `source`.
pub(super) fn has_config_as_source(operation: OperationName) -> bool {
    matches!(operation, OperationName::CopyConfig | OperationName::Validate)
}

pub(super) fn default_operation(text: &str) -> Option<DefaultOperation> {
    match text {
        "merge" => Some(DefaultOperation::Merge),
        "replace" => Some(DefaultOperation::Replace),
        "none" => Some(DefaultOperation::None),
        _ => None,
    }
}

pub(super) fn test_option(text: &str) -> Option<TestOption> {
    match text {
        "test-then-set" => Some(TestOption::TestThenSet),
        "set" => Some(TestOption::Set),
        "test-only" => Some(TestOption::TestOnly),
        _ => None,
    }
}

pub(super) fn error_option(text: &str) -> Option<ErrorOption> {
    match text {
        "stop-on-error" => Some(ErrorOption::StopOnError),
        "continue-on-error" => Some(ErrorOption::ContinueOnError),
        "rollback-on-error" => Some(ErrorOption::RollbackOnError),
        _ => None,
    }
}

pub(super) fn with_defaults(text: &str) -> Option<WithDefaults> {
    match text {
        "report-all" => Some(WithDefaults::ReportAll),
        "report-all-tagged" => Some(WithDefaults::ReportAllTagged),
        "trim" => Some(WithDefaults::Trim),
        "explicit" => Some(WithDefaults::Explicit),
        _ => None,
    }
}

/// Reads a session identifier, which is not 0 (RFC 6241 Appendix C, `session-id-type`).
pub(super) fn session_id(text: &str) -> Option<u32> {
    // YANG accepts a plus sign (RFC 7950 §9.2.1), and so does this.
    text.parse().ok().filter(|id| *id > 0)
}
