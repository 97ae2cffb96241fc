//! A notification on its way to its targets.

use std::sync::Arc;

use portreeve_mib::{
    Object,
    modules::snmpv2_mib::{AUTHENTICATION_FAILURE, SNMP_TRAP_OID, SYS_UP_TIME},
};
use portreeve_smi::{OidRef, Value};
use portreeve_snmp_manager::{Operation, Request};
use portreeve_snmp_message::VarBinds;

/// The context and the variables of a notification, which begin with sysUpTime.0 and snmpTrapOID.0.
/// Clones share the data.
#[derive(Clone, Debug)]
pub struct OutgoingNotification {
    pub(crate) context_name: Arc<[u8]>,
    pub(crate) request: Request,
}

impl OutgoingNotification {
    /// Creates a notification in the default context. `up_time` is in hundredths of a second.
    pub fn new(trap_oid: &[u32], up_time: u32) -> Self {
        let mut request = Request::new(Operation::Inform);
        request.push(&instance(&SYS_UP_TIME, 0), Value::TimeTicks(up_time));
        request.push(&instance(&SNMP_TRAP_OID, 0), Value::ObjectId(OidRef::Arcs(trap_oid)));
        Self { context_name: Arc::default(), request }
    }

    /// Creates a notification of another program, whose variables begin with snmpTrapOID.0.
    pub fn submitted(context_name: &[u8], up_time: u32, var_binds: VarBinds<'_>) -> Self {
        let mut request = Request::new(Operation::Inform);
        request.push(&instance(&SYS_UP_TIME, 0), Value::TimeTicks(up_time));
        push_all(&mut request, var_binds);
        Self { context_name: context_name.into(), request }
    }

    /// Creates a notification from all of its variables.
    pub(crate) fn from_var_binds(context_name: &[u8], var_binds: VarBinds<'_>) -> Self {
        let mut request = Request::new(Operation::Inform);
        push_all(&mut request, var_binds);
        Self { context_name: context_name.into(), request }
    }

    /// Appends an instance of an object.
    #[must_use]
    pub fn with(self, object: &Object, index: u32, value: Value<'_>) -> Self {
        self.with_index(object, &[index], value)
    }

    /// Appends an instance of a column whose index has several arcs.
    #[must_use]
    pub(crate) fn with_index(mut self, column: &Object, index: &[u32], value: Value<'_>) -> Self {
        self.request.push(&[column.arcs(), index].concat(), value);
        self
    }

    pub(crate) fn var_binds(&self) -> VarBinds<'_> {
        self.request.variables()
    }

    /// Returns true for authenticationFailure, which a peer can cause without authentication.
    pub(crate) fn is_authentication_failure(&self) -> bool {
        let trap_oid = self.var_binds().iter().nth(1).map(|bind| bind.value);
        trap_oid == Some(Value::ObjectId(OidRef::Arcs(AUTHENTICATION_FAILURE.arcs())))
    }

    /// Returns the memory that the notification needs in a queue, by which queues are limited.
    pub(crate) fn octets(&self) -> usize {
        self.var_binds().encoded().len() + self.context_name.len() + ENTRY_SIZE
    }
}

fn push_all(request: &mut Request, var_binds: VarBinds<'_>) {
    for bind in var_binds.iter() {
        request.push(&bind.name.to_buf(), bind.value);
    }
}

fn instance(object: &Object, index: u32) -> Vec<u32> {
    [object.arcs(), &[index]].concat()
}

/// The memory of an entry of a queue besides its variables and context, about.
const ENTRY_SIZE: usize = 200;
