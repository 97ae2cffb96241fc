//! A scalar whose lookup always fails.

use portreeve_mib::{Instrumentation, Lookup, Object, modules::snmpv2_mib};
use portreeve_smi::OidBuf;

/// The scalar sysServices, whose value cannot be read.
pub(crate) struct FailingScalar;

impl Instrumentation for FailingScalar {
    fn objects(&self) -> Vec<&'static Object> {
        vec![&snmpv2_mib::SYS_SERVICES]
    }

    fn get(&mut self, _: usize, _: &[u32]) -> Lookup<'_> {
        Lookup::Failed
    }

    fn next(&mut self, _: usize, _: &[u32], _: &mut OidBuf) -> Lookup<'_> {
        Lookup::Failed
    }
}
