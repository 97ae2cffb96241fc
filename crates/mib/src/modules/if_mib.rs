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
    description: "Network interfaces: their state, their counters and their stack.",
    conventions: CONVENTIONS,
    objects: OBJECTS,
};

conventions! {
    /// The name of an owner, in ASCII.
    OWNER_STRING = convention("OwnerString", OCTETS.limited(&[(0, 255)])).hint("255a").deprecated();
    /// The index of an interface.
    INTERFACE_INDEX = convention("InterfaceIndex", INTEGER32.limited(POSITIVE)).hint("d");
    /// The index of an interface, or 0 with a meaning that the object defines.
    INTERFACE_INDEX_OR_ZERO = convention("InterfaceIndexOrZero", INTEGER32.limited(NOT_NEGATIVE)).hint("d");
}

objects! {
    /// Network interfaces.
    IF_MIB = module_identity("ifMIB", &MIB_2, 31);
    /// Objects that RFC 1213 does not define.
    IF_MIB_OBJECTS = node("ifMIBObjects", &IF_MIB, 1);
    /// Network interfaces as in RFC 1213.
    INTERFACES = node("interfaces", &MIB_2, 2);
    /// The number of interfaces.
    IF_NUMBER = scalar("ifNumber", &INTERFACES, 1, INTEGER32, ReadOnly);
    /// The time when an interface was last added or removed.
    IF_TABLE_LAST_CHANGE = scalar("ifTableLastChange", &IF_MIB_OBJECTS, 5, TIME_TICKS, ReadOnly);

    /// The interfaces of this system.
    IF_TABLE = table("ifTable", &INTERFACES, 2);
    /// One interface.
    IF_ENTRY = row("ifEntry", &IF_TABLE, Index::Objects(&[&IF_INDEX]));
    /// The index of the interface; constant at least until the next restart.
    IF_INDEX = column("ifIndex", &IF_ENTRY, 1, tc(&INTERFACE_INDEX), ReadOnly);
    /// A description of the interface: manufacturer, product, version.
    IF_DESCR = column("ifDescr", &IF_ENTRY, 2, tc(&DISPLAY_STRING).limited(&[(0, 255)]), ReadOnly);
    /// The type of the interface.
    IF_TYPE = column("ifType", &IF_ENTRY, 3, tc(&IANA_IF_TYPE), ReadOnly);
    /// The size of the largest packet that can be sent, in octets.
    IF_MTU = column("ifMtu", &IF_ENTRY, 4, INTEGER32, ReadOnly);
    /// The bandwidth in bits per second; 4294967295 if it is higher. ifHighSpeed contains higher
    /// bandwidths.
    IF_SPEED = column("ifSpeed", &IF_ENTRY, 5, GAUGE32, ReadOnly);
    /// The interface's address at its own protocol layer, such as a MAC address; empty if there is
    /// none.
    IF_PHYS_ADDRESS = column("ifPhysAddress", &IF_ENTRY, 6, tc(&PHYS_ADDRESS), ReadOnly);
    /// The desired state of the interface.
    IF_ADMIN_STATUS = column(
        "ifAdminStatus", &IF_ENTRY, 7, enumeration(&[("up", 1), ("down", 2), ("testing", 3)]), ReadWrite);
    /// The current state of the interface.
    IF_OPER_STATUS = column("ifOperStatus", &IF_ENTRY, 8, enumeration(&[
        ("up", 1), ("down", 2), ("testing", 3), ("unknown", 4), ("dormant", 5), ("notPresent", 6),
        ("lowerLayerDown", 7),
    ]), ReadOnly);
    /// The value of sysUpTime when ifOperStatus last changed; 0 if it changed before the last
    /// restart.
    IF_LAST_CHANGE = column("ifLastChange", &IF_ENTRY, 9, TIME_TICKS, ReadOnly);
    /// Octets received, framing included.
    IF_IN_OCTETS = column("ifInOctets", &IF_ENTRY, 10, COUNTER32, ReadOnly);
    /// Unicast packets delivered to a higher layer.
    IF_IN_UCAST_PKTS = column("ifInUcastPkts", &IF_ENTRY, 11, COUNTER32, ReadOnly);
    /// Multicast and broadcast packets delivered to a higher layer.
    IF_IN_N_UCAST_PKTS = column("ifInNUcastPkts", &IF_ENTRY, 12, COUNTER32, ReadOnly).deprecated();
    /// Received packets discarded without errors, for example for lack of memory.
    IF_IN_DISCARDS = column("ifInDiscards", &IF_ENTRY, 13, COUNTER32, ReadOnly);
    /// Received packets discarded because of errors.
    IF_IN_ERRORS = column("ifInErrors", &IF_ENTRY, 14, COUNTER32, ReadOnly);
    /// Received packets discarded because their protocol is unknown or not supported.
    IF_IN_UNKNOWN_PROTOS = column("ifInUnknownProtos", &IF_ENTRY, 15, COUNTER32, ReadOnly);
    /// Octets sent, framing included.
    IF_OUT_OCTETS = column("ifOutOctets", &IF_ENTRY, 16, COUNTER32, ReadOnly);
    /// Unicast packets passed to the interface for transmission.
    IF_OUT_UCAST_PKTS = column("ifOutUcastPkts", &IF_ENTRY, 17, COUNTER32, ReadOnly);
    /// Multicast and broadcast packets passed to the interface for transmission.
    IF_OUT_N_UCAST_PKTS = column("ifOutNUcastPkts", &IF_ENTRY, 18, COUNTER32, ReadOnly).deprecated();
    /// Outgoing packets discarded without errors, for example for lack of memory.
    IF_OUT_DISCARDS = column("ifOutDiscards", &IF_ENTRY, 19, COUNTER32, ReadOnly);
    /// Packets that could not be sent because of errors.
    IF_OUT_ERRORS = column("ifOutErrors", &IF_ENTRY, 20, COUNTER32, ReadOnly);
    /// The length of the output queue, in packets.
    IF_OUT_Q_LEN = column("ifOutQLen", &IF_ENTRY, 21, GAUGE32, ReadOnly).deprecated();
    /// The identifier of media-specific definitions; zeroDotZero if there are none.
    IF_SPECIFIC = column("ifSpecific", &IF_ENTRY, 22, OBJECT_ID, ReadOnly).deprecated();

    /// Additional columns of ifTable.
    IF_X_TABLE = table("ifXTable", &IF_MIB_OBJECTS, 1);
    /// The additional columns of one interface.
    IF_X_ENTRY = row("ifXEntry", &IF_X_TABLE, Index::Augments(&IF_ENTRY));
    /// The name of the interface as used by the system's commands.
    IF_NAME = column("ifName", &IF_X_ENTRY, 1, tc(&DISPLAY_STRING), ReadOnly);
    /// Multicast packets delivered to a higher layer.
    IF_IN_MULTICAST_PKTS = column("ifInMulticastPkts", &IF_X_ENTRY, 2, COUNTER32, ReadOnly);
    /// Broadcast packets delivered to a higher layer.
    IF_IN_BROADCAST_PKTS = column("ifInBroadcastPkts", &IF_X_ENTRY, 3, COUNTER32, ReadOnly);
    /// Multicast packets passed to the interface for transmission.
    IF_OUT_MULTICAST_PKTS = column("ifOutMulticastPkts", &IF_X_ENTRY, 4, COUNTER32, ReadOnly);
    /// Broadcast packets passed to the interface for transmission.
    IF_OUT_BROADCAST_PKTS = column("ifOutBroadcastPkts", &IF_X_ENTRY, 5, COUNTER32, ReadOnly);
    /// The 64-bit version of ifInOctets.
    IF_HC_IN_OCTETS = column("ifHCInOctets", &IF_X_ENTRY, 6, COUNTER64, ReadOnly);
    /// The 64-bit version of ifInUcastPkts.
    IF_HC_IN_UCAST_PKTS = column("ifHCInUcastPkts", &IF_X_ENTRY, 7, COUNTER64, ReadOnly);
    /// The 64-bit version of ifInMulticastPkts.
    IF_HC_IN_MULTICAST_PKTS = column("ifHCInMulticastPkts", &IF_X_ENTRY, 8, COUNTER64, ReadOnly);
    /// The 64-bit version of ifInBroadcastPkts.
    IF_HC_IN_BROADCAST_PKTS = column("ifHCInBroadcastPkts", &IF_X_ENTRY, 9, COUNTER64, ReadOnly);
    /// The 64-bit version of ifOutOctets.
    IF_HC_OUT_OCTETS = column("ifHCOutOctets", &IF_X_ENTRY, 10, COUNTER64, ReadOnly);
    /// The 64-bit version of ifOutUcastPkts.
    IF_HC_OUT_UCAST_PKTS = column("ifHCOutUcastPkts", &IF_X_ENTRY, 11, COUNTER64, ReadOnly);
    /// The 64-bit version of ifOutMulticastPkts.
    IF_HC_OUT_MULTICAST_PKTS = column("ifHCOutMulticastPkts", &IF_X_ENTRY, 12, COUNTER64, ReadOnly);
    /// The 64-bit version of ifOutBroadcastPkts.
    IF_HC_OUT_BROADCAST_PKTS = column("ifHCOutBroadcastPkts", &IF_X_ENTRY, 13, COUNTER64, ReadOnly);
    /// Enables or disables linkUp and linkDown notifications for the interface.
    IF_LINK_UP_DOWN_TRAP_ENABLE = column(
        "ifLinkUpDownTrapEnable", &IF_X_ENTRY, 14, enumeration(&[("enabled", 1), ("disabled", 2)]), ReadWrite);
    /// The bandwidth in millions of bits per second.
    IF_HIGH_SPEED = column("ifHighSpeed", &IF_X_ENTRY, 15, GAUGE32, ReadOnly);
    /// True if the interface is in promiscuous mode.
    IF_PROMISCUOUS_MODE = column("ifPromiscuousMode", &IF_X_ENTRY, 16, tc(&TRUTH_VALUE), ReadWrite);
    /// True if the interface has a physical connector.
    IF_CONNECTOR_PRESENT = column("ifConnectorPresent", &IF_X_ENTRY, 17, tc(&TRUTH_VALUE), ReadOnly);
    /// An alias set by a manager; survives restarts.
    IF_ALIAS = column("ifAlias", &IF_X_ENTRY, 18, tc(&DISPLAY_STRING).limited(&[(0, 64)]), ReadWrite);
    /// The value of sysUpTime when a counter of the interface last had a discontinuity; 0 if that
    /// was before the last restart.
    IF_COUNTER_DISCONTINUITY_TIME = column(
        "ifCounterDiscontinuityTime", &IF_X_ENTRY, 19, tc(&TIME_STAMP), ReadOnly);

    /// The pairs of interfaces in which one interface is stacked on the other.
    IF_STACK_TABLE = table("ifStackTable", &IF_MIB_OBJECTS, 2);
    /// One pair of interfaces: the higher one is stacked on the lower one.
    IF_STACK_ENTRY = row(
        "ifStackEntry", &IF_STACK_TABLE, Index::Objects(&[&IF_STACK_HIGHER_LAYER, &IF_STACK_LOWER_LAYER]));
    /// The higher interface; 0 if there is none above the lower one.
    IF_STACK_HIGHER_LAYER = column(
        "ifStackHigherLayer", &IF_STACK_ENTRY, 1, tc(&INTERFACE_INDEX_OR_ZERO), NotAccessible);
    /// The lower interface; 0 if there is none below the higher one.
    IF_STACK_LOWER_LAYER = column(
        "ifStackLowerLayer", &IF_STACK_ENTRY, 2, tc(&INTERFACE_INDEX_OR_ZERO), NotAccessible);
    /// The status of the row.
    IF_STACK_STATUS = column("ifStackStatus", &IF_STACK_ENTRY, 3, tc(&ROW_STATUS), ReadCreate);
    /// The time when ifStackTable last changed.
    IF_STACK_LAST_CHANGE = scalar("ifStackLastChange", &IF_MIB_OBJECTS, 6, TIME_TICKS, ReadOnly);

    /// The addresses for which interfaces receive packets.
    IF_RCV_ADDRESS_TABLE = table("ifRcvAddressTable", &IF_MIB_OBJECTS, 4);
    /// One address of one interface.
    IF_RCV_ADDRESS_ENTRY = row(
        "ifRcvAddressEntry", &IF_RCV_ADDRESS_TABLE, Index::Objects(&[&IF_INDEX, &IF_RCV_ADDRESS_ADDRESS]));
    /// The address for which the interface receives packets.
    IF_RCV_ADDRESS_ADDRESS = column(
        "ifRcvAddressAddress", &IF_RCV_ADDRESS_ENTRY, 1, tc(&PHYS_ADDRESS), NotAccessible);
    /// The status of the row.
    IF_RCV_ADDRESS_STATUS = column(
        "ifRcvAddressStatus", &IF_RCV_ADDRESS_ENTRY, 2, tc(&ROW_STATUS), ReadCreate);
    /// The storage type of the address.
    IF_RCV_ADDRESS_TYPE = column(
        "ifRcvAddressType", &IF_RCV_ADDRESS_ENTRY, 3,
        enumeration(&[("other", 1), ("volatile", 2), ("nonVolatile", 3)]), ReadCreate)
        .default(Label("volatile"));

    /// Tests of interfaces.
    IF_TEST_TABLE = table("ifTestTable", &IF_MIB_OBJECTS, 3).deprecated();
    /// The test of one interface.
    IF_TEST_ENTRY = row("ifTestEntry", &IF_TEST_TABLE, Index::Augments(&IF_ENTRY)).deprecated();
    /// The number of the test, which also serves as a lock.
    IF_TEST_ID = column("ifTestId", &IF_TEST_ENTRY, 1, tc(&TEST_AND_INCR), ReadWrite).deprecated();
    /// Shows if a test is in progress.
    IF_TEST_STATUS = column(
        "ifTestStatus", &IF_TEST_ENTRY, 2, enumeration(&[("notInUse", 1), ("inUse", 2)]), ReadWrite).deprecated();
    /// The type of test; writing it starts the test.
    IF_TEST_TYPE = column("ifTestType", &IF_TEST_ENTRY, 3, tc(&AUTONOMOUS_TYPE), ReadWrite).deprecated();
    /// The result of the last test.
    IF_TEST_RESULT = column("ifTestResult", &IF_TEST_ENTRY, 4, enumeration(&[
        ("none", 1), ("success", 2), ("inProgress", 3), ("notSupported", 4), ("unAbleToRun", 5), ("aborted", 6),
        ("failed", 7),
    ]), ReadOnly).deprecated();
    /// Details of the result of the last test.
    IF_TEST_CODE = column("ifTestCode", &IF_TEST_ENTRY, 5, OBJECT_ID, ReadOnly).deprecated();
    /// The owner of the current test.
    IF_TEST_OWNER = column("ifTestOwner", &IF_TEST_ENTRY, 6, tc(&OWNER_STRING), ReadWrite).deprecated();

    /// An interface is about to enter the down state.
    LINK_DOWN = notification(
        "linkDown", &SNMP_TRAPS, 3, &[&IF_INDEX, &IF_ADMIN_STATUS, &IF_OPER_STATUS]);
    /// An interface has left the down state.
    LINK_UP = notification("linkUp", &SNMP_TRAPS, 4, &[&IF_INDEX, &IF_ADMIN_STATUS, &IF_OPER_STATUS]);

    /// Conformance information of this module.
    IF_CONFORMANCE = node("ifConformance", &IF_MIB, 2);
    /// Conformance groups.
    IF_GROUPS = node("ifGroups", &IF_CONFORMANCE, 1);
    /// Compliance statements.
    IF_COMPLIANCES = node("ifCompliances", &IF_CONFORMANCE, 2);
    /// Requirements of RFC 1573.
    IF_COMPLIANCE = compliance(
        "ifCompliance", &IF_COMPLIANCES, 1, &[&IF_GENERAL_GROUP, &IF_STACK_GROUP],
        &[
            &IF_FIXED_LENGTH_GROUP, &IF_HC_FIXED_LENGTH_GROUP, &IF_PACKET_GROUP, &IF_HC_PACKET_GROUP,
            &IF_TEST_GROUP, &IF_RCV_ADDRESS_GROUP,
        ],
    ).deprecated();
    /// Requirements of RFC 2233.
    IF_COMPLIANCE2 = compliance(
        "ifCompliance2", &IF_COMPLIANCES, 2,
        &[&IF_GENERAL_INFORMATION_GROUP, &IF_STACK_GROUP2, &IF_COUNTER_DISCONTINUITY_GROUP],
        &[
            &IF_FIXED_LENGTH_GROUP, &IF_HC_FIXED_LENGTH_GROUP, &IF_PACKET_GROUP, &IF_HC_PACKET_GROUP,
            &IF_RCV_ADDRESS_GROUP,
        ],
    ).deprecated();
    /// Requirements for systems with interfaces; the required counters depend on the interface
    /// speed.
    IF_COMPLIANCE3 = compliance(
        "ifCompliance3", &IF_COMPLIANCES, 3,
        &[&IF_GENERAL_INFORMATION_GROUP, &LINK_UP_DOWN_NOTIFICATIONS_GROUP],
        &[
            &IF_FIXED_LENGTH_GROUP, &IF_HC_FIXED_LENGTH_GROUP, &IF_PACKET_GROUP, &IF_HC_PACKET_GROUP,
            &IF_VHC_PACKET_GROUP, &IF_COUNTER_DISCONTINUITY_GROUP, &IF_RCV_ADDRESS_GROUP,
        ],
    );
    /// Objects that all interfaces had to support before RFC 2233.
    IF_GENERAL_GROUP = group("ifGeneralGroup", &IF_GROUPS, 1, &[
        &IF_DESCR, &IF_TYPE, &IF_SPEED, &IF_PHYS_ADDRESS, &IF_ADMIN_STATUS, &IF_OPER_STATUS, &IF_LAST_CHANGE,
        &IF_LINK_UP_DOWN_TRAP_ENABLE, &IF_CONNECTOR_PRESENT, &IF_HIGH_SPEED, &IF_NAME,
    ]).deprecated();
    /// Counters of character-oriented or fixed-length interfaces, up to 20 million bits per second.
    IF_FIXED_LENGTH_GROUP = group("ifFixedLengthGroup", &IF_GROUPS, 2, &[
        &IF_IN_OCTETS, &IF_OUT_OCTETS, &IF_IN_UNKNOWN_PROTOS, &IF_IN_ERRORS, &IF_OUT_ERRORS,
    ]);
    /// Counters of faster character-oriented or fixed-length interfaces.
    IF_HC_FIXED_LENGTH_GROUP = group("ifHCFixedLengthGroup", &IF_GROUPS, 3, &[
        &IF_HC_IN_OCTETS, &IF_HC_OUT_OCTETS, &IF_IN_OCTETS, &IF_OUT_OCTETS, &IF_IN_UNKNOWN_PROTOS, &IF_IN_ERRORS,
        &IF_OUT_ERRORS,
    ]);
    /// Counters of packet interfaces, up to 20 million bits per second.
    IF_PACKET_GROUP = group("ifPacketGroup", &IF_GROUPS, 4, &[
        &IF_IN_OCTETS, &IF_OUT_OCTETS, &IF_IN_UNKNOWN_PROTOS, &IF_IN_ERRORS, &IF_OUT_ERRORS, &IF_MTU,
        &IF_IN_UCAST_PKTS, &IF_IN_MULTICAST_PKTS, &IF_IN_BROADCAST_PKTS, &IF_IN_DISCARDS, &IF_OUT_UCAST_PKTS,
        &IF_OUT_MULTICAST_PKTS, &IF_OUT_BROADCAST_PKTS, &IF_OUT_DISCARDS, &IF_PROMISCUOUS_MODE,
    ]);
    /// Counters of packet interfaces, up to 650 million bits per second.
    IF_HC_PACKET_GROUP = group("ifHCPacketGroup", &IF_GROUPS, 5, &[
        &IF_HC_IN_OCTETS, &IF_HC_OUT_OCTETS, &IF_IN_OCTETS, &IF_OUT_OCTETS, &IF_IN_UNKNOWN_PROTOS, &IF_IN_ERRORS,
        &IF_OUT_ERRORS, &IF_MTU, &IF_IN_UCAST_PKTS, &IF_IN_MULTICAST_PKTS, &IF_IN_BROADCAST_PKTS,
        &IF_IN_DISCARDS, &IF_OUT_UCAST_PKTS, &IF_OUT_MULTICAST_PKTS, &IF_OUT_BROADCAST_PKTS, &IF_OUT_DISCARDS,
        &IF_PROMISCUOUS_MODE,
    ]);
    /// Counters of packet interfaces above 650 million bits per second.
    IF_VHC_PACKET_GROUP = group("ifVHCPacketGroup", &IF_GROUPS, 6, &[
        &IF_HC_IN_UCAST_PKTS, &IF_HC_IN_MULTICAST_PKTS, &IF_HC_IN_BROADCAST_PKTS, &IF_HC_OUT_UCAST_PKTS,
        &IF_HC_OUT_MULTICAST_PKTS, &IF_HC_OUT_BROADCAST_PKTS, &IF_HC_IN_OCTETS, &IF_HC_OUT_OCTETS, &IF_IN_OCTETS,
        &IF_OUT_OCTETS, &IF_IN_UNKNOWN_PROTOS, &IF_IN_ERRORS, &IF_OUT_ERRORS, &IF_MTU, &IF_IN_UCAST_PKTS,
        &IF_IN_MULTICAST_PKTS, &IF_IN_BROADCAST_PKTS, &IF_IN_DISCARDS, &IF_OUT_UCAST_PKTS,
        &IF_OUT_MULTICAST_PKTS, &IF_OUT_BROADCAST_PKTS, &IF_OUT_DISCARDS, &IF_PROMISCUOUS_MODE,
    ]);
    /// Objects of the addresses for which interfaces receive packets.
    IF_RCV_ADDRESS_GROUP = group("ifRcvAddressGroup", &IF_GROUPS, 7, &[&IF_RCV_ADDRESS_STATUS, &IF_RCV_ADDRESS_TYPE]);
    /// Objects of interface tests.
    IF_TEST_GROUP = group("ifTestGroup", &IF_GROUPS, 8, &[
        &IF_TEST_ID, &IF_TEST_STATUS, &IF_TEST_TYPE, &IF_TEST_RESULT, &IF_TEST_CODE, &IF_TEST_OWNER,
    ]).deprecated();
    /// The object of the interface stack before RFC 2233.
    IF_STACK_GROUP = group("ifStackGroup", &IF_GROUPS, 9, &[&IF_STACK_STATUS]).deprecated();
    /// Objects that all interfaces must support.
    IF_GENERAL_INFORMATION_GROUP = group("ifGeneralInformationGroup", &IF_GROUPS, 10, &[
        &IF_INDEX, &IF_DESCR, &IF_TYPE, &IF_SPEED, &IF_PHYS_ADDRESS, &IF_ADMIN_STATUS, &IF_OPER_STATUS,
        &IF_LAST_CHANGE, &IF_LINK_UP_DOWN_TRAP_ENABLE, &IF_CONNECTOR_PRESENT, &IF_HIGH_SPEED, &IF_NAME,
        &IF_NUMBER, &IF_ALIAS, &IF_TABLE_LAST_CHANGE,
    ]);
    /// Objects of the interface stack.
    IF_STACK_GROUP2 = group("ifStackGroup2", &IF_GROUPS, 11, &[&IF_STACK_STATUS, &IF_STACK_LAST_CHANGE]);
    /// Objects of RFC 1213 that are no longer needed.
    IF_OLD_OBJECTS_GROUP = group("ifOldObjectsGroup", &IF_GROUPS, 12, &[
        &IF_IN_N_UCAST_PKTS, &IF_OUT_N_UCAST_PKTS, &IF_OUT_Q_LEN, &IF_SPECIFIC,
    ]).deprecated();
    /// The object that reports discontinuities of counters.
    IF_COUNTER_DISCONTINUITY_GROUP = group(
        "ifCounterDiscontinuityGroup", &IF_GROUPS, 13, &[&IF_COUNTER_DISCONTINUITY_TIME]);
    /// Notifications about interfaces.
    LINK_UP_DOWN_NOTIFICATIONS_GROUP = notification_group(
        "linkUpDownNotificationsGroup", &IF_GROUPS, 14, &[&LINK_UP, &LINK_DOWN]);
}
