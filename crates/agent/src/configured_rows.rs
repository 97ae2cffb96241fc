//! The rows of the configuration file, completed with data of this machine.

use portreeve_config::Config;
use portreeve_lcd::{Assembled, Tables, TextScalar};
use portreeve_mib_host::{sys_descr, sys_name};
use portreeve_smi::EngineId;

/// Returns the rows of the file, with sysDescr and sysName of this machine as defaults.
pub(crate) fn tables(config: &Config, engine_id: EngineId) -> Tables {
    let mut tables = config.tables(engine_id);
    let scalars = &mut tables.scalars;
    if config.system.descr.is_none() {
        scalars.sys_descr = sys_descr().into_bytes().into();
    }
    if config.system.name.is_none() {
        scalars.sys_name = TextScalar { value: sys_name().into_bytes().into(), ..TextScalar::default() };
    }
    tables
}

/// Logs rows made by SET that the file hides, and rows that could not be read.
pub(crate) fn log_problems(assembled: &Assembled) {
    for key in &assembled.clashes {
        tracing::warn!(key, "the configuration file hides a row made by SET");
    }
    for key in &assembled.unreadable {
        tracing::error!(key, "a row in the state directory is malformed and is ignored");
    }
}
