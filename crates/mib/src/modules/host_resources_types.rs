//! Types of storage and devices (HOST-RESOURCES-TYPES, RFC 2790).

use super::host_resources_mib::{HR_DEVICE_TYPES, HR_MIB_ADMIN_INFO, HR_STORAGE_TYPES};
use crate::{Module, define::*};

/// Definitions of HOST-RESOURCES-TYPES.
pub static MODULE: Module = Module {
    name: "HOST-RESOURCES-TYPES",
    last_updated: "200003060000Z",
    reference: "RFC 2790",
    description: "Types of storage and devices.",
    conventions: &[],
    objects: OBJECTS,
};

objects! {
    /// Types of storage and devices.
    HOST_RESOURCES_TYPES_MODULE = module_identity("hostResourcesTypesModule", &HR_MIB_ADMIN_INFO, 4);
    /// Storage of any other type.
    HR_STORAGE_OTHER = identity("hrStorageOther", &HR_STORAGE_TYPES, 1);
    /// Main memory.
    HR_STORAGE_RAM = identity("hrStorageRam", &HR_STORAGE_TYPES, 2);
    /// Virtual memory, such as swap space.
    HR_STORAGE_VIRTUAL_MEMORY = identity("hrStorageVirtualMemory", &HR_STORAGE_TYPES, 3);
    /// A fixed disk.
    HR_STORAGE_FIXED_DISK = identity("hrStorageFixedDisk", &HR_STORAGE_TYPES, 4);
    /// A removable disk.
    HR_STORAGE_REMOVABLE_DISK = identity("hrStorageRemovableDisk", &HR_STORAGE_TYPES, 5);
    /// A floppy disk.
    HR_STORAGE_FLOPPY_DISK = identity("hrStorageFloppyDisk", &HR_STORAGE_TYPES, 6);
    /// A compact disc.
    HR_STORAGE_COMPACT_DISC = identity("hrStorageCompactDisc", &HR_STORAGE_TYPES, 7);
    /// A file system in memory.
    HR_STORAGE_RAM_DISK = identity("hrStorageRamDisk", &HR_STORAGE_TYPES, 8);
    /// Flash memory.
    HR_STORAGE_FLASH_MEMORY = identity("hrStorageFlashMemory", &HR_STORAGE_TYPES, 9);
    /// A network file system.
    HR_STORAGE_NETWORK_DISK = identity("hrStorageNetworkDisk", &HR_STORAGE_TYPES, 10);

    /// A device of any other type.
    HR_DEVICE_OTHER = identity("hrDeviceOther", &HR_DEVICE_TYPES, 1);
    /// A device of unknown type.
    HR_DEVICE_UNKNOWN = identity("hrDeviceUnknown", &HR_DEVICE_TYPES, 2);
    /// A processor.
    HR_DEVICE_PROCESSOR = identity("hrDeviceProcessor", &HR_DEVICE_TYPES, 3);
    /// A network interface.
    HR_DEVICE_NETWORK = identity("hrDeviceNetwork", &HR_DEVICE_TYPES, 4);
    /// A printer.
    HR_DEVICE_PRINTER = identity("hrDevicePrinter", &HR_DEVICE_TYPES, 5);
    /// A disk.
    HR_DEVICE_DISK_STORAGE = identity("hrDeviceDiskStorage", &HR_DEVICE_TYPES, 6);
}
