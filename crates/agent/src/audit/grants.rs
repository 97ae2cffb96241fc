//! The access rights: each right of each principal, ordered by security model.

use std::sync::Arc;

use portreeve_lcd::{AccessRow, GroupRow, StorageType};
use portreeve_smi::{SecurityLevel, SecurityModel, TransportDomain};

use super::{AuditInput, auth_methods, display_escaped, is_cleartext};

/// One access right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grant {
    /// The securityName of the principal.
    pub(crate) name: String,
    /// The security models; more than one only for communities.
    pub(crate) models: Vec<SecurityModel>,
    /// A description of how the principal is authenticated.
    pub(crate) auth_method: String,
    /// The transports over which the right can be used.
    pub(crate) transports: Vec<TransportDomain>,
    /// The minimum security level for the right.
    pub(crate) level: SecurityLevel,
    /// The name of the context, or a name prefix followed by `*`. Empty for the default context.
    pub(crate) context: String,
    /// The name of the view that may be read; empty for none. The next two fields are those for SET
    /// and for notifications.
    pub(crate) read: String,
    pub(crate) write: String,
    pub(crate) notify: String,
    /// The place where the right is defined.
    pub(crate) location: String,
}

impl Grant {
    /// Returns true if the right is used with a community.
    pub(crate) fn is_by_community(&self) -> bool {
        self.models.iter().any(|model| [SecurityModel::SNMP_V1, SecurityModel::SNMP_V2C].contains(model))
    }

    /// Returns true if the right includes a view for requests, not only one for notifications.
    pub(crate) fn is_for_requests(&self) -> bool {
        !self.read.is_empty() || !self.write.is_empty()
    }

    /// Returns true if the right is used with a community outside a session. Within a session the
    /// community string gives no rights.
    pub(crate) fn is_by_cleartext_community(&self) -> bool {
        self.is_by_community() && self.transports.iter().any(|transport| is_cleartext(*transport))
    }
}

/// Returns all rights of all active principals.
pub(super) fn all(input: &AuditInput<'_>) -> Vec<Grant> {
    let tables = input.lcd.tables();
    let mut grants: Vec<Grant> = Vec::new();
    for member in tables.groups.iter().filter(|row| row.is_active()) {
        let rights = input.lcd.access_entries(&member.group_name);
        for right in rights.filter(|right| is_for(right, member)) {
            for grant in grant(input, member, right) {
                // A community usually has the same rights for v1 and v2c, which are then listed
                // once.
                let twin = grants.iter_mut().find(|known| known.is_by_community() && is_twin(known, &grant));
                match twin {
                    Some(twin) => twin.models.extend(grant.models),
                    None => grants.push(grant),
                }
            }
        }
    }
    grants.sort_by_key(|grant| (grant.models.first().map_or(0, |model| model.0), grant.name.clone()));
    grants
}

fn is_for(right: &AccessRow, member: &GroupRow) -> bool {
    let model = right.key.model;
    let names_views =
        [&right.read_view, &right.write_view, &right.notify_view].into_iter().any(|view| !view.is_empty());
    // The right of session users to read the engine ID is not listed: every session user has it,
    // and the engine ID is not confidential.
    let is_discovery = &*right.read_view == DISCOVERY && right.write_view.is_empty();
    (model == SecurityModel::ANY || model == member.key.model) && names_views && !is_discovery
}

fn is_twin(known: &Grant, other: &Grant) -> bool {
    other.is_by_community() && Grant { models: known.models.clone(), ..other.clone() } == *known
}

/// Returns one right for each way in which the member can authenticate.
fn grant(input: &AuditInput<'_>, member: &GroupRow, right: &Arc<AccessRow>) -> Vec<Grant> {
    let name = display_escaped(&member.key.security_name);
    let context = match right.context_match {
        portreeve_lcd::ContextMatch::Exact => display_escaped(&right.key.context_prefix),
        portreeve_lcd::ContextMatch::Prefix => format!("{}*", display_escaped(&right.key.context_prefix)),
    };
    let methods = auth_methods::methods_for(input, member);
    let methods = methods.into_iter().map(|auth_method| Grant {
        name: name.clone(),
        models: vec![member.key.model],
        transports: auth_method.transports,
        level: lowest_level(input, member, right).max(auth_method.min_level),
        context: context.clone(),
        read: display_escaped(&right.read_view),
        write: display_escaped(&right.write_view),
        notify: display_escaped(&right.notify_view),
        location: match member.storage {
            StorageType::ReadOnly => input.location(auth_method.line),
            _ => "row made by SET".to_owned(),
        },
        auth_method: auth_method.description,
    });
    methods.filter(|grant| grant.level <= SecurityLevel::AuthPriv).collect()
}

/// Returns the lowest level at which a right applies to the member.
fn lowest_level(input: &AuditInput<'_>, member: &GroupRow, right: &AccessRow) -> SecurityLevel {
    let allowed = &input.lcd.tables().allowed_weaknesses;
    if allowed.allow_access(right, member.key.model, right.key.level) {
        right.key.level
    } else {
        SecurityLevel::AuthNoPriv
    }
}

/// The view that every `[[session-user]]` may read for engine discovery.
const DISCOVERY: &[u8] = b"discovery";
