//! Scalar objects, which are not part of a table.

use std::sync::Arc;

use portreeve_smi::Oid;

use crate::{Name, StorageType};

/// Scalars of SNMPv2-MIB and SNMP-TSM-MIB, and the spin locks of the tables.
#[derive(Clone, PartialEq, Eq)]
pub struct Scalars {
    /// The value of sysDescr.
    pub sys_descr: Name,
    /// The value of sysObjectID; 0.0 if the configuration does not set it.
    pub sys_object_id: Oid,
    /// The value of sysServices, 0 to 127.
    pub sys_services: u8,
    /// The value of sysContact.
    pub sys_contact: TextScalar,
    /// The value of sysName.
    pub sys_name: TextScalar,
    /// The value of sysLocation.
    pub sys_location: TextScalar,
    /// The value of snmpEnableAuthenTraps, which enables authenticationFailure notifications.
    pub enable_authen_traps: BoolScalar,
    /// The value of snmpTsmConfigurationUsePrefix, which adds a prefix to securityNames.
    pub tsm_use_prefix: BoolScalar,
    /// The value of snmpSetSerialNo, the lock for SETs of any object.
    pub set_serial_no: TestAndIncr,
    /// The value of usmUserSpinLock, the lock of usmUserTable.
    pub user_spin_lock: TestAndIncr,
    /// The value of vacmViewSpinLock, the lock of vacmViewTreeFamilyTable.
    pub view_spin_lock: TestAndIncr,
    /// The value of snmpTargetSpinLock, the lock of the target tables.
    pub target_spin_lock: TestAndIncr,
}

impl Default for Scalars {
    fn default() -> Self {
        Self {
            sys_descr: Arc::default(),
            sys_object_id: Oid::new(&[0, 0]).unwrap_or_default(),
            sys_services: APPLICATIONS,
            sys_contact: TextScalar::default(),
            sys_name: TextScalar::default(),
            sys_location: TextScalar::default(),
            enable_authen_traps: BoolScalar::default(),
            tsm_use_prefix: BoolScalar::default(),
            set_serial_no: TestAndIncr::default(),
            user_spin_lock: TestAndIncr::default(),
            view_spin_lock: TestAndIncr::default(),
            target_spin_lock: TestAndIncr::default(),
        }
    }
}

/// A DisplayString of at most 255 octets, and its storage type.
#[derive(Clone, PartialEq, Eq)]
pub struct TextScalar {
    /// The octets of the text.
    pub value: Name,
    /// [`StorageType::ReadOnly`] if the value comes from the configuration file,
    /// [`StorageType::NonVolatile`] if a SET has set it, and [`StorageType::Volatile`] otherwise.
    pub storage: StorageType,
}

impl TextScalar {
    /// Creates a text that comes from the configuration file.
    pub fn read_only(value: impl Into<Name>) -> Self {
        Self { value: value.into(), storage: StorageType::ReadOnly }
    }

    /// Creates a text that a SET has set.
    pub fn set(value: impl Into<Name>) -> Self {
        Self { value: value.into(), storage: StorageType::NonVolatile }
    }

    /// Returns true if a SET may change the text.
    pub fn is_writable(&self) -> bool {
        self.storage != StorageType::ReadOnly
    }
}

impl Default for TextScalar {
    fn default() -> Self {
        Self { value: Arc::default(), storage: StorageType::Volatile }
    }
}

/// A boolean and its storage type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct BoolScalar {
    /// The value of the boolean.
    pub enabled: bool,
    /// [`StorageType::ReadOnly`] if the value comes from the configuration file.
    pub storage: StorageType,
}

impl Default for BoolScalar {
    fn default() -> Self {
        Self { enabled: false, storage: StorageType::NonVolatile }
    }
}

/// A lock by which managers coordinate: a SET succeeds only with the current value, and increments
/// it (RFC 2579 §2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TestAndIncr(i32);

impl TestAndIncr {
    /// Creates a lock with this value. Negative values become 0.
    pub fn new(value: i32) -> Self {
        Self(value.max(0))
    }

    /// Returns the current value, 0 to 2³¹−1.
    pub fn get(self) -> i32 {
        self.0
    }

    /// Returns the lock after a successful SET. The value after 2³¹−1 is 0.
    pub fn incremented(self) -> Self {
        Self(self.0.checked_add(1).unwrap_or(0))
    }
}

/// The sysServices of a host that offers applications: 2^(7-1).
const APPLICATIONS: u8 = 64;
