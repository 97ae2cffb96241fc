//! The View-based Access Control Model (RFC 3415 §3.2).
//!
//! ```text
//! contextName ─► (model, name) ─► group ─► best access entry ─► view ─► contains instance?
//! ```
//!
//! The view is the same for all variables of a request. Therefore [`find_view`] is called once, and
//! the view is then checked for each variable.

use portreeve_lcd::{AccessRow, ContextMatch, Lcd, View};
use portreeve_smi::{SecurityLevel, SecurityModel};

/// The sender of a request, as authenticated by a security model.
#[derive(Clone, Copy, Debug)]
pub struct Principal<'a> {
    /// The model that authenticated the principal.
    pub security_model: SecurityModel,
    /// The securityName on whose behalf the request is made.
    pub security_name: &'a [u8],
    /// The securityLevel of the message.
    pub security_level: SecurityLevel,
}

/// The kind of access that a request or notification needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewType {
    /// Access for reading objects.
    Read,
    /// Access for changing objects.
    Write,
    /// Access for sending objects in notifications.
    Notify,
}

/// The reason why access is denied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessError {
    /// noSuchContext: the context does not exist.
    NoSuchContext,
    /// noGroupName: the principal is not in a group.
    NoGroupName,
    /// noAccessEntry: the group has no access entry for this context, model and level.
    NoAccessEntry,
    /// noSuchView: the access entry specifies no view of this type, or a view without families.
    NoSuchView,
    /// notInView: the view does not contain the instance.
    NotInView,
}

/// Finds the view for all variables of a request (steps 1 to 5a).
///
/// # Errors
/// The [`AccessError`] of the first failed step.
pub fn find_view<'l>(
    lcd: &'l Lcd,
    principal: &Principal<'_>,
    view_type: ViewType,
    context_name: &[u8],
) -> Result<&'l View, AccessError> {
    //= rfc3415#3.2-1
    if !lcd.has_context(context_name) {
        return Err(AccessError::NoSuchContext);
    }
    //= rfc3415#3.2-2
    let group =
        lcd.group(principal.security_model, principal.security_name).ok_or(AccessError::NoGroupName)?;
    //= rfc3415#3.2-3
    let allowed = &lcd.tables().allowed_weaknesses;
    let entry = lcd
        .access_entries(group)
        .filter(|entry| applies(entry, principal, context_name))
        .filter(|entry| allowed.allow_access(entry, principal.security_model, principal.security_level))
        .max_by_key(|entry| preference(entry, principal.security_model))
        .ok_or(AccessError::NoAccessEntry)?;
    let view = match view_type {
        //= rfc3415#3.2-4a
        ViewType::Read => &entry.read_view,
        //= rfc3415#3.2-4b
        ViewType::Write => &entry.write_view,
        //= rfc3415#3.2-4c
        ViewType::Notify => &entry.notify_view,
    };
    //= rfc3415#3.2-5a
    lcd.view(view).ok_or(AccessError::NoSuchView)
}

/// isAccessAllowed: checks the access of a principal to one instance.
///
/// # Errors
/// The [`AccessError`] of the first failed step.
pub fn is_access_allowed(
    lcd: &Lcd,
    principal: &Principal<'_>,
    view_type: ViewType,
    context_name: &[u8],
    variable: &[u32],
) -> Result<(), AccessError> {
    let view = find_view(lcd, principal, view_type, context_name)?;
    //= rfc3415#3.2-5b
    //= rfc3415#3.2-5c
    if view.contains(variable) { Ok(()) } else { Err(AccessError::NotInView) }
}

fn applies(entry: &AccessRow, principal: &Principal<'_>, context_name: &[u8]) -> bool {
    let key = &entry.key;
    let context_matches = match entry.context_match {
        ContextMatch::Exact => *key.context_prefix == *context_name,
        ContextMatch::Prefix => context_name.starts_with(&key.context_prefix),
    };
    context_matches
        && (key.model == principal.security_model || key.model == SecurityModel::ANY)
        && key.level <= principal.security_level
}

/// Returns the sort key that orders the matching entries by precedence (description of
/// vacmAccessTable): the exact model before any model, the exact context before a prefix, a longer
/// prefix before a shorter prefix, a higher level before a lower level.
fn preference(entry: &AccessRow, model: SecurityModel) -> impl Ord {
    (
        entry.key.model == model,
        entry.context_match == ContextMatch::Exact,
        entry.key.context_prefix.len(),
        entry.key.level,
    )
}

#[cfg(test)]
mod tests;
