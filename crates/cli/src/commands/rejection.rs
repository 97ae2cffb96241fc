//! Prints an agent's error-status in the wording of the Net-SNMP commands.

use portreeve_smi::ErrorStatus;
use portreeve_snmp_manager::Response;

use crate::output::Output;

/// The exit code if the agent rejected a request.
pub(super) const EXIT_CODE: u8 = 2;

/// Prints why the agent rejected a request. The heading differs between commands.
pub(super) fn report(response: &Response, output: &Output, heading: &str) {
    eprintln!("{heading}\nReason: {}", reason(response.error_status()));
    if response.error_status_number() == 0 || response.error_index().is_none() {
        return;
    }
    let index = response.error_index().unwrap_or_default();
    if let Some(bind) = response.var_binds().iter().nth(index.saturating_sub(1)) {
        eprintln!("Failed object: {}\n", output.format_name(bind.name));
    }
}

/// Returns the wording of Net-SNMP, including its misspellings, because scripts may depend on it.
pub(super) fn reason(status: Option<ErrorStatus>) -> &'static str {
    let Some(status) = status else { return "Unknown Error" };
    match status {
        ErrorStatus::NoError => "(noError) No Error",
        ErrorStatus::TooBig => "(tooBig) Response message would have been too large.",
        ErrorStatus::NoSuchName => "(noSuchName) There is no such variable name in this MIB.",
        ErrorStatus::BadValue => "(badValue) The value given has the wrong type or length.",
        ErrorStatus::ReadOnly => {
            "(readOnly) The two parties used do not have access to use the specified SNMP PDU."
        }
        ErrorStatus::GenErr => "(genError) A general failure occured",
        ErrorStatus::NoAccess => "noAccess",
        ErrorStatus::WrongType => {
            "wrongType (The set datatype does not match the data type the agent expects)"
        }
        ErrorStatus::WrongLength => {
            "wrongLength (The set value has an illegal length from what the agent expects)"
        }
        ErrorStatus::WrongEncoding => "wrongEncoding",
        ErrorStatus::WrongValue => "wrongValue (The set value is illegal or unsupported in some way)",
        ErrorStatus::NoCreation => {
            "noCreation (That table does not support row creation or that object can not ever be created)"
        }
        ErrorStatus::InconsistentValue => {
            "inconsistentValue (The set value is illegal or unsupported in some way)"
        }
        ErrorStatus::ResourceUnavailable => {
            "resourceUnavailable (This is likely a out-of-memory failure within the agent)"
        }
        ErrorStatus::CommitFailed => "commitFailed",
        ErrorStatus::UndoFailed => "undoFailed",
        ErrorStatus::AuthorizationError => "authorizationError (access denied to that object)",
        ErrorStatus::NotWritable => "notWritable (That object does not support modification)",
        ErrorStatus::InconsistentName => "inconsistentName (That object can not currently be created)",
    }
}
