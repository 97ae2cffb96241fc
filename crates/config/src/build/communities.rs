//! `[[community]]`: rows of snmpCommunityTable. The allowed sources of a community become rows of
//! snmpTargetAddrTable (RFC 3584 §5).

use portreeve_lcd::{CommunityKey, CommunityRow, Name, StorageType, TargetAddressKey, TargetAddressRow};
use portreeve_secret::Secret;
use portreeve_smi::{Oid, SecurityLevel, SecurityModel};

use super::{
    Builder,
    names::{check_name, octets},
    networks::Network,
    short_form::{ShortForm, VIEW_IN_CLEAR},
    weak::Weakness,
};
use crate::{
    options::COMMUNITY,
    raw::RawCommunity,
    reader::{Located, display_escaped},
};

impl Builder<'_> {
    pub(super) fn communities(&mut self, raw: &[RawCommunity]) {
        for (number, community) in (1..).zip(raw) {
            self.community(number, community);
        }
    }

    fn community(&mut self, number: usize, raw: &RawCommunity) {
        let (found, better) = ("a community", "use a [[user]] instead");
        self.weak.check(Weakness::Communities, raw.position, found, better, self.problems);

        let index = format!("community-{number}");
        let security_name = raw.security_name.as_ref().map_or(&*index, |written| &written.value);
        if let Some(written) = &raw.security_name {
            check_name(&COMMUNITY, "security-name", written, self.problems);
        }
        if let Some(context) = &raw.context {
            self.check_context(context);
        }
        let models = self.models(raw);
        self.sources(raw, &index);
        if let Some(name) = self.community_name(raw) {
            let mut row = CommunityRow::new(CommunityKey { index: octets(&index) });
            row.columns.name = name;
            row.columns.security_name = octets(security_name);
            row.columns.context_name = octets(raw.context.as_ref().map_or("", |written| &written.value));
            row.columns.transport_tag = if raw.sources.is_some() { octets(&index) } else { Name::default() };
            self.check_distinct(&row, raw);
            self.rows.insert(row.into_active(StorageType::ReadOnly));
        }
        self.short_form(&ShortForm {
            section: &COMMUNITY,
            position: raw.position,
            security_name,
            models: &models,
            level: SecurityLevel::NoAuthNoPriv,
            access: raw.access.as_ref(),
            view: raw.view.as_ref(),
            default_writer_view: VIEW_IN_CLEAR,
            contexts: raw.context.as_slice(),
        });
    }

    fn community_name(&mut self, raw: &RawCommunity) -> Option<Name> {
        let from_file;
        let (secret, position): (&Secret, _) = match (&raw.name, &raw.name_file) {
            (Some(_), Some(file)) => {
                let found = "`name` and `name-file` are both given";
                self.problems.error(file.position, found).hint("remove `name` or `name-file`");
                return None;
            }
            (Some(name), None) => (&name.value, name.position),
            (None, Some(file)) => {
                from_file = self.secret_in(&COMMUNITY, "name-file", file)?;
                (&from_file, file.position)
            }
            (None, None) => return None,
        };
        if !(1..=MAX_COMMUNITY_LEN).contains(&secret.len()) {
            let found = format!("a community string of {} octets", secret.len());
            self.reject_value(&COMMUNITY, "name", position, found);
            return None;
        }
        Some(secret.expose().into())
    }

    /// Reports a second community with the same string, unless both are limited to sources.
    fn check_distinct(&mut self, row: &CommunityRow, raw: &RawCommunity) {
        let same = |other: &&std::sync::Arc<CommunityRow>| {
            other.name == row.name && (other.transport_tag.is_empty() || row.transport_tag.is_empty())
        };
        if self.rows.communities.iter().find(same).is_some() {
            self.problems.error(raw.position, "an earlier [[community]] has the same string").hint(
                "use another string, or set `sources` that do not overlap in both [[community]] sections",
            );
        }
    }

    fn models(&mut self, raw: &RawCommunity) -> Vec<SecurityModel> {
        let Some(versions) = &raw.versions else { return vec![SecurityModel::SNMP_V2C] };
        let mut models = Vec::new();
        for version in versions {
            match version.value.as_str() {
                "v1" => models.push(SecurityModel::SNMP_V1),
                "v2c" => models.push(SecurityModel::SNMP_V2C),
                other => {
                    let found = format!("communities do not support version \"{}\"", display_escaped(other));
                    self.reject_value(&COMMUNITY, "versions", version.position, found);
                }
            }
        }
        if versions.is_empty() {
            self.reject_value(&COMMUNITY, "versions", raw.position, "`versions` is empty");
        }
        models.sort_unstable();
        models.dedup();
        models
    }

    /// Adds one target address per network. All of them have the community's tag.
    fn sources(&mut self, raw: &RawCommunity, tag: &str) {
        let Some(sources) = &raw.sources else { return };
        if sources.is_empty() {
            self.problems
                .error(raw.position, "`sources` is empty: the community could not be used from any address")
                .hint("list the networks, or remove `sources` to accept the community from any address");
        }
        for (number, written) in (1..).zip(sources) {
            match Network::parse(&written.value) {
                Ok(network) => self.source(&format!("{tag}-{number}"), tag, network),
                Err(wrong) => self.reject_source(written, &wrong),
            }
        }
    }

    fn source(&mut self, name: &str, tag: &str, network: Network) {
        let mut row = TargetAddressRow::new(TargetAddressKey { name: octets(name) });
        row.columns.domain = Oid::new(&network.domain().oid()).unwrap_or_default();
        row.columns.address = network.address().into();
        row.columns.mask = network.mask().into();
        row.columns.tag_list = octets(tag);
        row.columns.params = octets(NO_PARAMS);
        self.rows.insert(row.into_active(StorageType::ReadOnly));
    }

    fn reject_source(&mut self, written: &Located<String>, wrong: &str) {
        let found = format!("source \"{}\" {wrong}", display_escaped(&written.value));
        self.reject_value(&COMMUNITY, "sources", written.position, found);
    }
}

/// Maximum length of a community string in octets. Response headers have no room for longer
/// strings.
const MAX_COMMUNITY_LEN: usize = 255;

/// snmpTargetAddrParams of a source address. Nothing is sent to source addresses, so
/// snmpTargetParamsTable has no row of this name.
const NO_PARAMS: &str = "none";
