//! Network interfaces (IF-MIB, RFC 2863).

use super::{
    iana_if_type_mib::IANA_IF_TYPE,
    snmpv2_mib::SNMP_TRAPS,
    snmpv2_smi::MIB_2,
    snmpv2_tc::{
        AUTONOMOUS_TYPE, DISPLAY_STRING, PHYS_ADDRESS, ROW_STATUS, TEST_AND_INCR, TIME_STAMP, TRUTH_VALUE,
    },
};
use crate::{
    Module,
    define::*,
    object::{DefaultValue::*, Index},
};

/// Definitions of IF-MIB.
pub static MODULE: Module = Module {
    name: "IF-MIB",
    last_updated: "200006140000Z",
    reference: "RFC 2863",
    description: "Network interfaces: their state, their counters and how they lie upon each other.",
    conventions: CONVENTIONS,
    objects: OBJECTS,
};

conventions! {
    /// The name of an owner, in ASCII.
    OWNER_STRING = convention("OwnerString", OCTETS.limited(&[(0, 255)])).hint("255a").deprecated();
    /// The number of an interface.
    INTERFACE_INDEX = convention("InterfaceIndex", INTEGER32.limited(POSITIVE)).hint("d");
    /// The number of an interface, or 0 with a meaning that the object states.
    INTERFACE_INDEX_OR_ZERO = convention("InterfaceIndexOrZero", INTEGER32.limited(NOT_NEGATIVE)).hint("d");
}

objects! {
    /// Network interfaces.
    IF_MIB = module_identity("ifMIB", &MIB_2, 31);
    /// What RFC 1213 does not have.
    IF_MIB_OBJECTS = node("ifMIBObjects", &IF_MIB, 1);
    /// Network interfaces as in RFC 1213.
    INTERFACES = node("interfaces", &MIB_2, 2);
    /// How many interfaces there are.
    IF_NUMBER = scalar("ifNumber", &INTERFACES, 1, INTEGER32, ReadOnly);
    /// When an interface was last added or removed.
    IF_TABLE_LAST_CHANGE = scalar("ifTableLastChange", &IF_MIB_OBJECTS, 5, TIME_TICKS, ReadOnly);

    /// The interfaces.
    IF_TABLE = table("ifTable", &INTERFACES, 2);
    /// One interface.
    IF_ENTRY = row("ifEntry", &IF_TABLE, Index::Objects(&[&IF_INDEX]));
    /// The interface's number; stays the same at least until the next restart.
    IF_INDEX = column("ifIndex", &IF_ENTRY, 1, tc(&INTERFACE_INDEX), ReadOnly);
    /// What the interface is: maker, product, version.
    IF_DESCR = column("ifDescr", &IF_ENTRY, 2, tc(&DISPLAY_STRING).limited(&[(0, 255)]), ReadOnly);
    /// The kind of interface.
    IF_TYPE = column("ifType", &IF_ENTRY, 3, tc(&IANA_IF_TYPE), ReadOnly);
    /// The longest packet that can be sent, in octets.
    IF_MTU = column("ifMtu", &IF_ENTRY, 4, INTEGER32, ReadOnly);
    /// The bandwidth in bits per second; 4294967295 where it is more, which ifHighSpeed then says.
    IF_SPEED = column("ifSpeed", &IF_ENTRY, 5, GAUGE32, ReadOnly);
    /// The address of the layer below; empty where there is none.
    IF_PHYS_ADDRESS = column("ifPhysAddress", &IF_ENTRY, 6, tc(&PHYS_ADDRESS), ReadOnly);
    /// The state that is wanted.
    IF_ADMIN_STATUS = column(
        "ifAdminStatus", &IF_ENTRY, 7, enumeration(&[("up", 1), ("down", 2), ("testing", 3)]), ReadWrite);
    /// The state that is.
    IF_OPER_STATUS = column("ifOperStatus", &IF_ENTRY, 8, enumeration(&[
        ("up", 1), ("down", 2), ("testing", 3), ("unknown", 4), ("dormant", 5), ("notPresent", 6),
        ("lowerLayerDown", 7),
    ]), ReadOnly);
    /// What sysUpTime was when ifOperStatus last changed; 0 where that was before the last restart.
    IF_LAST_CHANGE = column("ifLastChange", &IF_ENTRY, 9, TIME_TICKS, ReadOnly);
    /// Octets received, framing included.
    IF_IN_OCTETS = column("ifInOctets", &IF_ENTRY, 10, COUNTER32, ReadOnly);
    /// Packets delivered upwards that were addressed to this interface alone.
    IF_IN_UCAST_PKTS = column("ifInUcastPkts", &IF_ENTRY, 11, COUNTER32, ReadOnly);
    /// Packets delivered upwards that were sent to a group or to all.
    IF_IN_N_UCAST_PKTS = column("ifInNUcastPkts", &IF_ENTRY, 12, COUNTER32, ReadOnly).deprecated();
    /// Good packets received and dropped nevertheless, for example for want of memory.
    IF_IN_DISCARDS = column("ifInDiscards", &IF_ENTRY, 13, COUNTER32, ReadOnly);
    /// Packets received and dropped for their errors.
    IF_IN_ERRORS = column("ifInErrors", &IF_ENTRY, 14, COUNTER32, ReadOnly);
    /// Packets received and dropped because nobody takes their protocol.
    IF_IN_UNKNOWN_PROTOS = column("ifInUnknownProtos", &IF_ENTRY, 15, COUNTER32, ReadOnly);
    /// Octets sent, framing included.
    IF_OUT_OCTETS = column("ifOutOctets", &IF_ENTRY, 16, COUNTER32, ReadOnly);
    /// Packets given to the interface for one receiver.
    IF_OUT_UCAST_PKTS = column("ifOutUcastPkts", &IF_ENTRY, 17, COUNTER32, ReadOnly);
    /// Packets given to the interface for a group or for all.
    IF_OUT_N_UCAST_PKTS = column("ifOutNUcastPkts", &IF_ENTRY, 18, COUNTER32, ReadOnly).deprecated();
    /// Good packets that were not sent, for example for want of memory.
    IF_OUT_DISCARDS = column("ifOutDiscards", &IF_ENTRY, 19, COUNTER32, ReadOnly);
    /// Packets that could not be sent for errors.
    IF_OUT_ERRORS = column("ifOutErrors", &IF_ENTRY, 20, COUNTER32, ReadOnly);
    /// Packets that wait to be sent.
    IF_OUT_Q_LEN = column("ifOutQLen", &IF_ENTRY, 21, GAUGE32, ReadOnly).deprecated();
    /// Where the medium of the interface is described; zeroDotZero for nowhere.
    IF_SPECIFIC = column("ifSpecific", &IF_ENTRY, 22, OBJECT_ID, ReadOnly).deprecated();

    /// More about the interfaces.
    IF_X_TABLE = table("ifXTable", &IF_MIB_OBJECTS, 1);
    /// More about one interface.
    IF_X_ENTRY = row("ifXEntry", &IF_X_TABLE, Index::Augments(&IF_ENTRY));
    /// The name by which the system's own commands know the interface.
    IF_NAME = column("ifName", &IF_X_ENTRY, 1, tc(&DISPLAY_STRING), ReadOnly);
    /// Packets delivered upwards that were sent to a group.
    IF_IN_MULTICAST_PKTS = column("ifInMulticastPkts", &IF_X_ENTRY, 2, COUNTER32, ReadOnly);
    /// Packets delivered upwards that were sent to all.
    IF_IN_BROADCAST_PKTS = column("ifInBroadcastPkts", &IF_X_ENTRY, 3, COUNTER32, ReadOnly);
    /// Packets given to the interface for a group.
    IF_OUT_MULTICAST_PKTS = column("ifOutMulticastPkts", &IF_X_ENTRY, 4, COUNTER32, ReadOnly);
    /// Packets given to the interface for all.
    IF_OUT_BROADCAST_PKTS = column("ifOutBroadcastPkts", &IF_X_ENTRY, 5, COUNTER32, ReadOnly);
    /// As ifInOctets, in 64 bits.
    IF_HC_IN_OCTETS = column("ifHCInOctets", &IF_X_ENTRY, 6, COUNTER64, ReadOnly);
    /// As ifInUcastPkts, in 64 bits.
    IF_HC_IN_UCAST_PKTS = column("ifHCInUcastPkts", &IF_X_ENTRY, 7, COUNTER64, ReadOnly);
    /// As ifInMulticastPkts, in 64 bits.
    IF_HC_IN_MULTICAST_PKTS = column("ifHCInMulticastPkts", &IF_X_ENTRY, 8, COUNTER64, ReadOnly);
    /// As ifInBroadcastPkts, in 64 bits.
    IF_HC_IN_BROADCAST_PKTS = column("ifHCInBroadcastPkts", &IF_X_ENTRY, 9, COUNTER64, ReadOnly);
    /// As ifOutOctets, in 64 bits.
    IF_HC_OUT_OCTETS = column("ifHCOutOctets", &IF_X_ENTRY, 10, COUNTER64, ReadOnly);
    /// As ifOutUcastPkts, in 64 bits.
    IF_HC_OUT_UCAST_PKTS = column("ifHCOutUcastPkts", &IF_X_ENTRY, 11, COUNTER64, ReadOnly);
    /// As ifOutMulticastPkts, in 64 bits.
    IF_HC_OUT_MULTICAST_PKTS = column("ifHCOutMulticastPkts", &IF_X_ENTRY, 12, COUNTER64, ReadOnly);
    /// As ifOutBroadcastPkts, in 64 bits.
    IF_HC_OUT_BROADCAST_PKTS = column("ifHCOutBroadcastPkts", &IF_X_ENTRY, 13, COUNTER64, ReadOnly);
    /// Whether linkUp and linkDown are sent for the interface.
    IF_LINK_UP_DOWN_TRAP_ENABLE = column(
        "ifLinkUpDownTrapEnable", &IF_X_ENTRY, 14, enumeration(&[("enabled", 1), ("disabled", 2)]), ReadWrite);
    /// The bandwidth in millions of bits per second.
    IF_HIGH_SPEED = column("ifHighSpeed", &IF_X_ENTRY, 15, GAUGE32, ReadOnly);
    /// Whether the interface takes packets that are not addressed to it.
    IF_PROMISCUOUS_MODE = column("ifPromiscuousMode", &IF_X_ENTRY, 16, tc(&TRUTH_VALUE), ReadWrite);
    /// Whether the interface has a physical connector.
    IF_CONNECTOR_PRESENT = column("ifConnectorPresent", &IF_X_ENTRY, 17, tc(&TRUTH_VALUE), ReadOnly);
    /// A name that a manager gives the interface; survives restarts.
    IF_ALIAS = column("ifAlias", &IF_X_ENTRY, 18, tc(&DISPLAY_STRING).limited(&[(0, 64)]), ReadWrite);
    /// What sysUpTime was when a counter of the interface last jumped; 0 where that was before the last restart.
    IF_COUNTER_DISCONTINUITY_TIME = column(
        "ifCounterDiscontinuityTime", &IF_X_ENTRY, 19, tc(&TIME_STAMP), ReadOnly);

    /// Which interface lies directly upon which.
    IF_STACK_TABLE = table("ifStackTable", &IF_MIB_OBJECTS, 2);
    /// One interface upon another.
    IF_STACK_ENTRY = row(
        "ifStackEntry", &IF_STACK_TABLE, Index::Objects(&[&IF_STACK_HIGHER_LAYER, &IF_STACK_LOWER_LAYER]));
    /// The upper interface; 0 where nothing lies upon the lower one.
    IF_STACK_HIGHER_LAYER = column(
        "ifStackHigherLayer", &IF_STACK_ENTRY, 1, tc(&INTERFACE_INDEX_OR_ZERO), NotAccessible);
    /// The lower interface; 0 where the upper one lies upon nothing.
    IF_STACK_LOWER_LAYER = column(
        "ifStackLowerLayer", &IF_STACK_ENTRY, 2, tc(&INTERFACE_INDEX_OR_ZERO), NotAccessible);
    /// The row's life.
    IF_STACK_STATUS = column("ifStackStatus", &IF_STACK_ENTRY, 3, tc(&ROW_STATUS), ReadCreate);
    /// When ifStackTable last changed.
    IF_STACK_LAST_CHANGE = scalar("ifStackLastChange", &IF_MIB_OBJECTS, 6, TIME_TICKS, ReadOnly);

    /// Which addresses each interface takes packets for.
    IF_RCV_ADDRESS_TABLE = table("ifRcvAddressTable", &IF_MIB_OBJECTS, 4);
    /// One address of one interface.
    IF_RCV_ADDRESS_ENTRY = row(
        "ifRcvAddressEntry", &IF_RCV_ADDRESS_TABLE, Index::Objects(&[&IF_INDEX, &IF_RCV_ADDRESS_ADDRESS]));
    /// The address.
    IF_RCV_ADDRESS_ADDRESS = column(
        "ifRcvAddressAddress", &IF_RCV_ADDRESS_ENTRY, 1, tc(&PHYS_ADDRESS), NotAccessible);
    /// The row's life.
    IF_RCV_ADDRESS_STATUS = column(
        "ifRcvAddressStatus", &IF_RCV_ADDRESS_ENTRY, 2, tc(&ROW_STATUS), ReadCreate);
    /// How long the address is kept.
    IF_RCV_ADDRESS_TYPE = column(
        "ifRcvAddressType", &IF_RCV_ADDRESS_ENTRY, 3,
        enumeration(&[("other", 1), ("volatile", 2), ("nonVolatile", 3)]), ReadCreate)
        .default(Label("volatile"));

    /// Tests of interfaces.
    IF_TEST_TABLE = table("ifTestTable", &IF_MIB_OBJECTS, 3).deprecated();
    /// The test of one interface.
    IF_TEST_ENTRY = row("ifTestEntry", &IF_TEST_TABLE, Index::Augments(&IF_ENTRY)).deprecated();
    /// Numbers the tests, and is their lock.
    IF_TEST_ID = column("ifTestId", &IF_TEST_ENTRY, 1, tc(&TEST_AND_INCR), ReadWrite).deprecated();
    /// Whether somebody is testing.
    IF_TEST_STATUS = column(
        "ifTestStatus", &IF_TEST_ENTRY, 2, enumeration(&[("notInUse", 1), ("inUse", 2)]), ReadWrite).deprecated();
    /// What is tested; writing it starts the test.
    IF_TEST_TYPE = column("ifTestType", &IF_TEST_ENTRY, 3, tc(&AUTONOMOUS_TYPE), ReadWrite).deprecated();
    /// How the last test ended.
    IF_TEST_RESULT = column("ifTestResult", &IF_TEST_ENTRY, 4, enumeration(&[
        ("none", 1), ("success", 2), ("inProgress", 3), ("notSupported", 4), ("unAbleToRun", 5), ("aborted", 6),
        ("failed", 7),
    ]), ReadOnly).deprecated();
    /// What the last test found.
    IF_TEST_CODE = column("ifTestCode", &IF_TEST_ENTRY, 5, OBJECT_ID, ReadOnly).deprecated();
    /// Who is testing.
    IF_TEST_OWNER = column("ifTestOwner", &IF_TEST_ENTRY, 6, tc(&OWNER_STRING), ReadWrite).deprecated();

    /// An interface is about to enter the state down.
    LINK_DOWN = notification(
        "linkDown", &SNMP_TRAPS, 3, &[&IF_INDEX, &IF_ADMIN_STATUS, &IF_OPER_STATUS]);
    /// An interface has left the state down.
    LINK_UP = notification("linkUp", &SNMP_TRAPS, 4, &[&IF_INDEX, &IF_ADMIN_STATUS, &IF_OPER_STATUS]);

    /// Conformance to this module.
    IF_CONFORMANCE = node("ifConformance", &IF_MIB, 2);
    /// Units of conformance.
    IF_GROUPS = node("ifGroups", &IF_CONFORMANCE, 1);
    /// Statements of conformance.
    IF_COMPLIANCES = node("ifCompliances", &IF_CONFORMANCE, 2);
    /// What RFC 1573 asked for.
    IF_COMPLIANCE = compliance(
        "ifCompliance", &IF_COMPLIANCES, 1, &[&IF_GENERAL_GROUP, &IF_STACK_GROUP],
        &[
            &IF_FIXED_LENGTH_GROUP, &IF_HC_FIXED_LENGTH_GROUP, &IF_PACKET_GROUP, &IF_HC_PACKET_GROUP,
            &IF_TEST_GROUP, &IF_RCV_ADDRESS_GROUP,
        ],
    ).deprecated();
    /// What RFC 2233 asked for.
    IF_COMPLIANCE2 = compliance(
        "ifCompliance2", &IF_COMPLIANCES, 2,
        &[&IF_GENERAL_INFORMATION_GROUP, &IF_STACK_GROUP2, &IF_COUNTER_DISCONTINUITY_GROUP],
        &[
            &IF_FIXED_LENGTH_GROUP, &IF_HC_FIXED_LENGTH_GROUP, &IF_PACKET_GROUP, &IF_HC_PACKET_GROUP,
            &IF_RCV_ADDRESS_GROUP,
        ],
    ).deprecated();
    /// What a system with interfaces has to show; which counters depends on their speed.
    IF_COMPLIANCE3 = compliance(
        "ifCompliance3", &IF_COMPLIANCES, 3,
        &[&IF_GENERAL_INFORMATION_GROUP, &LINK_UP_DOWN_NOTIFICATIONS_GROUP],
        &[
            &IF_FIXED_LENGTH_GROUP, &IF_HC_FIXED_LENGTH_GROUP, &IF_PACKET_GROUP, &IF_HC_PACKET_GROUP,
            &IF_VHC_PACKET_GROUP, &IF_COUNTER_DISCONTINUITY_GROUP, &IF_RCV_ADDRESS_GROUP,
        ],
    );
    /// Any interface, before RFC 2233.
    IF_GENERAL_GROUP = group("ifGeneralGroup", &IF_GROUPS, 1, &[
        &IF_DESCR, &IF_TYPE, &IF_SPEED, &IF_PHYS_ADDRESS, &IF_ADMIN_STATUS, &IF_OPER_STATUS, &IF_LAST_CHANGE,
        &IF_LINK_UP_DOWN_TRAP_ENABLE, &IF_CONNECTOR_PRESENT, &IF_HIGH_SPEED, &IF_NAME,
    ]).deprecated();
    /// Interfaces of characters or fixed-length units, up to 20 million bits per second.
    IF_FIXED_LENGTH_GROUP = group("ifFixedLengthGroup", &IF_GROUPS, 2, &[
        &IF_IN_OCTETS, &IF_OUT_OCTETS, &IF_IN_UNKNOWN_PROTOS, &IF_IN_ERRORS, &IF_OUT_ERRORS,
    ]);
    /// Faster interfaces of characters or fixed-length units.
    IF_HC_FIXED_LENGTH_GROUP = group("ifHCFixedLengthGroup", &IF_GROUPS, 3, &[
        &IF_HC_IN_OCTETS, &IF_HC_OUT_OCTETS, &IF_IN_OCTETS, &IF_OUT_OCTETS, &IF_IN_UNKNOWN_PROTOS, &IF_IN_ERRORS,
        &IF_OUT_ERRORS,
    ]);
    /// Interfaces of packets, up to 20 million bits per second.
    IF_PACKET_GROUP = group("ifPacketGroup", &IF_GROUPS, 4, &[
        &IF_IN_OCTETS, &IF_OUT_OCTETS, &IF_IN_UNKNOWN_PROTOS, &IF_IN_ERRORS, &IF_OUT_ERRORS, &IF_MTU,
        &IF_IN_UCAST_PKTS, &IF_IN_MULTICAST_PKTS, &IF_IN_BROADCAST_PKTS, &IF_IN_DISCARDS, &IF_OUT_UCAST_PKTS,
        &IF_OUT_MULTICAST_PKTS, &IF_OUT_BROADCAST_PKTS, &IF_OUT_DISCARDS, &IF_PROMISCUOUS_MODE,
    ]);
    /// Interfaces of packets, up to 650 million bits per second.
    IF_HC_PACKET_GROUP = group("ifHCPacketGroup", &IF_GROUPS, 5, &[
        &IF_HC_IN_OCTETS, &IF_HC_OUT_OCTETS, &IF_IN_OCTETS, &IF_OUT_OCTETS, &IF_IN_UNKNOWN_PROTOS, &IF_IN_ERRORS,
        &IF_OUT_ERRORS, &IF_MTU, &IF_IN_UCAST_PKTS, &IF_IN_MULTICAST_PKTS, &IF_IN_BROADCAST_PKTS,
        &IF_IN_DISCARDS, &IF_OUT_UCAST_PKTS, &IF_OUT_MULTICAST_PKTS, &IF_OUT_BROADCAST_PKTS, &IF_OUT_DISCARDS,
        &IF_PROMISCUOUS_MODE,
    ]);
    /// Interfaces of packets, faster than that.
    IF_VHC_PACKET_GROUP = group("ifVHCPacketGroup", &IF_GROUPS, 6, &[
        &IF_HC_IN_UCAST_PKTS, &IF_HC_IN_MULTICAST_PKTS, &IF_HC_IN_BROADCAST_PKTS, &IF_HC_OUT_UCAST_PKTS,
        &IF_HC_OUT_MULTICAST_PKTS, &IF_HC_OUT_BROADCAST_PKTS, &IF_HC_IN_OCTETS, &IF_HC_OUT_OCTETS, &IF_IN_OCTETS,
        &IF_OUT_OCTETS, &IF_IN_UNKNOWN_PROTOS, &IF_IN_ERRORS, &IF_OUT_ERRORS, &IF_MTU, &IF_IN_UCAST_PKTS,
        &IF_IN_MULTICAST_PKTS, &IF_IN_BROADCAST_PKTS, &IF_IN_DISCARDS, &IF_OUT_UCAST_PKTS,
        &IF_OUT_MULTICAST_PKTS, &IF_OUT_BROADCAST_PKTS, &IF_OUT_DISCARDS, &IF_PROMISCUOUS_MODE,
    ]);
    /// Addresses packets are taken for.
    IF_RCV_ADDRESS_GROUP = group("ifRcvAddressGroup", &IF_GROUPS, 7, &[&IF_RCV_ADDRESS_STATUS, &IF_RCV_ADDRESS_TYPE]);
    /// Tests.
    IF_TEST_GROUP = group("ifTestGroup", &IF_GROUPS, 8, &[
        &IF_TEST_ID, &IF_TEST_STATUS, &IF_TEST_TYPE, &IF_TEST_RESULT, &IF_TEST_CODE, &IF_TEST_OWNER,
    ]).deprecated();
    /// Layers, before RFC 2233.
    IF_STACK_GROUP = group("ifStackGroup", &IF_GROUPS, 9, &[&IF_STACK_STATUS]).deprecated();
    /// Any interface.
    IF_GENERAL_INFORMATION_GROUP = group("ifGeneralInformationGroup", &IF_GROUPS, 10, &[
        &IF_INDEX, &IF_DESCR, &IF_TYPE, &IF_SPEED, &IF_PHYS_ADDRESS, &IF_ADMIN_STATUS, &IF_OPER_STATUS,
        &IF_LAST_CHANGE, &IF_LINK_UP_DOWN_TRAP_ENABLE, &IF_CONNECTOR_PRESENT, &IF_HIGH_SPEED, &IF_NAME,
        &IF_NUMBER, &IF_ALIAS, &IF_TABLE_LAST_CHANGE,
    ]);
    /// Layers.
    IF_STACK_GROUP2 = group("ifStackGroup2", &IF_GROUPS, 11, &[&IF_STACK_STATUS, &IF_STACK_LAST_CHANGE]);
    /// What RFC 1213 had and nobody needs any more.
    IF_OLD_OBJECTS_GROUP = group("ifOldObjectsGroup", &IF_GROUPS, 12, &[
        &IF_IN_N_UCAST_PKTS, &IF_OUT_N_UCAST_PKTS, &IF_OUT_Q_LEN, &IF_SPECIFIC,
    ]).deprecated();
    /// Jumps of counters.
    IF_COUNTER_DISCONTINUITY_GROUP = group(
        "ifCounterDiscontinuityGroup", &IF_GROUPS, 13, &[&IF_COUNTER_DISCONTINUITY_TIME]);
    /// Notifications of interfaces.
    LINK_UP_DOWN_NOTIFICATIONS_GROUP = notification_group(
        "linkUpDownNotificationsGroup", &IF_GROUPS, 14, &[&LINK_UP, &LINK_DOWN]);
}
