//! The scalars of the configuration datastore: their values, and the effect of a SET.

use portreeve_datastore::{Refusal, RefusalKind};
use portreeve_lcd::{BoolScalar, Scalars, StorageType, TestAndIncr, TextScalar};
use portreeve_mib::{
    Object,
    modules::{
        snmpv2_mib::*, target_mib::SNMP_TARGET_SPIN_LOCK, tsm_mib::SNMP_TSM_CONFIGURATION_USE_PREFIX,
        usm_mib::USM_USER_SPIN_LOCK, vacm_mib::VACM_VIEW_SPIN_LOCK,
    },
};
use portreeve_smi::{OidRef, Value};

/// A scalar of the datastore.
pub(crate) struct Scalar {
    pub(crate) object: &'static Object,
    pub(crate) get: for<'a> fn(&'a Scalars) -> Value<'a>,
    change: ScalarChange,
}

impl Scalar {
    /// Checks whether a SET to `value` can succeed; `now` contains the current values.
    pub(crate) fn test(&self, now: &mut Scalars, index: &[u32], value: &Value<'_>) -> Result<(), Refusal> {
        let from_file =
            || Refusal::new(RefusalKind::NotWritable, "the value comes from the configuration file");
        let writable = |storage| match storage {
            StorageType::ReadOnly => Err(from_file()),
            _ => Ok(()),
        };
        if matches!(self.change, ScalarChange::Never) {
            return Err(Refusal::new(RefusalKind::NotWritable, "the object is read-only"));
        }
        self.object.syntax().ok_or(RefusalKind::NotWritable)?.check(value)?;
        if let (ScalarChange::Text(_), Value::OctetString(octets)) = (&self.change, value)
            && std::str::from_utf8(octets).is_err()
        {
            return Err(Refusal::new(RefusalKind::WrongValue, "the text is not UTF-8"));
        }
        if index != [0] {
            return Err(Refusal::new(RefusalKind::NoCreation, "the index of a scalar is 0"));
        }
        match (&self.change, value) {
            (ScalarChange::Text(text), _) => writable(text(now).storage),
            (ScalarChange::Switch(switch), _) => writable(switch(now).storage),
            (ScalarChange::Lock(lock), Value::Integer(number)) if lock(now).get() != *number => {
                Err(Refusal::new(RefusalKind::InconsistentValue, "the lock has another value"))
            }
            _ => Ok(()),
        }
    }

    /// Applies a change that [`Scalar::test`] has accepted.
    pub(crate) fn set(&self, scalars: &mut Scalars, value: &Value<'_>) {
        match (&self.change, value) {
            (ScalarChange::Text(text), Value::OctetString(octets)) => {
                *text(scalars) = TextScalar::set(*octets)
            }
            (ScalarChange::Switch(switch), Value::Integer(number)) => {
                switch(scalars).enabled = *number == ENABLED
            }
            // A lock that occurs twice in one request is incremented only once, because the second
            // value is then outdated.
            (ScalarChange::Lock(lock), Value::Integer(number)) if lock(scalars).get() == *number => {
                let lock = lock(scalars);
                *lock = lock.incremented();
            }
            _ => {}
        }
    }
}

enum ScalarChange {
    Never,
    Text(fn(&mut Scalars) -> &mut TextScalar),
    Lock(fn(&mut Scalars) -> &mut TestAndIncr),
    Switch(fn(&mut Scalars) -> &mut BoolScalar),
}

/// Every scalar of the datastore.
pub(crate) static SCALARS: &[Scalar] = &[
    Scalar {
        object: &SYS_DESCR,
        get: |scalars| Value::OctetString(&scalars.sys_descr),
        change: ScalarChange::Never,
    },
    Scalar {
        object: &SYS_OBJECT_ID,
        get: |scalars| Value::ObjectId(OidRef::Arcs(&scalars.sys_object_id)),
        change: ScalarChange::Never,
    },
    Scalar {
        object: &SYS_CONTACT,
        get: |scalars| Value::OctetString(&scalars.sys_contact.value),
        change: ScalarChange::Text(|scalars| &mut scalars.sys_contact),
    },
    Scalar {
        object: &SYS_NAME,
        get: |scalars| Value::OctetString(&scalars.sys_name.value),
        change: ScalarChange::Text(|scalars| &mut scalars.sys_name),
    },
    Scalar {
        object: &SYS_LOCATION,
        get: |scalars| Value::OctetString(&scalars.sys_location.value),
        change: ScalarChange::Text(|scalars| &mut scalars.sys_location),
    },
    Scalar {
        object: &SYS_SERVICES,
        get: |scalars| Value::Integer(scalars.sys_services.into()),
        change: ScalarChange::Never,
    },
    Scalar {
        object: &SNMP_ENABLE_AUTHEN_TRAPS,
        get: |scalars| bool_value(scalars.enable_authen_traps),
        change: ScalarChange::Switch(|scalars| &mut scalars.enable_authen_traps),
    },
    Scalar {
        object: &SNMP_TSM_CONFIGURATION_USE_PREFIX,
        get: |scalars| bool_value(scalars.tsm_use_prefix),
        change: ScalarChange::Switch(|scalars| &mut scalars.tsm_use_prefix),
    },
    Scalar {
        object: &SNMP_SET_SERIAL_NO,
        get: |scalars| Value::Integer(scalars.set_serial_no.get()),
        change: ScalarChange::Lock(|scalars| &mut scalars.set_serial_no),
    },
    Scalar {
        object: &USM_USER_SPIN_LOCK,
        get: |scalars| Value::Integer(scalars.user_spin_lock.get()),
        change: ScalarChange::Lock(|scalars| &mut scalars.user_spin_lock),
    },
    Scalar {
        object: &VACM_VIEW_SPIN_LOCK,
        get: |scalars| Value::Integer(scalars.view_spin_lock.get()),
        change: ScalarChange::Lock(|scalars| &mut scalars.view_spin_lock),
    },
    Scalar {
        object: &SNMP_TARGET_SPIN_LOCK,
        get: |scalars| Value::Integer(scalars.target_spin_lock.get()),
        change: ScalarChange::Lock(|scalars| &mut scalars.target_spin_lock),
    },
];

/// Returns enabled(1) or disabled(2). The numbers are the same as for true(1) and false(2).
fn bool_value(switch: BoolScalar) -> Value<'static> {
    Value::Integer(if switch.enabled { ENABLED } else { DISABLED })
}

const ENABLED: i32 = 1;
const DISABLED: i32 = 2;
