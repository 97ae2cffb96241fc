use portreeve_lcd::{
    AccessKey, AccessRow, Columns, CommunityKey, FamilyType, GroupKey, GroupRow, Name, NotifyFilterKey,
    NotifyFilterProfileRow, NotifyFilterRow, NotifyKey, NotifyRow, Row, StorageType, Tables,
    TargetAddressKey, ViewFamilyKey, ViewFamilyRow,
};
use portreeve_smi::{SecurityLevel, SecurityModel};

use super::{
    super::tests::{encode, parse},
    *,
};

const UP_TIME: &[u32] = &[1, 3, 6, 1, 2, 1, 1, 3, 0];
const TRAP_OID: &[u32] = &[1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0];
const LINK_DOWN: &[u32] = &[1, 3, 6, 1, 6, 3, 1, 1, 5, 3];
const IF_INDEX: &[u32] = &[1, 3, 6, 1, 2, 1, 2, 2, 1, 1, 7];

fn name(text: &str) -> Name {
    text.as_bytes().into()
}

fn link_down() -> Vec<u8> {
    encode(&[
        (UP_TIME, Value::TimeTicks(4200)),
        (TRAP_OID, Value::ObjectId(portreeve_smi::OidRef::Arcs(LINK_DOWN))),
        (IF_INDEX, Value::Integer(7)),
    ])
}

fn local() -> EngineId {
    "8000000005706f7274".parse().unwrap()
}

/// The name, the kind of notification and the community of a target.
type ChosenTarget = (String, NotifyType, Option<String>);

/// Tables in which the row `traps` selects the address `nms` with a v3 principal that may receive
/// everything.
struct Site(Tables);

impl Site {
    fn new() -> Self {
        let mut site = Self(Tables::default());
        site.notify("traps", "t", NotifyType::Trap);
        site.address("nms", "x t", "ops");
        site.params("ops", MessageProcessingModel::V3, SecurityModel::USM, SecurityLevel::AuthPriv);
        site.grant(SecurityModel::USM, SecurityLevel::AuthPriv);
        site.view("all", "1.3", FamilyType::Included);
        site
    }

    /// A site whose target receives messages of a version with communities.
    fn with_communities(model: MessageProcessingModel, security_model: SecurityModel) -> Self {
        let mut site = Self::new();
        site.params("ops", model, security_model, SecurityLevel::NoAuthNoPriv);
        site.grant(security_model, SecurityLevel::NoAuthNoPriv);
        site.community("c", "secret", |_| ());
        site
    }

    fn insert<C: Columns>(&mut self, key: C::Key, change: impl FnOnce(&mut Row<C>)) -> &mut Self {
        let mut row = Row::new(key);
        change(&mut row);
        self.0.insert(row.into_active(StorageType::ReadOnly));
        self
    }

    fn notify(&mut self, row: &str, tag: &str, kind: NotifyType) {
        self.insert(NotifyKey { name: name(row) }, |row: &mut NotifyRow| {
            row.columns.tag = name(tag);
            row.columns.kind = kind;
        });
    }

    fn address(&mut self, row: &str, tags: &str, params: &str) {
        self.insert(TargetAddressKey { name: name(row) }, |row: &mut TargetAddressRow| {
            row.columns.tag_list = name(tags);
            row.columns.params = name(params);
        });
    }

    fn params(
        &mut self,
        row: &str,
        mp_model: MessageProcessingModel,
        security_model: SecurityModel,
        level: SecurityLevel,
    ) {
        self.insert(TargetParamsKey { name: name(row) }, |row: &mut TargetParamsRow| {
            row.columns.mp_model = mp_model;
            row.columns.security_model = security_model;
            row.columns.security_name = name("ops");
            row.columns.security_level = level;
        });
    }

    fn grant(&mut self, model: SecurityModel, level: SecurityLevel) {
        self.insert(GroupKey { model, security_name: name("ops") }, |row: &mut GroupRow| {
            row.columns.group_name = name("operators");
        });
        let key = AccessKey { group_name: name("operators"), context_prefix: name(""), model, level };
        self.insert(key, |row: &mut AccessRow| row.columns.notify_view = name("all"));
    }

    fn view(&mut self, view: &str, subtree: &str, kind: FamilyType) {
        let key = ViewFamilyKey { view_name: name(view), subtree: subtree.parse().unwrap() };
        self.insert(key, |row: &mut ViewFamilyRow| row.columns.kind = kind);
    }

    fn community(&mut self, index: &str, string: &str, change: impl FnOnce(&mut CommunityRow)) {
        self.insert(CommunityKey { index: name(index) }, |row: &mut CommunityRow| {
            row.columns.name = name(string);
            row.columns.security_name = name("ops");
            change(row);
        });
    }

    fn filter(&mut self, rows: &[(&str, FamilyType)]) {
        let key = NotifyFilterProfileKey { params_name: name("ops") };
        self.insert(key, |row: &mut NotifyFilterProfileRow| row.columns.profile_name = name("f"));
        for (subtree, kind) in rows {
            let key = NotifyFilterKey { profile_name: name("f"), subtree: subtree.parse().unwrap() };
            self.insert(key, |row: &mut NotifyFilterRow| row.columns.kind = *kind);
        }
    }

    /// Returns the chosen targets, with their communities, and the reasons of the others.
    fn recipients(&self) -> (Vec<ChosenTarget>, Vec<WithheldReason>) {
        let lcd = Lcd::compile(self.0.clone());
        let octets = link_down();
        let notification = Notification::new(b"", parse(&octets)).unwrap();
        let recipients = recipients(&lcd, &local(), &notification);
        let text = |octets: &[u8]| String::from_utf8(octets.to_vec()).unwrap();
        let chosen = recipients.chosen.iter().map(|recipient| {
            let community = recipient.community.map(|row| text(&row.name));
            (text(&recipient.address.key.name), recipient.kind, community)
        });
        let reasons = recipients.withheld.iter().map(|withheld| withheld.reason.clone());
        (chosen.collect(), reasons.collect())
    }

    fn names(&self) -> Vec<String> {
        self.recipients().0.into_iter().map(|(name, ..)| name).collect()
    }

    #[track_caller]
    fn assert_withheld(&self, reason: WithheldReason) {
        assert_eq!(self.recipients(), (vec![], vec![reason]));
    }
}

fn oid(arcs: &[u32]) -> Oid {
    Oid::new(arcs).unwrap()
}

#[test]
fn notify_rows_select_addresses_by_tag() {
    let mut site = Site::new();
    assert_eq!(site.recipients(), (vec![("nms".into(), NotifyType::Trap, None)], vec![]));
    site.address("other", "y", "ops");
    site.address("both", "y t", "ops");
    assert_eq!(site.names(), ["both", "nms"]);
    site.notify("none", "", NotifyType::Trap);
    site.address("untagged", "", "ops");
    assert_eq!(site.names(), ["both", "nms"]);
}

#[test]
fn inactive_rows_select_nothing() {
    let mut site = Site::new();
    site.0.insert(NotifyRow::new(NotifyKey { name: name("traps") }));
    assert_eq!(site.names(), [""; 0]);
    let mut site = Site::new();
    let params = TargetParamsRow::new(TargetParamsKey { name: name("ops") });
    site.0.insert(params);
    site.assert_withheld(WithheldReason::NoParams);
}

#[test]
fn target_of_several_rows_gets_one_notification_which_may_be_an_inform() {
    let mut site = Site::new();
    site.notify("again", "x", NotifyType::Trap);
    assert_eq!(site.recipients().0, [("nms".into(), NotifyType::Trap, None)]);
    // Before and after the other rows.
    for row in ["informs", "zzz"] {
        let mut site = Site::new();
        site.notify(row, "x", NotifyType::Inform);
        assert_eq!(site.recipients().0, [("nms".into(), NotifyType::Inform, None)]);
    }
}

//= rfc3413#3.3-1
//= type=test
#[test]
fn filter_must_include_the_trap_oid() {
    for (rows, passes) in [
        (&[][..], true),
        (&[("1.3.6.1.6.3", FamilyType::Included)], true),
        (&[("1.3.6.1.6.3.1.1.5.4", FamilyType::Included)], false),
        (&[("1.3.6.1.6.3", FamilyType::Included), ("1.3.6.1.6.3.1.1.5.3", FamilyType::Excluded)], false),
        (&[("1.3.6.1.6.3", FamilyType::Excluded), ("1.3.6.1.6.3.1.1.5.3", FamilyType::Included)], false),
    ] {
        let mut site = Site::new();
        site.filter(rows);
        let is_trap_excluded = rows.len() < 2 || rows[0].1 == FamilyType::Included;
        let excluded = if is_trap_excluded { LINK_DOWN } else { TRAP_OID };
        let expected = (!passes).then(|| WithheldReason::Filtered(oid(excluded)));
        assert_eq!(site.recipients().1, Vec::from_iter(expected), "{rows:?}");
    }
}

#[test]
fn filter_may_not_exclude_a_variable_but_need_not_include_it() {
    let mut site = Site::new();
    site.filter(&[("1.3.6.1.6.3.1.1.5", FamilyType::Included), ("1.3.6.1.2.1.31", FamilyType::Excluded)]);
    assert_eq!(site.names(), ["nms"]);
    site.filter(&[("1.3.6.1.2.1.2.2.1.1.7", FamilyType::Excluded)]);
    site.assert_withheld(WithheldReason::Filtered(oid(IF_INDEX)));
}

//= rfc3413#3.3-2
//= rfc3413#3.3-3
//= type=test
#[test]
fn notify_view_must_contain_trap_oid_and_variables() {
    let mut site = Site::new();
    site.view("all", "1.3.6.1.6.3.1.1.5", FamilyType::Excluded);
    site.assert_withheld(WithheldReason::NotInView(oid(LINK_DOWN)));
    let mut site = Site::new();
    site.view("all", "1.3.6.1.2.1.2", FamilyType::Excluded);
    site.assert_withheld(WithheldReason::NotInView(oid(IF_INDEX)));
    let mut site = Site::new();
    site.view("all", "1.3.6.1.2.1.1.3", FamilyType::Excluded);
    site.assert_withheld(WithheldReason::NotInView(oid(UP_TIME)));
}

#[test]
fn level_of_the_target_decides_about_access() {
    let mut site = Site::new();
    site.params("ops", MessageProcessingModel::V3, SecurityModel::USM, SecurityLevel::AuthNoPriv);
    site.assert_withheld(WithheldReason::NoAccess(AccessError::NoAccessEntry));
    site.params("ops", MessageProcessingModel::V3, SecurityModel::TSM, SecurityLevel::AuthPriv);
    site.assert_withheld(WithheldReason::NoAccess(AccessError::NoGroupName));
}

//= rfc3584#5.2.3-p1
//= type=test
#[test]
fn communities_are_chosen_by_principal_context_engine_and_transport_tag() {
    let v2c = || Site::with_communities(MessageProcessingModel::V2c, SecurityModel::SNMP_V2C);
    let community = |site: &Site| site.recipients().0.pop().and_then(|(.., community)| community);
    assert_eq!(community(&v2c()).as_deref(), Some("secret"));
    let other_engine: EngineId = "8000000005706f7275".parse().unwrap();
    let refused: [fn(&mut CommunityRow, EngineId); 4] = [
        |row, _| row.columns.security_name = name("others"),
        |row, _| row.columns.context_name = name("vlan"),
        |row, engine| row.columns.context_engine_id = Some(engine),
        |row, _| row.columns.transport_tag = name("other"),
    ];
    for change in refused {
        let mut site = v2c();
        site.community("c", "secret", |row| change(row, other_engine));
        site.assert_withheld(WithheldReason::NoCommunity);
    }
    let mut site = v2c();
    site.community("c", "secret", |row| {
        row.columns.context_engine_id = Some(local());
        row.columns.transport_tag = name("x");
    });
    site.community("b", "first", |_| ());
    assert_eq!(community(&site).as_deref(), Some("first"));
}

#[test]
fn community_by_set_is_not_sent_unless_communities_are_allowed() {
    let mut site = Site::with_communities(MessageProcessingModel::V2c, SecurityModel::SNMP_V2C);
    let mut row = CommunityRow::new(CommunityKey { index: name("c") });
    row.columns.name = name("secret");
    row.columns.security_name = name("ops");
    site.0.insert(row.into_active(StorageType::NonVolatile));
    site.assert_withheld(WithheldReason::NoCommunity);
    site.0.allowed_weaknesses.communities = true;
    assert_eq!(site.names(), ["nms"]);
}

#[test]
fn snmpv1_target_receives_no_informs_and_no_counter64() {
    let mut site = Site::with_communities(MessageProcessingModel::V1, SecurityModel::SNMP_V1);
    assert_eq!(site.recipients().0, [("nms".into(), NotifyType::Trap, Some("secret".into()))]);
    let lcd = Lcd::compile(site.0.clone());
    let octets = encode(&[
        (UP_TIME, Value::TimeTicks(1)),
        (TRAP_OID, Value::ObjectId(portreeve_smi::OidRef::Arcs(LINK_DOWN))),
        (IF_INDEX, Value::Counter64(1)),
    ]);
    let notification = Notification::new(b"", parse(&octets)).unwrap();
    let withheld = recipients(&lcd, &local(), &notification).withheld;
    let [Withheld { reason, .. }] = &withheld[..] else { panic!("expected one target") };
    assert_eq!(*reason, WithheldReason::Untranslatable(TranslationError::Counter64));
    site.notify("informs", "t", NotifyType::Inform);
    site.assert_withheld(WithheldReason::InformOverV1);
}

#[test]
fn target_named_by_its_sender_is_subject_to_filter_view_and_community() {
    let named = |site: &Site| {
        let lcd = Lcd::compile(site.0.clone());
        let octets = link_down();
        let notification = Notification::new(b"", parse(&octets)).unwrap();
        let recipient = recipient_named(&lcd, &local(), &notification, b"standby", NotifyType::Inform);
        recipient.map(|recipient| recipient.kind)
    };
    let mut site = Site::new();
    assert_eq!(named(&site), Err(WithheldReason::NoTarget));
    site.address("standby", "", "ops");
    assert_eq!(named(&site), Ok(NotifyType::Inform));
    site.view("all", "1.3.6.1.2.1.2", FamilyType::Excluded);
    let prohibited = named(&site).unwrap_err();
    assert_eq!(prohibited, WithheldReason::NotInView(oid(IF_INDEX)));
    assert!(prohibited.is_prohibition() && !WithheldReason::NoTarget.is_prohibition());
    site.params("ops", MessageProcessingModel::V2c, SecurityModel::SNMP_V2C, SecurityLevel::NoAuthNoPriv);
    site.grant(SecurityModel::SNMP_V2C, SecurityLevel::NoAuthNoPriv);
    site.view("all", "1.3.6.1.2.1.2", FamilyType::Included);
    let incomplete = named(&site).unwrap_err();
    assert_eq!((incomplete.is_prohibition(), incomplete), (false, WithheldReason::NoCommunity));
}

#[test]
fn variables_that_do_not_make_a_notification_are_refused() {
    let trap_oid = || (TRAP_OID, Value::ObjectId(portreeve_smi::OidRef::Arcs(LINK_DOWN)));
    let up_time = (UP_TIME, Value::TimeTicks(1));
    for (binds, error) in [
        (vec![], InvalidNotificationError::NoSysUpTime),
        (vec![trap_oid(), up_time], InvalidNotificationError::NoSysUpTime),
        (vec![(UP_TIME, Value::Integer(1)), trap_oid()], InvalidNotificationError::NoSysUpTime),
        (vec![up_time], InvalidNotificationError::NoSnmpTrapOid),
        (vec![up_time, (TRAP_OID, Value::Integer(1))], InvalidNotificationError::NoSnmpTrapOid),
        (vec![up_time, trap_oid(), (IF_INDEX, Value::Null)], InvalidNotificationError::NoValue),
        (vec![up_time, trap_oid(), (IF_INDEX, Value::NoSuchInstance)], InvalidNotificationError::NoValue),
    ] {
        let octets = encode(&binds);
        assert_eq!(Notification::new(b"", parse(&octets)).unwrap_err(), error, "{binds:?}");
    }
}
