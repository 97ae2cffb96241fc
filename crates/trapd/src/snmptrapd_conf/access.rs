//! `authCommunity` and `authUser`: the notifications that are accepted, and the permitted actions.

use std::{net::IpAddr, sync::Arc};

use portreeve_lcd::{CommunityKey, CommunityRow, StorageType};
use portreeve_net_snmp_conf::ConfLocation;
use portreeve_secret::Secret;
use portreeve_smi::{Oid, SecurityLevel, SecurityModel};
use portreeve_snmp_apps::{NotificationActions, NotificationRule};
use portreeve_snmp_engine::senders::SourcePrefix;

use super::{Arguments, Parser, Reason, source::parse_source, view::parse_oid};

/// The principals and notifications of one directive.
pub(super) struct Access {
    models: &'static [SecurityModel],
    security_name: Vec<u8>,
    min_level: SecurityLevel,
    sources: Vec<SourcePrefix>,
    /// The permitted notifications; all if empty.
    subtrees: Vec<Oid>,
    actions: NotificationActions,
}

impl Access {
    /// Returns a rule for each security model and subtree.
    pub(super) fn rules(&self) -> Vec<NotificationRule> {
        let subtrees: Vec<Option<&Oid>> = match &*self.subtrees {
            [] => vec![None],
            subtrees => subtrees.iter().map(Some).collect(),
        };
        let pairs =
            self.models.iter().flat_map(|model| subtrees.iter().map(move |subtree| (*model, *subtree)));
        let rules = pairs.map(|(model, subtree)| NotificationRule {
            security_model: (model != SecurityModel::ANY).then_some(model),
            security_name: Some(self.security_name.clone()),
            min_level: self.min_level,
            sources: self.sources.clone(),
            subtree: subtree.cloned(),
            actions: self.actions,
        });
        rules.collect()
    }
}

/// Returns the rule of `disableAuthorization`.
pub(super) fn permit_all() -> NotificationRule {
    NotificationRule {
        security_model: None,
        security_name: None,
        min_level: SecurityLevel::NoAuthNoPriv,
        sources: Vec::new(),
        subtree: None,
        actions: NotificationActions::ALL,
    }
}

/// The communities of the file. Each has a security name, which contains its number and not the
/// community.
#[derive(Default)]
pub(super) struct AcceptedCommunities {
    communities: Vec<Secret>,
}

impl AcceptedCommunities {
    /// Returns the security name of a community.
    fn security_name(&mut self, community: Secret) -> Vec<u8> {
        let known = self.communities.iter().position(|known| *known == community);
        let position = known.unwrap_or_else(|| {
            self.communities.push(community);
            self.communities.len() - 1
        });
        security_name(position)
    }

    pub(super) fn rows(&self) -> Vec<CommunityRow> {
        let rows = self.communities.iter().enumerate().map(|(position, community)| {
            let name: Arc<[u8]> = security_name(position).into();
            let mut row = CommunityRow::new(CommunityKey { index: Arc::clone(&name) });
            row.columns.name = community.expose().into();
            row.columns.security_name = name;
            row.into_active(StorageType::ReadOnly)
        });
        rows.collect()
    }
}

fn security_name(position: usize) -> Vec<u8> {
    format!("snmptrapd-{}", position + 1).into_bytes()
}

impl Parser<'_> {
    /// Parses `TYPES COMMUNITY [SOURCE [OID | -v VIEW]]`. No error contains a value before SOURCE:
    /// it is the community if TYPES is missing.
    pub(super) fn auth_community(
        &mut self,
        location: &ConfLocation,
        arguments: &mut Arguments,
    ) -> Result<Access, Reason> {
        let actions = parse_types(&arguments.required(TYPES)?)?;
        let community = Secret::from(arguments.required("a community")?);
        if community.is_empty() {
            return Err("the community is empty: expected at least one character".to_owned());
        }
        let is_source = looks_like_source(&community);
        let sources = match arguments.optional() {
            Some(text) => parse_source(&text, self.names)?,
            None => Vec::new(),
        };
        let subtrees = self.restriction(arguments)?;
        if is_source {
            // The community is not printed.
            let reason = "the community looks like a source, so the community may be missing: expected TYPES \
                          COMMUNITY SOURCE";
            self.warn(location, "authCommunity", reason);
        }
        Ok(Access {
            models: &[SecurityModel::SNMP_V1, SecurityModel::SNMP_V2C],
            security_name: self.conf.communities.security_name(community),
            min_level: SecurityLevel::NoAuthNoPriv,
            sources,
            subtrees,
            actions,
        })
    }

    /// Parses `TYPES [-s MODEL] USER [LEVEL [OID | -v VIEW]]`.
    pub(super) fn auth_user(&self, arguments: &mut Arguments) -> Result<Access, Reason> {
        let actions = parse_types(&arguments.required(TYPES)?)?;
        let models = match arguments.takes_option("-s") {
            true => parse_model(&arguments.required("a security model: usm, tsm or any")?)?,
            false => USM,
        };
        let user = arguments.required("a user")?;
        let min_level = match arguments.optional() {
            Some(text) => parse_level(&text)?,
            None => SecurityLevel::AuthNoPriv,
        };
        let subtrees = self.restriction(arguments)?;
        Ok(Access {
            models,
            security_name: user.into_bytes(),
            min_level,
            sources: Vec::new(),
            subtrees,
            actions,
        })
    }

    /// Parses `[OID | -v VIEW]`, which ends a directive.
    fn restriction(&self, arguments: &mut Arguments) -> Result<Vec<Oid>, Reason> {
        let subtrees = if arguments.takes_option("-v") {
            self.views.subtrees(&arguments.required("the name of a view")?)?
        } else {
            match arguments.optional() {
                Some(text) => vec![parse_oid(&text, self.names)?],
                None => Vec::new(),
            }
        };
        arguments.end("the notifications")?;
        Ok(subtrees)
    }
}

/// Parses a list of actions, of which empty ones are skipped, as by Net-SNMP. The error does not
/// contain the text, which may be a community.
fn parse_types(text: &str) -> Result<NotificationActions, Reason> {
    let mut actions = NotificationActions::default();
    for name in text.split([',', '|', ':']).filter(|name| !name.is_empty()) {
        match name {
            "log" => actions.log = true,
            "execute" => actions.execute = true,
            "net" => actions.forward = true,
            _ => return Err(format!("invalid first value: expected {TYPES}")),
        }
    }
    if actions == NotificationActions::default() {
        return Err(format!("the first value names no type: expected {TYPES}"));
    }
    Ok(actions)
}

/// Returns whether a community may be the source, because the community was forgotten.
fn looks_like_source(community: &Secret) -> bool {
    let Ok(text) = std::str::from_utf8(community.expose()) else { return false };
    let address = text.split_once('/').map_or(text, |(address, _)| address);
    text.eq_ignore_ascii_case("default") || address.parse::<IpAddr>().is_ok()
}

fn parse_model(text: &str) -> Result<&'static [SecurityModel], Reason> {
    match text {
        "usm" => Ok(USM),
        "tsm" => Ok(&[SecurityModel::TSM]),
        // Communities have security names of their own, which no user must get the rights of.
        "any" => Ok(&[SecurityModel::USM, SecurityModel::TSM]),
        _ => Err(format!("unsupported security model {text:?}: expected usm, tsm or any")),
    }
}

/// Parses the names of Net-SNMP, and those of the RFCs.
fn parse_level(text: &str) -> Result<SecurityLevel, Reason> {
    [
        ("noauth", SecurityLevel::NoAuthNoPriv),
        ("auth", SecurityLevel::AuthNoPriv),
        ("priv", SecurityLevel::AuthPriv),
    ]
    .into_iter()
    .find(|(short, level)| text.eq_ignore_ascii_case(short) || text.eq_ignore_ascii_case(level.name()))
    .map(|(_, level)| level)
    .ok_or_else(|| format!("invalid security level {text:?}: expected noauth, auth or priv"))
}

const USM: &[SecurityModel] = &[SecurityModel::USM];
const TYPES: &str = "log, execute and net, separated by commas, for example \"log,execute\"";
