//! The resources of a computer (HOST-RESOURCES-MIB, RFC 2790): the system as a whole, its storage
//! and its processors.
//!
//! Printers, partitions, file systems and software are not implemented here.

use super::{
    snmpv2_smi::MIB_2,
    snmpv2_tc::{AUTONOMOUS_TYPE, DATE_AND_TIME, DISPLAY_STRING},
};
use crate::{Module, define::*, object::Index};

/// Definitions of HOST-RESOURCES-MIB.
pub static MODULE: Module = Module {
    name: "HOST-RESOURCES-MIB",
    last_updated: "200003060000Z",
    reference: "RFC 2790",
    description: "The resources of a computer.",
    conventions: CONVENTIONS,
    objects: OBJECTS,
};

conventions! {
    /// A size in kibibytes.
    K_BYTES = convention("KBytes", INTEGER32.limited(NOT_NEGATIVE));
    /// The identifier of a product; zeroDotZero if unknown.
    PRODUCT_ID = convention("ProductID", OBJECT_ID);
    /// Text in the local character set.
    INTERNATIONAL_DISPLAY_STRING = convention("InternationalDisplayString", OCTETS);
}

objects! {
    /// The resources of a computer.
    HOST = node("host", &MIB_2, 25);
    /// The system as a whole.
    HR_SYSTEM = node("hrSystem", &HOST, 1);
    /// The storage of the system.
    HR_STORAGE = node("hrStorage", &HOST, 2);
    /// The devices of the system.
    HR_DEVICE = node("hrDevice", &HOST, 3);
    /// Administrative information of this module.
    HR_MIB_ADMIN_INFO = node("hrMIBAdminInfo", &HOST, 7);
    /// The resources of a computer.
    HOST_RESOURCES_MIB_MODULE = module_identity("hostResourcesMibModule", &HR_MIB_ADMIN_INFO, 1);

    /// The time since the system was started, which may be before the agent was started.
    HR_SYSTEM_UPTIME = scalar("hrSystemUptime", &HR_SYSTEM, 1, TIME_TICKS, ReadOnly);
    /// The system's date and time of day.
    HR_SYSTEM_DATE = scalar("hrSystemDate", &HR_SYSTEM, 2, tc(&DATE_AND_TIME), ReadWrite);
    /// The device from which the system boots.
    HR_SYSTEM_INITIAL_LOAD_DEVICE = scalar(
        "hrSystemInitialLoadDevice", &HR_SYSTEM, 3, INTEGER32.limited(POSITIVE), ReadWrite);
    /// The boot parameters of the operating system.
    HR_SYSTEM_INITIAL_LOAD_PARAMETERS = scalar(
        "hrSystemInitialLoadParameters", &HR_SYSTEM, 4,
        tc(&INTERNATIONAL_DISPLAY_STRING).limited(&[(0, 128)]), ReadWrite);
    /// The number of user sessions.
    HR_SYSTEM_NUM_USERS = scalar("hrSystemNumUsers", &HR_SYSTEM, 5, GAUGE32, ReadOnly);
    /// The number of processes.
    HR_SYSTEM_PROCESSES = scalar("hrSystemProcesses", &HR_SYSTEM, 6, GAUGE32, ReadOnly);
    /// The maximum number of processes; 0 if there is no limit.
    HR_SYSTEM_MAX_PROCESSES = scalar(
        "hrSystemMaxProcesses", &HR_SYSTEM, 7, INTEGER32.limited(NOT_NEGATIVE), ReadOnly);

    /// Identifiers of storage types.
    HR_STORAGE_TYPES = node("hrStorageTypes", &HR_STORAGE, 1);
    /// The size of main memory.
    HR_MEMORY_SIZE = scalar("hrMemorySize", &HR_STORAGE, 2, tc(&K_BYTES), ReadOnly).units("KBytes");
    /// The logical storage areas of the system.
    HR_STORAGE_TABLE = table("hrStorageTable", &HR_STORAGE, 3);
    /// One storage area.
    HR_STORAGE_ENTRY = row("hrStorageEntry", &HR_STORAGE_TABLE, Index::Objects(&[&HR_STORAGE_INDEX]));
    /// The index of the storage area.
    HR_STORAGE_INDEX = column("hrStorageIndex", &HR_STORAGE_ENTRY, 1, INTEGER32.limited(POSITIVE), ReadOnly);
    /// The type of the storage area.
    HR_STORAGE_TYPE = column("hrStorageType", &HR_STORAGE_ENTRY, 2, tc(&AUTONOMOUS_TYPE), ReadOnly);
    /// The description of the area; for a file system, its mount point.
    HR_STORAGE_DESCR = column("hrStorageDescr", &HR_STORAGE_ENTRY, 3, tc(&DISPLAY_STRING), ReadOnly);
    /// The size of an allocation unit, in octets.
    HR_STORAGE_ALLOCATION_UNITS = column(
        "hrStorageAllocationUnits", &HR_STORAGE_ENTRY, 4, INTEGER32.limited(POSITIVE), ReadOnly).units("Bytes");
    /// The size of the area, in allocation units.
    HR_STORAGE_SIZE = column(
        "hrStorageSize", &HR_STORAGE_ENTRY, 5, INTEGER32.limited(NOT_NEGATIVE), ReadWrite);
    /// The used size of the area, in allocation units.
    HR_STORAGE_USED = column(
        "hrStorageUsed", &HR_STORAGE_ENTRY, 6, INTEGER32.limited(NOT_NEGATIVE), ReadOnly);
    /// The number of allocation requests that failed.
    HR_STORAGE_ALLOCATION_FAILURES = column(
        "hrStorageAllocationFailures", &HR_STORAGE_ENTRY, 7, COUNTER32, ReadOnly);

    /// Identifiers of device types.
    HR_DEVICE_TYPES = node("hrDeviceTypes", &HR_DEVICE, 1);
    /// The devices of the system.
    HR_DEVICE_TABLE = table("hrDeviceTable", &HR_DEVICE, 2);
    /// One device.
    HR_DEVICE_ENTRY = row("hrDeviceEntry", &HR_DEVICE_TABLE, Index::Objects(&[&HR_DEVICE_INDEX]));
    /// The index of the device.
    HR_DEVICE_INDEX = column("hrDeviceIndex", &HR_DEVICE_ENTRY, 1, INTEGER32.limited(POSITIVE), ReadOnly);
    /// The type of the device.
    HR_DEVICE_TYPE = column("hrDeviceType", &HR_DEVICE_ENTRY, 2, tc(&AUTONOMOUS_TYPE), ReadOnly);
    /// The manufacturer, model and, if known, serial number.
    HR_DEVICE_DESCR = column(
        "hrDeviceDescr", &HR_DEVICE_ENTRY, 3, tc(&DISPLAY_STRING).limited(&[(0, 64)]), ReadOnly);
    /// The product identifier of the device.
    HR_DEVICE_ID = column("hrDeviceID", &HR_DEVICE_ENTRY, 4, tc(&PRODUCT_ID), ReadOnly);
    /// The state of the device.
    HR_DEVICE_STATUS = column("hrDeviceStatus", &HR_DEVICE_ENTRY, 5, enumeration(&[
        ("unknown", 1), ("running", 2), ("warning", 3), ("testing", 4), ("down", 5),
    ]), ReadOnly);
    /// The number of errors of the device.
    HR_DEVICE_ERRORS = column("hrDeviceErrors", &HR_DEVICE_ENTRY, 6, COUNTER32, ReadOnly);

    /// The processors, by device index.
    HR_PROCESSOR_TABLE = table("hrProcessorTable", &HR_DEVICE, 3);
    /// One processor.
    HR_PROCESSOR_ENTRY = row("hrProcessorEntry", &HR_PROCESSOR_TABLE, Index::Objects(&[&HR_DEVICE_INDEX]));
    /// The product identifier of the firmware.
    HR_PROCESSOR_FRW_ID = column("hrProcessorFrwID", &HR_PROCESSOR_ENTRY, 1, tc(&PRODUCT_ID), ReadOnly);
    /// The percentage of the last minute during which the processor was not idle.
    HR_PROCESSOR_LOAD = column(
        "hrProcessorLoad", &HR_PROCESSOR_ENTRY, 2, INTEGER32.limited(&[(0, 100)]), ReadOnly);

    /// Conformance groups.
    HR_MIB_GROUPS = node("hrMIBGroups", &HR_MIB_ADMIN_INFO, 3);
    /// Objects of the system as a whole.
    HR_SYSTEM_GROUP = group("hrSystemGroup", &HR_MIB_GROUPS, 1, &[
        &HR_SYSTEM_UPTIME, &HR_SYSTEM_DATE, &HR_SYSTEM_INITIAL_LOAD_DEVICE,
        &HR_SYSTEM_INITIAL_LOAD_PARAMETERS, &HR_SYSTEM_NUM_USERS, &HR_SYSTEM_PROCESSES,
        &HR_SYSTEM_MAX_PROCESSES,
    ]);
    /// Objects of the storage areas.
    HR_STORAGE_GROUP = group("hrStorageGroup", &HR_MIB_GROUPS, 2, &[
        &HR_MEMORY_SIZE, &HR_STORAGE_INDEX, &HR_STORAGE_TYPE, &HR_STORAGE_DESCR, &HR_STORAGE_ALLOCATION_UNITS,
        &HR_STORAGE_SIZE, &HR_STORAGE_USED, &HR_STORAGE_ALLOCATION_FAILURES,
    ]);
    /// Objects of the devices.
    HR_DEVICE_GROUP = group("hrDeviceGroup", &HR_MIB_GROUPS, 3, &[
        &HR_DEVICE_INDEX, &HR_DEVICE_TYPE, &HR_DEVICE_DESCR, &HR_DEVICE_ID, &HR_DEVICE_STATUS,
        &HR_DEVICE_ERRORS, &HR_PROCESSOR_FRW_ID, &HR_PROCESSOR_LOAD,
    ]);
}
