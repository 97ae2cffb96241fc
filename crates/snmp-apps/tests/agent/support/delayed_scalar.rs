//! A scalar whose value becomes available later.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use portreeve_mib::{Instrumentation, Lookup, LookupToken, Object};
use portreeve_smi::{OidBuf, Value};

/// A scalar whose lookup returns [`Lookup::Later`] until the test makes the value available.
pub(crate) struct DelayedScalar {
    object: &'static Object,
    ready: Arc<AtomicBool>,
}

impl DelayedScalar {
    pub(crate) fn new(object: &'static Object) -> (Self, Arc<AtomicBool>) {
        let ready = Arc::new(AtomicBool::new(false));
        (Self { object, ready: Arc::clone(&ready) }, ready)
    }

    /// The token of the pending value.
    pub(crate) const TOKEN: LookupToken = LookupToken(5);

    /// The value after it has become available.
    pub(crate) const VALUE: i32 = 72;

    fn value(&self) -> Lookup<'static> {
        if self.ready.load(Ordering::Relaxed) {
            Lookup::Value(Value::Integer(Self::VALUE))
        } else {
            Lookup::Later(Self::TOKEN)
        }
    }
}

impl Instrumentation for DelayedScalar {
    fn objects(&self) -> Vec<&'static Object> {
        vec![self.object]
    }

    fn get(&mut self, _: usize, index: &[u32]) -> Lookup<'_> {
        if index == [0] { self.value() } else { Lookup::Absent }
    }

    fn next(&mut self, _: usize, after: &[u32], name: &mut OidBuf) -> Lookup<'_> {
        if !after.is_empty() {
            return Lookup::Absent;
        }
        name.push(0).unwrap();
        self.value()
    }
}
