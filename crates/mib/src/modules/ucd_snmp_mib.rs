//! Memory, disks, load and processor time as Net-SNMP's agent shows them (UCD-SNMP-MIB): what is still asked for of
//! it. The module states no conformance, so there are no groups here.

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
    /// A number of single precision, wrapped as an opaque value.
    FLOAT = convention("Float", OPAQUE.limited(&[(7, 7)]));
    /// Whether something is wrong.
    UCD_ERROR_FLAG = convention("UCDErrorFlag", enumeration(&[("noError", 0), ("error", 1)]));
}

objects! {
    /// Memory, disks, load and processor time.
    UCDAVIS = module_identity("ucdavis", &ENTERPRISES, 2021);

    /// Memory, all of it in kibibytes.
    MEMORY = node("memory", &UCDAVIS, 4);
    /// Always 0.
    MEM_INDEX = scalar("memIndex", &MEMORY, 1, INTEGER32, ReadOnly);
    /// Always `swap`.
    MEM_ERROR_NAME = scalar("memErrorName", &MEMORY, 2, tc(&DISPLAY_STRING), ReadOnly);
    /// All swap space.
    MEM_TOTAL_SWAP = scalar("memTotalSwap", &MEMORY, 3, INTEGER32, ReadOnly).units("kB");
    /// Free swap space.
    MEM_AVAIL_SWAP = scalar("memAvailSwap", &MEMORY, 4, INTEGER32, ReadOnly).units("kB");
    /// All main memory.
    MEM_TOTAL_REAL = scalar("memTotalReal", &MEMORY, 5, INTEGER32, ReadOnly).units("kB");
    /// Main memory that nothing uses.
    MEM_AVAIL_REAL = scalar("memAvailReal", &MEMORY, 6, INTEGER32, ReadOnly).units("kB");
    /// Free memory and free swap space together.
    MEM_TOTAL_FREE = scalar("memTotalFree", &MEMORY, 11, INTEGER32, ReadOnly).units("kB");
    /// Memory that processes share.
    MEM_SHARED = scalar("memShared", &MEMORY, 13, INTEGER32, ReadOnly).units("kB");
    /// Memory that buffers blocks of devices.
    MEM_BUFFER = scalar("memBuffer", &MEMORY, 14, INTEGER32, ReadOnly).units("kB");
    /// Memory that caches files.
    MEM_CACHED = scalar("memCached", &MEMORY, 15, INTEGER32, ReadOnly).units("kB");

    /// File systems.
    DSK_TABLE = table("dskTable", &UCDAVIS, 9);
    /// One file system.
    DSK_ENTRY = row("dskEntry", &DSK_TABLE, Index::Objects(&[&DSK_INDEX]));
    /// The file system's number.
    DSK_INDEX = column("dskIndex", &DSK_ENTRY, 1, INTEGER32.limited(&[(0, 65535)]), ReadOnly);
    /// Where it is mounted.
    DSK_PATH = column("dskPath", &DSK_ENTRY, 2, tc(&DISPLAY_STRING), ReadOnly);
    /// The device it lies on.
    DSK_DEVICE = column("dskDevice", &DSK_ENTRY, 3, tc(&DISPLAY_STRING), ReadOnly);
    /// The free space below which there is an error, in kibibytes; -1 for none.
    DSK_MINIMUM = column("dskMinimum", &DSK_ENTRY, 4, INTEGER32, ReadOnly);
    /// The free space below which there is an error, in percent; -1 for none.
    DSK_MIN_PERCENT = column("dskMinPercent", &DSK_ENTRY, 5, INTEGER32, ReadOnly);
    /// Its size in kibibytes; 2147483647 where it is more, which dskTotalHigh and dskTotalLow then say.
    DSK_TOTAL = column("dskTotal", &DSK_ENTRY, 6, INTEGER32, ReadOnly);
    /// What anybody may still write, in kibibytes, bounded as dskTotal.
    DSK_AVAIL = column("dskAvail", &DSK_ENTRY, 7, INTEGER32, ReadOnly);
    /// What is in use, in kibibytes, bounded as dskTotal.
    DSK_USED = column("dskUsed", &DSK_ENTRY, 8, INTEGER32, ReadOnly);
    /// The percentage in use.
    DSK_PERCENT = column("dskPercent", &DSK_ENTRY, 9, INTEGER32, ReadOnly);
    /// The percentage of inodes in use.
    DSK_PERCENT_NODE = column("dskPercentNode", &DSK_ENTRY, 10, INTEGER32, ReadOnly);
    /// The low half of the size in kibibytes.
    DSK_TOTAL_LOW = column("dskTotalLow", &DSK_ENTRY, 11, UNSIGNED32, ReadOnly);
    /// The high half of the size in kibibytes.
    DSK_TOTAL_HIGH = column("dskTotalHigh", &DSK_ENTRY, 12, UNSIGNED32, ReadOnly);
    /// The low half of what anybody may still write.
    DSK_AVAIL_LOW = column("dskAvailLow", &DSK_ENTRY, 13, UNSIGNED32, ReadOnly);
    /// The high half of what anybody may still write.
    DSK_AVAIL_HIGH = column("dskAvailHigh", &DSK_ENTRY, 14, UNSIGNED32, ReadOnly);
    /// The low half of what is in use.
    DSK_USED_LOW = column("dskUsedLow", &DSK_ENTRY, 15, UNSIGNED32, ReadOnly);
    /// The high half of what is in use.
    DSK_USED_HIGH = column("dskUsedHigh", &DSK_ENTRY, 16, UNSIGNED32, ReadOnly);
    /// Whether less is free than should be.
    DSK_ERROR_FLAG = column("dskErrorFlag", &DSK_ENTRY, 100, tc(&UCD_ERROR_FLAG), ReadOnly);
    /// What is wrong; empty without an error.
    DSK_ERROR_MSG = column("dskErrorMsg", &DSK_ENTRY, 101, tc(&DISPLAY_STRING), ReadOnly);

    /// How many processes wanted to run, on average.
    LA_TABLE = table("laTable", &UCDAVIS, 10);
    /// The average over 1, 5 or 15 minutes.
    LA_ENTRY = row("laEntry", &LA_TABLE, Index::Objects(&[&LA_INDEX]));
    /// 1 to 3.
    LA_INDEX = column("laIndex", &LA_ENTRY, 1, INTEGER32.limited(&[(0, 3)]), ReadOnly);
    /// `Load-1`, `Load-5` and `Load-15`.
    LA_NAMES = column("laNames", &LA_ENTRY, 2, tc(&DISPLAY_STRING), ReadOnly);
    /// The average, in decimal digits.
    LA_LOAD = column("laLoad", &LA_ENTRY, 3, tc(&DISPLAY_STRING), ReadOnly);
    /// The average above which there is an error; empty for none.
    LA_CONFIG = column("laConfig", &LA_ENTRY, 4, tc(&DISPLAY_STRING), ReadOnly);
    /// The average, times 100.
    LA_LOAD_INT = column("laLoadInt", &LA_ENTRY, 5, INTEGER32, ReadOnly);
    /// The average.
    LA_LOAD_FLOAT = column("laLoadFloat", &LA_ENTRY, 6, tc(&FLOAT), ReadOnly);
    /// Whether the average is too high.
    LA_ERROR_FLAG = column("laErrorFlag", &LA_ENTRY, 100, tc(&UCD_ERROR_FLAG), ReadOnly);
    /// What is wrong; empty without an error.
    LA_ERR_MESSAGE = column("laErrMessage", &LA_ENTRY, 101, tc(&DISPLAY_STRING), ReadOnly);

    /// What the system's processors did, in ticks of a hundredth of a second, of all processors together.
    SYSTEM_STATS = node("systemStats", &UCDAVIS, 11);
    /// Always 1.
    SS_INDEX = scalar("ssIndex", &SYSTEM_STATS, 1, INTEGER32, ReadOnly);
    /// Always `systemStats`.
    SS_ERROR_NAME = scalar("ssErrorName", &SYSTEM_STATS, 2, tc(&DISPLAY_STRING), ReadOnly);
    /// Programs.
    SS_CPU_RAW_USER = scalar("ssCpuRawUser", &SYSTEM_STATS, 50, COUNTER32, ReadOnly);
    /// Programs of lowered priority.
    SS_CPU_RAW_NICE = scalar("ssCpuRawNice", &SYSTEM_STATS, 51, COUNTER32, ReadOnly);
    /// The kernel, interrupts included.
    SS_CPU_RAW_SYSTEM = scalar("ssCpuRawSystem", &SYSTEM_STATS, 52, COUNTER32, ReadOnly);
    /// Nothing.
    SS_CPU_RAW_IDLE = scalar("ssCpuRawIdle", &SYSTEM_STATS, 53, COUNTER32, ReadOnly);
    /// Nothing, while a disk was waited for.
    SS_CPU_RAW_WAIT = scalar("ssCpuRawWait", &SYSTEM_STATS, 54, COUNTER32, ReadOnly);
    /// The kernel, interrupts left out.
    SS_CPU_RAW_KERNEL = scalar("ssCpuRawKernel", &SYSTEM_STATS, 55, COUNTER32, ReadOnly);
    /// Interrupts of devices.
    SS_CPU_RAW_INTERRUPT = scalar("ssCpuRawInterrupt", &SYSTEM_STATS, 56, COUNTER32, ReadOnly);
    /// Interrupts served.
    SS_RAW_INTERRUPTS = scalar("ssRawInterrupts", &SYSTEM_STATS, 59, COUNTER32, ReadOnly);
    /// Switches from one process to another.
    SS_RAW_CONTEXTS = scalar("ssRawContexts", &SYSTEM_STATS, 60, COUNTER32, ReadOnly);
    /// Work that interrupts put off.
    SS_CPU_RAW_SOFT_IRQ = scalar("ssCpuRawSoftIRQ", &SYSTEM_STATS, 61, COUNTER32, ReadOnly);
    /// Nothing, while another virtual machine had the processor.
    SS_CPU_RAW_STEAL = scalar("ssCpuRawSteal", &SYSTEM_STATS, 64, COUNTER32, ReadOnly);
    /// How many processors there are.
    SS_CPU_NUM_CPUS = scalar("ssCpuNumCpus", &SYSTEM_STATS, 67, INTEGER32, ReadOnly);
}
