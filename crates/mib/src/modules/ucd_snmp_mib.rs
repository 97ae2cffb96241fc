//! Memory, disks, load and processor time as in Net-SNMP's agent (UCD-SNMP-MIB): the objects that
//! are still in use. The module has no conformance information, so it has no groups.

use super::{snmpv2_smi::ENTERPRISES, snmpv2_tc::DISPLAY_STRING};
use crate::{
    Module,
    define::*,
    object::Index,
    syntax::{Base, Syntax},
};

/// Definitions of UCD-SNMP-MIB.
pub static MODULE: Module = Module {
    name: "UCD-SNMP-MIB",
    last_updated: "201606100000Z",
    reference: "Net-SNMP",
    description: "Memory, disks, load and processor time.",
    conventions: CONVENTIONS,
    objects: OBJECTS,
};

const OPAQUE: Syntax = Syntax::base(Base::Opaque);

conventions! {
    /// A single-precision number, wrapped in an opaque value.
    FLOAT = convention("Float", OPAQUE.limited(&[(7, 7)]));
    /// A flag that is set in case of an error.
    UCD_ERROR_FLAG = convention("UCDErrorFlag", enumeration(&[("noError", 0), ("error", 1)]));
}

objects! {
    /// Memory, disks, load and processor time.
    UCDAVIS = module_identity("ucdavis", &ENTERPRISES, 2021);

    /// Memory sizes in kibibytes.
    MEMORY = node("memory", &UCDAVIS, 4);
    /// The index of the memory sizes, which is always 0.
    MEM_INDEX = scalar("memIndex", &MEMORY, 1, INTEGER32, ReadOnly);
    /// The name of the memory sizes, which is always `swap`.
    MEM_ERROR_NAME = scalar("memErrorName", &MEMORY, 2, tc(&DISPLAY_STRING), ReadOnly);
    /// Total swap space.
    MEM_TOTAL_SWAP = scalar("memTotalSwap", &MEMORY, 3, INTEGER32, ReadOnly).units("kB");
    /// Free swap space.
    MEM_AVAIL_SWAP = scalar("memAvailSwap", &MEMORY, 4, INTEGER32, ReadOnly).units("kB");
    /// Total main memory.
    MEM_TOTAL_REAL = scalar("memTotalReal", &MEMORY, 5, INTEGER32, ReadOnly).units("kB");
    /// Unused main memory.
    MEM_AVAIL_REAL = scalar("memAvailReal", &MEMORY, 6, INTEGER32, ReadOnly).units("kB");
    /// Free memory plus free swap space.
    MEM_TOTAL_FREE = scalar("memTotalFree", &MEMORY, 11, INTEGER32, ReadOnly).units("kB");
    /// Memory shared by processes.
    MEM_SHARED = scalar("memShared", &MEMORY, 13, INTEGER32, ReadOnly).units("kB");
    /// Memory used for block device buffers.
    MEM_BUFFER = scalar("memBuffer", &MEMORY, 14, INTEGER32, ReadOnly).units("kB");
    /// Memory used for file caches.
    MEM_CACHED = scalar("memCached", &MEMORY, 15, INTEGER32, ReadOnly).units("kB");

    /// The file systems of this system.
    DSK_TABLE = table("dskTable", &UCDAVIS, 9);
    /// One file system.
    DSK_ENTRY = row("dskEntry", &DSK_TABLE, Index::Objects(&[&DSK_INDEX]));
    /// The index of the file system.
    DSK_INDEX = column("dskIndex", &DSK_ENTRY, 1, INTEGER32.limited(&[(0, 65535)]), ReadOnly);
    /// The mount point of the file system.
    DSK_PATH = column("dskPath", &DSK_ENTRY, 2, tc(&DISPLAY_STRING), ReadOnly);
    /// The device that contains the file system.
    DSK_DEVICE = column("dskDevice", &DSK_ENTRY, 3, tc(&DISPLAY_STRING), ReadOnly);
    /// The minimum free space in kibibytes; -1 if it is not monitored.
    DSK_MINIMUM = column("dskMinimum", &DSK_ENTRY, 4, INTEGER32, ReadOnly);
    /// The minimum free space in percent; -1 if it is not monitored.
    DSK_MIN_PERCENT = column("dskMinPercent", &DSK_ENTRY, 5, INTEGER32, ReadOnly);
    /// The size in kibibytes; 2147483647 if it is larger. dskTotalHigh and dskTotalLow contain
    /// larger sizes.
    DSK_TOTAL = column("dskTotal", &DSK_ENTRY, 6, INTEGER32, ReadOnly);
    /// The space available to unprivileged users, in kibibytes, limited like dskTotal.
    DSK_AVAIL = column("dskAvail", &DSK_ENTRY, 7, INTEGER32, ReadOnly);
    /// The used space in kibibytes, limited like dskTotal.
    DSK_USED = column("dskUsed", &DSK_ENTRY, 8, INTEGER32, ReadOnly);
    /// The percentage of space in use.
    DSK_PERCENT = column("dskPercent", &DSK_ENTRY, 9, INTEGER32, ReadOnly);
    /// The percentage of inodes in use.
    DSK_PERCENT_NODE = column("dskPercentNode", &DSK_ENTRY, 10, INTEGER32, ReadOnly);
    /// The low half of the size in kibibytes.
    DSK_TOTAL_LOW = column("dskTotalLow", &DSK_ENTRY, 11, UNSIGNED32, ReadOnly);
    /// The high half of the size in kibibytes.
    DSK_TOTAL_HIGH = column("dskTotalHigh", &DSK_ENTRY, 12, UNSIGNED32, ReadOnly);
    /// The low half of the available space in kibibytes.
    DSK_AVAIL_LOW = column("dskAvailLow", &DSK_ENTRY, 13, UNSIGNED32, ReadOnly);
    /// The high half of the available space in kibibytes.
    DSK_AVAIL_HIGH = column("dskAvailHigh", &DSK_ENTRY, 14, UNSIGNED32, ReadOnly);
    /// The low half of the used space in kibibytes.
    DSK_USED_LOW = column("dskUsedLow", &DSK_ENTRY, 15, UNSIGNED32, ReadOnly);
    /// The high half of the used space in kibibytes.
    DSK_USED_HIGH = column("dskUsedHigh", &DSK_ENTRY, 16, UNSIGNED32, ReadOnly);
    /// The flag error(1) if the free space is below the minimum.
    DSK_ERROR_FLAG = column("dskErrorFlag", &DSK_ENTRY, 100, tc(&UCD_ERROR_FLAG), ReadOnly);
    /// The error message about the file system; empty if there is no error.
    DSK_ERROR_MSG = column("dskErrorMsg", &DSK_ENTRY, 101, tc(&DISPLAY_STRING), ReadOnly);

    /// The load averages of this system.
    LA_TABLE = table("laTable", &UCDAVIS, 10);
    /// The load average over 1, 5 or 15 minutes.
    LA_ENTRY = row("laEntry", &LA_TABLE, Index::Objects(&[&LA_INDEX]));
    /// The index of the load average, from 1 to 3.
    LA_INDEX = column("laIndex", &LA_ENTRY, 1, INTEGER32.limited(&[(0, 3)]), ReadOnly);
    /// The name of the load average: `Load-1`, `Load-5` or `Load-15`.
    LA_NAMES = column("laNames", &LA_ENTRY, 2, tc(&DISPLAY_STRING), ReadOnly);
    /// The load average as a decimal number.
    LA_LOAD = column("laLoad", &LA_ENTRY, 3, tc(&DISPLAY_STRING), ReadOnly);
    /// The maximum load average; empty if it is not monitored.
    LA_CONFIG = column("laConfig", &LA_ENTRY, 4, tc(&DISPLAY_STRING), ReadOnly);
    /// The load average multiplied by 100.
    LA_LOAD_INT = column("laLoadInt", &LA_ENTRY, 5, INTEGER32, ReadOnly);
    /// The load average as an opaque value.
    LA_LOAD_FLOAT = column("laLoadFloat", &LA_ENTRY, 6, tc(&FLOAT), ReadOnly);
    /// The flag error(1) if the load average is above the maximum.
    LA_ERROR_FLAG = column("laErrorFlag", &LA_ENTRY, 100, tc(&UCD_ERROR_FLAG), ReadOnly);
    /// The error message about the load average; empty if there is no error.
    LA_ERR_MESSAGE = column("laErrMessage", &LA_ENTRY, 101, tc(&DISPLAY_STRING), ReadOnly);

    /// Statistics of the system. Processor times are in hundredths of a second, for all processors
    /// together.
    SYSTEM_STATS = node("systemStats", &UCDAVIS, 11);
    /// The index of the statistics, which is always 1.
    SS_INDEX = scalar("ssIndex", &SYSTEM_STATS, 1, INTEGER32, ReadOnly);
    /// The name of the statistics, which is always `systemStats`.
    SS_ERROR_NAME = scalar("ssErrorName", &SYSTEM_STATS, 2, tc(&DISPLAY_STRING), ReadOnly);
    /// Processor time of user processes.
    SS_CPU_RAW_USER = scalar("ssCpuRawUser", &SYSTEM_STATS, 50, COUNTER32, ReadOnly);
    /// Processor time of processes with lowered priority.
    SS_CPU_RAW_NICE = scalar("ssCpuRawNice", &SYSTEM_STATS, 51, COUNTER32, ReadOnly);
    /// Processor time of the kernel, including interrupts.
    SS_CPU_RAW_SYSTEM = scalar("ssCpuRawSystem", &SYSTEM_STATS, 52, COUNTER32, ReadOnly);
    /// Idle processor time.
    SS_CPU_RAW_IDLE = scalar("ssCpuRawIdle", &SYSTEM_STATS, 53, COUNTER32, ReadOnly);
    /// Idle processor time while waiting for I/O.
    SS_CPU_RAW_WAIT = scalar("ssCpuRawWait", &SYSTEM_STATS, 54, COUNTER32, ReadOnly);
    /// Processor time of the kernel, excluding interrupts.
    SS_CPU_RAW_KERNEL = scalar("ssCpuRawKernel", &SYSTEM_STATS, 55, COUNTER32, ReadOnly);
    /// Processor time of hardware interrupts.
    SS_CPU_RAW_INTERRUPT = scalar("ssCpuRawInterrupt", &SYSTEM_STATS, 56, COUNTER32, ReadOnly);
    /// The number of interrupts served.
    SS_RAW_INTERRUPTS = scalar("ssRawInterrupts", &SYSTEM_STATS, 59, COUNTER32, ReadOnly);
    /// The number of context switches.
    SS_RAW_CONTEXTS = scalar("ssRawContexts", &SYSTEM_STATS, 60, COUNTER32, ReadOnly);
    /// Processor time of soft interrupts.
    SS_CPU_RAW_SOFT_IRQ = scalar("ssCpuRawSoftIRQ", &SYSTEM_STATS, 61, COUNTER32, ReadOnly);
    /// Processor time stolen by other virtual machines.
    SS_CPU_RAW_STEAL = scalar("ssCpuRawSteal", &SYSTEM_STATS, 64, COUNTER32, ReadOnly);
    /// The number of processors.
    SS_CPU_NUM_CPUS = scalar("ssCpuNumCpus", &SYSTEM_STATS, 67, INTEGER32, ReadOnly);
}
