//! A scalar whose value takes its time.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use portreeve_mib::{Instrumentation, Lookup, LookupToken, Object};
use portreeve_smi::{OidBuf, Value};

/// Answers [`Lookup::Later`] until it is verified that the value is there.
pub(crate) struct DelayedScalar {
    object: &'static Object,
    ready: Arc<AtomicBool>,
}

impl DelayedScalar {
    pub(crate) fn new(object: &'static Object) -> (Self, Arc<AtomicBool>) {
        let ready = Arc::new(AtomicBool::new(false));
        (Self { object, ready: Arc::clone(&ready) }, ready)
    }

    /// What it says meanwhile.
    pub(crate) const TOKEN: LookupToken = LookupToken(5);

    /// What it shows in the end.
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
