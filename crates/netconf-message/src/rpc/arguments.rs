//! The parameters that have been read, and the operation that they make up.

use portreeve_yang_text::xml::Scope;

use super::parameter::{self, Parameter};
use super::{
    ConfigUse, Datastore, DefaultOperation, EditConfig, ErrorOption, GetSchema, Operation, OperationName,
    Source, TestOption, WithDefaults,
};
use crate::filter::Filter;
use crate::names::{NETCONF_MONITORING, QualifiedName};
use crate::rpc_error::{ErrorTag, ErrorType, RpcError};

/// The parameters of one operation.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    /// The parameters that have begun.
    seen: Vec<Parameter>,
    pub(super) source: Option<Source>,
    pub(super) target: Option<Datastore>,
    pub(super) filter: Option<Filter>,
    pub(super) has_config: bool,
    default_operation: DefaultOperation,
    test_option: TestOption,
    error_option: Option<ErrorOption>,
    with_defaults: Option<WithDefaults>,
    session_id: Option<u32>,
    identifier: Option<Box<str>>,
    version: Option<Box<str>>,
}

impl Arguments {
    /// Begins a parameter. Returns false if the request contains it twice.
    pub(super) fn begin(&mut self, parameter: Parameter) -> bool {
        let is_first = !self.seen.contains(&parameter);
        self.seen.push(parameter);
        is_first
    }

    /// Sets a parameter that consists of text, which has no white space around it.
    pub(super) fn set(&mut self, parameter: Parameter, text: &str, scope: Scope<'_>) -> Result<(), RpcError> {
        let is_valid = match parameter {
            Parameter::DefaultOperation
                if self.has_config && parameter::default_operation(text) != Some(self.default_operation) =>
            {
                return Err(late_default_operation());
            }
            Parameter::DefaultOperation => {
                set(&mut self.default_operation, parameter::default_operation(text))
            }
            Parameter::TestOption => set(&mut self.test_option, parameter::test_option(text)),
            Parameter::ErrorOption => set(&mut self.error_option, parameter::error_option(text).map(Some)),
            Parameter::WithDefaults => set(&mut self.with_defaults, parameter::with_defaults(text).map(Some)),
            Parameter::SessionId => set(&mut self.session_id, parameter::session_id(text).map(Some)),
            Parameter::Identifier => set(&mut self.identifier, Some(Some(text.into()))),
            Parameter::Version => set(&mut self.version, Some(Some(text.into()))),
            Parameter::Format => is_yang_format(text, scope),
            Parameter::Source | Parameter::Target | Parameter::Filter | Parameter::Config => true,
        };
        if is_valid { Ok(()) } else { Err(invalid_value(parameter.as_str())) }
    }

    /// Returns the use of the `config` element that begins.
    ///
    /// # Errors
    /// If the target of its changes is not known. The schema puts `target` before `config`, and
    /// RFC 7950 §7.14.4 demands the order of the schema. Most parameters are accepted in any order,
    /// but changes are applied as they are read.
    pub(super) fn config_use(&self, operation: OperationName) -> Result<ConfigUse, RpcError> {
        Ok(match operation {
            OperationName::CopyConfig => ConfigUse::Copy,
            OperationName::Validate => ConfigUse::Validate,
            _ => {
                let target = self.target.ok_or_else(|| {
                    let element = QualifiedName::netconf(Parameter::Target.as_str());
                    RpcError::missing_element(ErrorType::Protocol, element)
                        .with_message("the parameter target must precede config")
                })?;
                ConfigUse::Edit { target, default_operation: self.default_operation }
            }
        })
    }

    /// Returns the operation with these parameters.
    ///
    /// # Errors
    /// If a parameter is missing or two contradict one another.
    pub(super) fn into_operation(self, name: OperationName) -> Result<Operation, RpcError> {
        let missing = |parameter: Parameter| {
            let element =
                QualifiedName { namespace: name.namespace().into(), local: parameter.as_str().into() };
            RpcError::missing_element(ErrorType::Protocol, element)
        };
        let target = self.target.ok_or_else(|| missing(Parameter::Target));
        let source = self.source.ok_or_else(|| missing(Parameter::Source));
        Ok(match name {
            OperationName::Get => Operation::Get { filter: self.filter, with_defaults: self.with_defaults },
            OperationName::GetConfig => match source? {
                Source::Datastore(source) => {
                    Operation::GetConfig { source, filter: self.filter, with_defaults: self.with_defaults }
                }
                Source::Config => return Err(missing(Parameter::Source)),
            },
            OperationName::EditConfig => {
                let target = target?;
                if !self.has_config {
                    return Err(missing(Parameter::Config));
                }
                Operation::EditConfig(EditConfig {
                    target,
                    default_operation: self.default_operation,
                    test_option: self.test_option,
                    error_option: self.error_option,
                })
            }
            OperationName::CopyConfig => {
                let (target, source) = (target?, source?);
                //= rfc6241#7.3-p1
                if source == Source::Datastore(target) {
                    let message = "source and target are the same datastore";
                    return Err(
                        RpcError::new(ErrorType::Protocol, ErrorTag::InvalidValue).with_message(message)
                    );
                }
                Operation::CopyConfig { target, source, with_defaults: self.with_defaults }
            }
            // No datastore can be deleted, so that the parameter has been refused.
            OperationName::DeleteConfig => return Err(missing(Parameter::Target)),
            OperationName::Lock => Operation::Lock(target?),
            OperationName::Unlock => Operation::Unlock(target?),
            OperationName::CloseSession => Operation::CloseSession,
            OperationName::KillSession => {
                Operation::KillSession(self.session_id.ok_or_else(|| missing(Parameter::SessionId))?)
            }
            OperationName::Commit => Operation::Commit,
            OperationName::DiscardChanges => Operation::DiscardChanges,
            OperationName::Validate => Operation::Validate(source?),
            OperationName::GetSchema => Operation::GetSchema(GetSchema {
                identifier: self.identifier.ok_or_else(|| missing(Parameter::Identifier))?,
                version: self.version,
            }),
        })
    }
}

/// Sets `place` to a value that is valid. Returns false if it is not.
fn set<T>(place: &mut T, value: Option<T>) -> bool {
    let is_valid = value.is_some();
    if let Some(value) = value {
        *place = value;
    }
    is_valid
}

/// Returns true for the only format of modules: the identity `yang` of ietf-netconf-monitoring.
/// Clients also omit its prefix.
fn is_yang_format(text: &str, scope: Scope<'_>) -> bool {
    match text.split_once(':') {
        Some((prefix, local)) => local == "yang" && scope.resolve(prefix) == Some(NETCONF_MONITORING),
        None => text == "yang",
    }
}

/// The error for a `default-operation` after `config`, whose changes have been applied with another
/// one.
fn late_default_operation() -> RpcError {
    let element = QualifiedName::netconf(Parameter::DefaultOperation.as_str());
    RpcError::bad_element(ErrorType::Protocol, element)
        .with_message("the parameter default-operation must precede config")
}

/// The error for a value that its type does not allow (RFC 7950 §8.3.1).
pub(super) fn invalid_value(parameter: &str) -> RpcError {
    let message = format!("invalid value of the parameter {parameter}");
    RpcError::new(ErrorType::Protocol, ErrorTag::InvalidValue).with_message(message)
}
