//! The notification originator (RFC 3413 §3.3): selects the recipients of a notification.
//!
//! ```text
//! snmpNotifyTable ─ tag ─► snmpTargetAddrTable ─ params ─► snmpTargetParamsTable
//!                                                                │
//!             recipient ◄─ community, version ◄─ notify view ◄─ filter
//! ```

use std::{collections::BTreeMap, fmt, sync::Arc};

use portreeve_lcd::{
    CommunityRow, FamilyType, Lcd, NotifyFilterProfileKey, NotifyType, TargetAddressKey, TargetAddressRow,
    TargetParamsKey, TargetParamsRow,
};
use portreeve_mib::modules::snmpv2_mib::{SNMP_TRAP_OID, SYS_UP_TIME};
use portreeve_smi::{EngineId, MessageProcessingModel, Oid, OidBuf, Value, display_arcs};
use portreeve_snmp_engine::access::vacm::{AccessError, Principal, ViewType, find_view};
use portreeve_snmp_message::{VarBind, VarBinds};

use super::{AgentAddress, NotificationV1, TranslationError, is_instance};

/// A notification that is to be sent.
#[derive(Clone, Debug)]
pub struct Notification<'a> {
    context_name: &'a [u8],
    var_binds: VarBinds<'a>,
    trap_oid: Oid,
}

impl<'a> Notification<'a> {
    /// Creates a notification of objects in the context `context_name`. The first two variables
    /// must be sysUpTime.0 and snmpTrapOID.0 (RFC 3416 §4.2.6).
    ///
    /// # Errors
    /// [`InvalidNotificationError`] if they are not, or if a variable has no value.
    pub fn new(context_name: &'a [u8], var_binds: VarBinds<'a>) -> Result<Self, InvalidNotificationError> {
        let mut binds = var_binds.iter();
        let up_time = binds.next().filter(|bind| is_instance(&bind.name, &SYS_UP_TIME));
        if !matches!(up_time, Some(VarBind { value: Value::TimeTicks(_), .. })) {
            return Err(InvalidNotificationError::NoSysUpTime);
        }
        let trap_oid = match binds.next().filter(|bind| is_instance(&bind.name, &SNMP_TRAP_OID)) {
            Some(VarBind { value: Value::ObjectId(oid), .. }) => owned(&oid.to_buf()),
            _ => return Err(InvalidNotificationError::NoSnmpTrapOid),
        };
        if binds.any(|bind| bind.value.is_exception() || matches!(bind.value, Value::Null)) {
            return Err(InvalidNotificationError::NoValue);
        }
        Ok(Self { context_name, var_binds, trap_oid })
    }

    /// Returns the snmpTrapOID.
    pub fn trap_oid(&self) -> &[u32] {
        &self.trap_oid
    }

    fn names(&self) -> impl Iterator<Item = OidBuf> {
        self.var_binds.iter().map(|bind| bind.name.to_buf())
    }

    /// Returns all variables, the first two included.
    pub fn var_binds(&self) -> VarBinds<'a> {
        self.var_binds
    }
}

/// The reason why variables are not those of a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidNotificationError {
    /// The first variable is not sysUpTime.0 of type TimeTicks.
    NoSysUpTime,
    /// The second variable is not snmpTrapOID.0 of type OBJECT IDENTIFIER.
    NoSnmpTrapOid,
    /// A variable has an exception or NULL instead of a value.
    NoValue,
}

impl fmt::Display for InvalidNotificationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSysUpTime => "the first variable is not sysUpTime.0",
            Self::NoSnmpTrapOid => "the second variable is not snmpTrapOID.0",
            Self::NoValue => "a variable has no value",
        })
    }
}

impl std::error::Error for InvalidNotificationError {}

/// The targets of one notification.
#[derive(Clone, Default)]
pub struct Recipients<'l> {
    /// The targets to which the notification is sent, in the order of their names.
    pub chosen: Vec<Recipient<'l>>,
    /// The targets to which it must not be sent.
    pub withheld: Vec<Withheld<'l>>,
}

/// A target to which a notification is sent.
#[derive(Clone)]
pub struct Recipient<'l> {
    /// The address, with timeout and number of retries.
    pub address: &'l Arc<TargetAddressRow>,
    /// The version, the security model, the principal and the level.
    pub params: &'l Arc<TargetParamsRow>,
    /// Trap or inform.
    pub kind: NotifyType,
    /// The community, for SNMPv1 and SNMPv2c.
    pub community: Option<&'l Arc<CommunityRow>>,
}

/// A target to which a notification must not be sent.
#[derive(Clone)]
pub struct Withheld<'l> {
    /// The address.
    pub address: &'l Arc<TargetAddressRow>,
    /// The reason.
    pub reason: WithheldReason,
}

/// The reason why a notification must not be sent to a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WithheldReason {
    /// The target does not exist or is not active.
    NoTarget,
    /// The target's parameters do not exist or are not active.
    NoParams,
    /// The filter of the target does not include the notification, or excludes this variable.
    Filtered(Oid),
    /// The principal of the target has no notify view.
    NoAccess(AccessError),
    /// The snmpTrapOID or this variable is not in the notify view.
    NotInView(Oid),
    /// No community stands for the principal of the target, in this context and at this address.
    NoCommunity,
    /// The target receives informs, which SNMPv1 does not have.
    InformOverV1,
    /// SNMPv1 cannot represent the notification.
    Untranslatable(TranslationError),
}

impl WithheldReason {
    /// Returns true if the target must not get this notification, as it is configured now. The
    /// other reasons end when the rows of the target are complete again.
    pub fn is_prohibition(&self) -> bool {
        match self {
            Self::Filtered(_) | Self::NotInView(_) | Self::InformOverV1 | Self::Untranslatable(_) => true,
            Self::NoTarget | Self::NoParams | Self::NoAccess(_) | Self::NoCommunity => false,
        }
    }
}

impl fmt::Display for WithheldReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTarget => f.write_str("the target does not exist"),
            Self::NoParams => f.write_str("the parameters of the target do not exist"),
            Self::Filtered(oid) => write!(f, "the notification filter excludes {}", display_arcs(oid)),
            Self::NoAccess(AccessError::NoSuchContext) => f.write_str("the context does not exist"),
            Self::NoAccess(AccessError::NoGroupName) => f.write_str("the principal is not in a group"),
            Self::NoAccess(AccessError::NoAccessEntry) => {
                f.write_str("the group of the principal has no access at this level")
            }
            Self::NoAccess(_) => f.write_str("the principal has no notify view"),
            Self::NotInView(oid) => write!(f, "{} is not in the notify view", display_arcs(oid)),
            Self::NoCommunity => f.write_str("no community stands for the principal at this address"),
            Self::InformOverV1 => f.write_str("SNMPv1 has no informs"),
            Self::Untranslatable(error) => write!(f, "SNMPv1 cannot represent the notification: {error}"),
        }
    }
}

/// Returns the targets that snmpNotifyTable selects for a notification of the engine `local`.
///
/// Each target gets the notification once. If several rows select it, and one of them as the target
/// of an inform, it gets an inform.
pub fn recipients<'l>(lcd: &'l Lcd, local: &EngineId, notification: &Notification<'_>) -> Recipients<'l> {
    let mut result = Recipients::default();
    for (address, kind) in selected(lcd).into_values() {
        match recipient(lcd, local, notification, address, kind) {
            Ok(recipient) => result.chosen.push(recipient),
            Err(reason) => result.withheld.push(Withheld { address, reason }),
        }
    }
    result
}

/// Returns the target `name` as the recipient of a notification for which snmpNotifyTable does not
/// select it now: a fallback, or the target of an inform that was selected and stored earlier.
///
/// # Errors
/// [`WithheldReason`] if the notification must not be sent to the target.
pub fn recipient_named<'l>(
    lcd: &'l Lcd,
    local: &EngineId,
    notification: &Notification<'_>,
    name: &[u8],
    kind: NotifyType,
) -> Result<Recipient<'l>, WithheldReason> {
    recipient(lcd, local, notification, target(lcd, name)?, kind)
}

fn target<'l>(lcd: &'l Lcd, name: &[u8]) -> Result<&'l Arc<TargetAddressRow>, WithheldReason> {
    let row = lcd.tables().target_addresses.get(&TargetAddressKey { name: name.into() });
    row.filter(|row| row.is_active()).ok_or(WithheldReason::NoTarget)
}

fn params<'l>(lcd: &'l Lcd, address: &TargetAddressRow) -> Result<&'l Arc<TargetParamsRow>, WithheldReason> {
    let params = lcd.tables().target_params.get(&TargetParamsKey { name: Arc::clone(&address.params) });
    params.filter(|params| params.is_active()).ok_or(WithheldReason::NoParams)
}

/// Returns the selected addresses by name. A row with an empty tag selects none.
fn selected(lcd: &Lcd) -> BTreeMap<&[u8], (&Arc<TargetAddressRow>, NotifyType)> {
    let mut selected = BTreeMap::new();
    for notify in lcd.tables().notifies.active().filter(|notify| !notify.tag.is_empty()) {
        for address in lcd.targets_tagged(&notify.tag) {
            let (_, kind) = selected.entry(&*address.key.name).or_insert((address, notify.kind));
            if notify.kind == NotifyType::Inform {
                *kind = NotifyType::Inform;
            }
        }
    }
    selected
}

fn recipient<'l>(
    lcd: &'l Lcd,
    local: &EngineId,
    notification: &Notification<'_>,
    address: &'l Arc<TargetAddressRow>,
    kind: NotifyType,
) -> Result<Recipient<'l>, WithheldReason> {
    let params = params(lcd, address)?;
    //= rfc3413#3.3-1
    check_filter(lcd, params, notification)?;
    check_access(lcd, params, notification)?;
    let is_v1 = params.mp_model == MessageProcessingModel::V1;
    if is_v1 && kind == NotifyType::Inform {
        return Err(WithheldReason::InformOverV1);
    }
    if is_v1 {
        NotificationV1::from_var_binds(notification.var_binds, AgentAddress::Originator(None))
            .map_err(WithheldReason::Untranslatable)?;
    }
    let community = message_community(lcd, local, params, notification.context_name, address)?;
    Ok(Recipient { address, params, kind, community })
}

/// Returns the community of the messages to a target; `None` for SNMPv3, which has none.
fn message_community<'l>(
    lcd: &'l Lcd,
    local: &EngineId,
    params: &TargetParamsRow,
    context_name: &[u8],
    address: &TargetAddressRow,
) -> Result<Option<&'l Arc<CommunityRow>>, WithheldReason> {
    if params.mp_model == MessageProcessingModel::V3 {
        return Ok(None);
    }
    let row = community(lcd, local, &params.security_name, context_name, address);
    row.map(Some).ok_or(WithheldReason::NoCommunity)
}

/// Applies the filter of the parameters (RFC 3413 §6): it must include the snmpTrapOID, and must
/// not exclude a variable. Without a filter, every notification passes.
fn check_filter(
    lcd: &Lcd,
    params: &TargetParamsRow,
    notification: &Notification<'_>,
) -> Result<(), WithheldReason> {
    let key = NotifyFilterProfileKey { params_name: Arc::clone(&params.key.name) };
    let profile = lcd.tables().notify_filter_profiles.get(&key).filter(|profile| profile.is_active());
    let Some(filter) = profile.and_then(|profile| lcd.notify_filter(&profile.profile_name)) else {
        return Ok(());
    };
    if filter.decision(&notification.trap_oid) != Some(FamilyType::Included) {
        return Err(WithheldReason::Filtered(notification.trap_oid.clone()));
    }
    let excluded = |name: &OidBuf| filter.decision(name) == Some(FamilyType::Excluded);
    match notification.names().find(excluded) {
        Some(name) => Err(WithheldReason::Filtered(owned(&name))),
        None => Ok(()),
    }
}

/// Checks that the notify view contains the snmpTrapOID and all variables.
fn check_access(
    lcd: &Lcd,
    params: &TargetParamsRow,
    notification: &Notification<'_>,
) -> Result<(), WithheldReason> {
    let principal = Principal {
        security_model: params.security_model,
        security_name: &params.security_name,
        security_level: params.security_level,
    };
    let view = find_view(lcd, &principal, ViewType::Notify, notification.context_name);
    let view = view.map_err(WithheldReason::NoAccess)?;
    //= rfc3413#3.3-3
    if !view.contains(&notification.trap_oid) {
        return Err(WithheldReason::NotInView(notification.trap_oid.clone()));
    }
    //= rfc3413#3.3-2
    match notification.names().find(|name| !view.contains(name)) {
        Some(name) => Err(WithheldReason::NotInView(owned(&name))),
        None => Ok(()),
    }
}

/// Returns the first community that stands for the principal in this context, and that may be sent
/// to the address (RFC 3584 §5.2.3). An empty transport tag allows every address.
fn community<'l>(
    lcd: &'l Lcd,
    local: &EngineId,
    security_name: &[u8],
    context_name: &[u8],
    address: &TargetAddressRow,
) -> Option<&'l Arc<CommunityRow>> {
    //= rfc3584#5.2.3-p1
    let rows = lcd.tables().communities.active();
    rows.filter(|row| lcd.tables().allowed_weaknesses.allow_community(row)).find(|row| {
        let tag = &row.transport_tag;
        *row.security_name == *security_name
            && *row.context_name == *context_name
            && row.context_engine_id.is_none_or(|engine_id| engine_id == *local)
            && (tag.is_empty() || address.tags().any(|own| *own == **tag))
    })
}

fn owned(arcs: &[u32]) -> Oid {
    // Ignore the error: the arcs are those of an identifier.
    Oid::new(arcs).unwrap_or_default()
}

#[cfg(test)]
mod tests;
