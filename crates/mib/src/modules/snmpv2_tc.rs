//! Textual conventions of general use (SNMPv2-TC, RFC 2579).

use crate::{Module, define::*};

/// Definitions of SNMPv2-TC.
pub static MODULE: Module = Module {
    name: "SNMPv2-TC",
    last_updated: "",
    reference: "RFC 2579",
    description: "Textual conventions of general use.",
    conventions: CONVENTIONS,
    objects: &[],
};

conventions! {
    /// Text in NVT ASCII.
    DISPLAY_STRING = convention("DisplayString", OCTETS.limited(&[(0, 255)])).hint("255a");
    /// An address of the medium or physical layer.
    PHYS_ADDRESS = convention("PhysAddress", OCTETS).hint("1x:");
    /// An IEEE 802 MAC address in canonical order.
    MAC_ADDRESS = convention("MacAddress", OCTETS.limited(&[(6, 6)])).hint("1x:");
    /// A boolean.
    TRUTH_VALUE = convention("TruthValue", enumeration(&[("true", 1), ("false", 2)]));
    /// A lock: a SET succeeds only with the current value, which is then incremented.
    TEST_AND_INCR = convention("TestAndIncr", INTEGER32.limited(NOT_NEGATIVE));
    /// An identifier whose meaning is defined elsewhere, such as a protocol.
    AUTONOMOUS_TYPE = convention("AutonomousType", OBJECT_ID);
    /// The name of a row or of an object instance.
    INSTANCE_POINTER = convention("InstancePointer", OBJECT_ID).obsolete();
    /// The name of an object instance.
    VARIABLE_POINTER = convention("VariablePointer", OBJECT_ID);
    /// The name of a row: the instance of its first accessible column.
    ROW_POINTER = convention("RowPointer", OBJECT_ID);
    /// The status of a row: the first three values are states, the last three are actions, and
    /// notReady is read-only.
    ROW_STATUS = convention("RowStatus", enumeration(&[
        ("active", 1), ("notInService", 2), ("notReady", 3), ("createAndGo", 4), ("createAndWait", 5), ("destroy", 6),
    ]));
    /// The value of sysUpTime at which an event happened.
    TIME_STAMP = convention("TimeStamp", TIME_TICKS);
    /// A length of time in hundredths of a second.
    TIME_INTERVAL = convention("TimeInterval", INTEGER32.limited(NOT_NEGATIVE));
    /// A date and time of day: year, month, day, hour, minute, second, tenths, and perhaps the
    /// offset from UTC.
    DATE_AND_TIME = convention("DateAndTime", OCTETS.limited(&[(8, 8), (11, 11)]))
        .hint("2d-1d-1d,1d:1d:1d.1d,1a1d:1d");
    /// The storage type of a row. It determines if the row survives restarts, may be changed and
    /// may be deleted.
    STORAGE_TYPE = convention("StorageType", enumeration(&[
        ("other", 1), ("volatile", 2), ("nonVolatile", 3), ("permanent", 4), ("readOnly", 5),
    ]));
    /// A type of transport service.
    T_DOMAIN = convention("TDomain", OBJECT_ID);
    /// A transport address in the form of its TDomain.
    T_ADDRESS = convention("TAddress", OCTETS.limited(&[(1, 255)]));
}
