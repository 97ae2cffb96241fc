//! usmUserTable (RFC 3414 §5): cloning users, and changing keys without revealing them.

use std::sync::Arc;

use portreeve_crypto::{LocalizedKey, apply_key_change};
use portreeve_datastore::{Refusal, RefusalKind};
use portreeve_lcd::{Columns, Credential, RowStatus, User, UserRow};
use portreeve_mib::modules::usm_mib::*;
use portreeve_secret::Secret;
use portreeve_smi::{OidRef, SecurityModel, Value};
use portreeve_snmp_engine::security::usm::{are_protocols_allowed, auth_protocol, priv_protocol};

use crate::table::{self, SetContext, Table, index::key_of, value};

type Column = table::Column<User>;

pub(super) static TABLE: Table<User> = Table {
    row: &USM_USER_ENTRY,
    // The columns are applied in this order, independently of the order in the request: first the
    // template, then the removal of privacy and authentication, then the keys of the remaining
    // protocols.
    columns: &[
        Column::read_only(&USM_USER_SECURITY_NAME, |row, _| Value::OctetString(&row.security_name)),
        Column::writable(
            &USM_USER_CLONE_FROM,
            |_, _| Value::ObjectId(OidRef::Arcs(&ZERO_DOT_ZERO)),
            clone_from,
        ),
        Column::writable(
            &USM_USER_PRIV_PROTOCOL,
            |row, local| {
                let protocol =
                    row.columns.privacy.as_ref().map_or(&local.no_priv, |privacy| &privacy.protocol);
                Value::ObjectId(OidRef::Arcs(protocol))
            },
            set_priv_protocol,
        ),
        Column::writable(
            &USM_USER_AUTH_PROTOCOL,
            |row, local| {
                let protocol = row.columns.auth.as_ref().map_or(&local.no_auth, |auth| &auth.protocol);
                Value::ObjectId(OidRef::Arcs(protocol))
            },
            set_auth_protocol,
        ),
        Column::writable(&USM_USER_AUTH_KEY_CHANGE, empty_value, change_auth_key),
        Column::writable(&USM_USER_OWN_AUTH_KEY_CHANGE, empty_value, |row, value, context| {
            check_own_user(row, context)?;
            change_auth_key(row, value, context)
        }),
        Column::writable(&USM_USER_PRIV_KEY_CHANGE, empty_value, change_priv_key),
        Column::writable(&USM_USER_OWN_PRIV_KEY_CHANGE, empty_value, |row, value, context| {
            check_own_user(row, context)?;
            change_priv_key(row, value, context)
        }),
        Column::writable(
            &USM_USER_PUBLIC,
            |row, _| Value::OctetString(&row.public),
            |row, value, _| value::name(value).map(|new| row.columns.public = new),
        ),
        Column::storage(&USM_USER_STORAGE_TYPE),
        Column::status(&USM_USER_STATUS),
    ],
    is_consistent: |_| true,
    is_allowed: |row, tables| are_protocols_allowed(row, &tables.allowed_weaknesses),
};

/// Copies the protocols and keys of an active user. Only the first SET of usmUserCloneFrom has an
/// effect.
fn clone_from(row: &mut UserRow, value: &Value<'_>, context: &SetContext<'_>) -> Result<(), Refusal> {
    if !row.missing.overlaps(User::CLONE_FROM) {
        return Ok(());
    }
    let pointer = value::oid(value)?;
    let entry = USM_USER_ENTRY.oid();
    // A RowPointer is the identifier of an instance in the row: the index follows the column
    // number.
    let index = pointer.strip_prefix(&*entry).and_then(|instance| instance.get(1..));
    let no_template = || Refusal::new(RefusalKind::InconsistentName, "the template is not an active user");
    let key = index.and_then(|index| key_of(&USM_USER_ENTRY, index)).ok_or_else(no_template)?;
    let template = User::table(context.tables).get(&key).filter(|template| template.is_active());
    let template = template.ok_or_else(no_template)?;
    row.columns.auth.clone_from(&template.auth);
    row.columns.privacy.clone_from(&template.privacy);
    row.missing = row.missing.without(User::CLONE_FROM);
    if row.auth.is_some() {
        row.missing = row.missing | User::AUTH_KEY;
    }
    if row.privacy.is_some() {
        row.missing = row.missing | User::PRIV_KEY;
    }
    Ok(())
}

fn set_auth_protocol(row: &mut UserRow, value: &Value<'_>, context: &SetContext<'_>) -> Result<(), Refusal> {
    let requested = value::oid(value)?;
    if requested == context.request.local.no_auth {
        if row.privacy.is_some() {
            let text = "a user with privacy needs authentication";
            return Err(Refusal::new(RefusalKind::InconsistentValue, text));
        }
        row.columns.auth = None;
        row.missing = row.missing.without(User::AUTH_KEY);
        return Ok(());
    }
    auth_protocol(&requested).ok_or_else(unsupported_protocol)?;
    check_protocol_unchanged(row.auth.as_deref(), &requested)
}

fn set_priv_protocol(row: &mut UserRow, value: &Value<'_>, context: &SetContext<'_>) -> Result<(), Refusal> {
    let requested = value::oid(value)?;
    if requested == context.request.local.no_priv {
        row.columns.privacy = None;
        row.missing = row.missing.without(User::PRIV_KEY);
        return Ok(());
    }
    priv_protocol(&requested).ok_or_else(unsupported_protocol)?;
    check_protocol_unchanged(row.privacy.as_deref(), &requested)
}

/// Checks that a protocol does not change. A protocol is set only by cloning; afterwards it can be
/// removed but not replaced.
fn check_protocol_unchanged(current: Option<&Credential>, requested: &[u32]) -> Result<(), Refusal> {
    match current {
        Some(credential) if *credential.protocol == *requested => Ok(()),
        _ => Err(Refusal::new(
            RefusalKind::InconsistentValue,
            "a protocol can be removed, but not replaced or added",
        )),
    }
}

fn change_auth_key(row: &mut UserRow, value: &Value<'_>, _: &SetContext<'_>) -> Result<(), Refusal> {
    check_cloned(row)?;
    if let Some(auth) = row.auth.clone() {
        row.columns.auth = Some(apply_change(&auth, &auth, value)?);
        row.missing = row.missing.without(User::AUTH_KEY);
    }
    Ok(())
}

fn change_priv_key(row: &mut UserRow, value: &Value<'_>, _: &SetContext<'_>) -> Result<(), Refusal> {
    check_cloned(row)?;
    if let (Some(auth), Some(privacy)) = (&row.auth, &row.privacy) {
        row.columns.privacy = Some(apply_change(auth, privacy, value)?);
        row.missing = row.missing.without(User::PRIV_KEY);
    }
    Ok(())
}

/// Returns the credential with its key changed by a KeyChange value; `auth` determines the hash
/// algorithm.
fn apply_change(
    auth: &Credential,
    credential: &Credential,
    value: &Value<'_>,
) -> Result<Arc<Credential>, Refusal> {
    let hash = auth_protocol(&auth.protocol).ok_or(RefusalKind::InconsistentValue)?;
    let old =
        LocalizedKey::from_octets(credential.key.expose()).map_err(|_| RefusalKind::InconsistentValue)?;
    let wrong_length = |_| Refusal::new(RefusalKind::WrongLength, "the key change has the wrong length");
    let new = apply_key_change(hash, &old, value::octets(value)?).map_err(wrong_length)?;
    Ok(Arc::new(Credential { protocol: credential.protocol.clone(), key: Secret::from(new.expose()) }))
}

/// Checks that a new user has been cloned: a user that has not been cloned has no keys that could
/// be changed.
fn check_cloned(row: &UserRow) -> Result<(), Refusal> {
    if row.missing.overlaps(User::CLONE_FROM) {
        return Err(Refusal::new(RefusalKind::InconsistentName, "the user has not been cloned"));
    }
    Ok(())
}

/// Checks a SET of usmUserOwn…KeyChange. The requester must be the user of this row, authenticated
/// by USM, and the row must be active.
fn check_own_user(row: &UserRow, context: &SetContext<'_>) -> Result<(), Refusal> {
    let request = context.request;
    let is_own = request.security_model == SecurityModel::USM && *request.security_name == *row.security_name;
    if !is_own {
        return Err(Refusal::new(RefusalKind::AccessDenied, "only the user may change this key"));
    }
    if context.status == Some(RowStatus::Active) {
        Ok(())
    } else {
        Err(Refusal::new(RefusalKind::InconsistentValue, "the user is not active"))
    }
}

fn unsupported_protocol() -> Refusal {
    Refusal::new(RefusalKind::WrongValue, "the protocol is not supported")
}

fn empty_value<'a>(_: &'a UserRow, _: &'a crate::table::LocalEngineInfo) -> Value<'a> {
    Value::OctetString(&[])
}

/// The value that reading usmUserCloneFrom returns.
static ZERO_DOT_ZERO: [u32; 2] = [0, 0];
