//! Who may do what: each right of each principal, in the order of how it is proven.

use std::sync::Arc;

use portreeve_lcd::{AccessRow, GroupRow, StorageType};
use portreeve_smi::{SecurityLevel, SecurityModel, TransportDomain};

use super::{Evidence, proofs, shown};

/// One right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grant {
    /// securityName.
    pub(crate) name: String,
    /// The models that vouch for it: more than one only for communities.
    pub(crate) models: Vec<SecurityModel>,
    /// What proves it.
    pub(crate) proof: String,
    /// Over what it comes.
    pub(crate) through: Vec<TransportDomain>,
    /// At which level at least.
    pub(crate) level: SecurityLevel,
    /// In which contexts; empty for the default one.
    pub(crate) context: String,
    /// Names of views; empty for nothing.
    pub(crate) read: String,
    pub(crate) write: String,
    pub(crate) notify: String,
    /// Where it was said.
    pub(crate) place: String,
}

impl Grant {
    /// Whether it is good for a community.
    pub(crate) fn is_by_community(&self) -> bool {
        self.models.iter().any(|model| [SecurityModel::SNMP_V1, SecurityModel::SNMP_V2C].contains(model))
    }
}

/// All rights that somebody has.
pub(super) fn all(evidence: &Evidence<'_>) -> Vec<Grant> {
    let tables = evidence.lcd.tables();
    let mut grants: Vec<Grant> = Vec::new();
    for member in tables.groups.iter().filter(|row| row.is_active()) {
        let rights = evidence.lcd.access_entries(&member.group_name);
        for right in rights.filter(|right| is_for(right, member)) {
            for grant in grant(evidence, member, right) {
                // v1 and v2c as a rule share all.
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
    // What every session user may ask for, the engine ID, tells nobody anything.
    let is_discovery = &*right.read_view == DISCOVERY && right.write_view.is_empty();
    (model == SecurityModel::ANY || model == member.key.model) && names_views && !is_discovery
}

fn is_twin(known: &Grant, other: &Grant) -> bool {
    other.is_by_community() && Grant { models: known.models.clone(), ..other.clone() } == *known
}

/// One for each way in which the member can be proven.
fn grant(evidence: &Evidence<'_>, member: &GroupRow, right: &Arc<AccessRow>) -> Vec<Grant> {
    let name = shown(&member.key.security_name);
    let context = match right.context_match {
        portreeve_lcd::ContextMatch::Exact => shown(&right.key.context_prefix),
        portreeve_lcd::ContextMatch::Prefix => format!("{}*", shown(&right.key.context_prefix)),
    };
    let proofs = proofs::of(evidence, member);
    let proofs = proofs.into_iter().map(|proof| Grant {
        name: name.clone(),
        models: vec![member.key.model],
        through: proof.through,
        level: right.key.level.max(proof.least),
        context: context.clone(),
        read: shown(&right.read_view),
        write: shown(&right.write_view),
        notify: shown(&right.notify_view),
        place: match member.storage {
            StorageType::ReadOnly => evidence.place(proof.line),
            _ => "made over SNMP".to_owned(),
        },
        proof: proof.how,
    });
    proofs.filter(|grant| grant.level <= SecurityLevel::AuthPriv).collect()
}

/// The view that comes with `[[session-user]]`.
const DISCOVERY: &[u8] = b"discovery";
