//! The operations and their parameters.

use crate::filter::Filter;
use crate::names::{NETCONF, NETCONF_MONITORING};

/// A request with its parameters. The content of `config` is not part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `get` (RFC 6241 §7.7).
    Get {
        /// The part that is requested; `None` for everything.
        filter: Option<Filter>,
        /// The mode of default values; `None` for the server's own.
        with_defaults: Option<WithDefaults>,
    },
    /// `get-config` (RFC 6241 §7.1).
    GetConfig {
        /// The datastore that is read.
        source: Datastore,
        /// The part that is requested; `None` for everything.
        filter: Option<Filter>,
        /// The mode of default values; `None` for the server's own.
        with_defaults: Option<WithDefaults>,
    },
    /// `edit-config` (RFC 6241 §7.2).
    EditConfig(EditConfig),
    /// `copy-config` (RFC 6241 §7.3). Source and target differ.
    CopyConfig {
        /// The datastore that is replaced.
        target: Datastore,
        /// Its new content.
        source: Source,
        /// The mode of default values; `None` for the server's own.
        with_defaults: Option<WithDefaults>,
    },
    /// `lock` (RFC 6241 §7.5).
    Lock(Datastore),
    /// `unlock` (RFC 6241 §7.6).
    Unlock(Datastore),
    /// `close-session` (RFC 6241 §7.8).
    CloseSession,
    /// `kill-session` (RFC 6241 §7.9) with the session to end, not 0.
    KillSession(u32),
    /// `commit` (RFC 6241 §8.3.4.1).
    Commit,
    /// `discard-changes` (RFC 6241 §8.3.4.2).
    DiscardChanges,
    /// `validate` (RFC 6241 §8.6.4.1).
    Validate(Source),
    /// `get-schema` (RFC 6022 §3.1).
    GetSchema(GetSchema),
}

/// The parameters of `edit-config`, other than the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditConfig {
    /// The datastore that is changed.
    pub target: Datastore,
    /// The operation of elements without one.
    pub default_operation: DefaultOperation,
    /// The order of test and change.
    pub test_option: TestOption,
    /// The reaction to an error; `None` if the client leaves it to the default.
    pub error_option: Option<ErrorOption>,
}

/// The parameters of `get-schema`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GetSchema {
    /// The name of the module.
    pub identifier: Box<str>,
    /// Its revision; empty for a module without one.
    pub version: Option<Box<str>>,
}

/// A datastore for configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Datastore {
    /// The configuration that is in effect.
    Running,
    /// The configuration that is being prepared (RFC 6241 §8.3).
    Candidate,
}

impl Datastore {
    /// Returns the name of the datastore.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Candidate => "candidate",
        }
    }
}

/// The configuration that an operation reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A datastore.
    Datastore(Datastore),
    /// The content of `config` in the request.
    Config,
}

/// The operation of elements of a request without an own one (RFC 6241 §7.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DefaultOperation {
    /// Merge.
    //= rfc6241#7.2-p1
    #[default]
    Merge,
    /// Replace.
    Replace,
    /// Change nothing.
    None,
}

/// The order of test and change (RFC 6241 §7.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TestOption {
    /// Change only what has passed the test.
    #[default]
    TestThenSet,
    /// Change without a test.
    Set,
    /// Test only.
    TestOnly,
}

/// The reaction to an error (RFC 6241 §7.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorOption {
    /// Stop at the first error.
    StopOnError,
    /// Continue after an error.
    ContinueOnError,
    /// Restore the configuration.
    RollbackOnError,
}

/// The mode of default values in a reply (RFC 6243 §3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WithDefaults {
    /// All are reported.
    ReportAll,
    /// All are reported and marked.
    ReportAllTagged,
    /// None are reported.
    Trim,
    /// Those that a client has set are reported.
    Explicit,
}

/// The use of a `config` element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigUse {
    /// Changes of `edit-config`.
    Edit {
        /// The datastore that is changed.
        target: Datastore,
        /// The operation of elements without one.
        default_operation: DefaultOperation,
    },
    /// A complete configuration, the source of `copy-config`.
    Copy,
    /// A complete configuration, the source of `validate`.
    Validate,
}

/// The name of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the operations")]
pub enum OperationName {
    Get,
    GetConfig,
    EditConfig,
    CopyConfig,
    DeleteConfig,
    Lock,
    Unlock,
    CloseSession,
    KillSession,
    Commit,
    DiscardChanges,
    Validate,
    GetSchema,
}

impl OperationName {
    /// All operations.
    pub const ALL: [Self; 13] = [
        Self::Get,
        Self::GetConfig,
        Self::EditConfig,
        Self::CopyConfig,
        Self::DeleteConfig,
        Self::Lock,
        Self::Unlock,
        Self::CloseSession,
        Self::KillSession,
        Self::Commit,
        Self::DiscardChanges,
        Self::Validate,
        Self::GetSchema,
    ];

    /// Returns true if the operation can change the content of a datastore.
    #[must_use]
    pub const fn changes_data(self) -> bool {
        matches!(
            self,
            Self::EditConfig | Self::CopyConfig | Self::DeleteConfig | Self::Commit | Self::DiscardChanges
        )
    }

    /// Returns the name of the element.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::GetConfig => "get-config",
            Self::EditConfig => "edit-config",
            Self::CopyConfig => "copy-config",
            Self::DeleteConfig => "delete-config",
            Self::Lock => "lock",
            Self::Unlock => "unlock",
            Self::CloseSession => "close-session",
            Self::KillSession => "kill-session",
            Self::Commit => "commit",
            Self::DiscardChanges => "discard-changes",
            Self::Validate => "validate",
            Self::GetSchema => "get-schema",
        }
    }

    /// Returns the namespace of the element and, except for `with-defaults`, of its parameters.
    #[must_use]
    pub fn namespace(self) -> &'static str {
        match self {
            Self::GetSchema => NETCONF_MONITORING,
            _ => NETCONF,
        }
    }
}
