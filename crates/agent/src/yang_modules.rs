//! The YANG modules that the agent serves, and their meaning.

use std::{collections::BTreeSet, path::PathBuf, sync::Arc};

use portreeve_config::Config;
use portreeve_datastore::Model;
use portreeve_mib::{Instrumentation, Object, ServedObjects};
use portreeve_mib_yang::{Problems, YangObjects};
use portreeve_smi::{EngineId, Timestamp};
use portreeve_snmp_engine::{LocalEngine, statistics::Statistics};
use portreeve_transport::Clock;
use portreeve_yang::Schema;

use crate::{
    handler_factory::standard_modules,
    host_collectors::HostCollectors,
    schema_file::{self, LoadedSchema, SchemaFileError},
};

/// Returns the model of the modules that the configuration requires: those of the agent if it
/// offers NETCONF, and those of the operator. `None` if it requires no modules. May run the
/// compiler, which takes time.
///
/// # Errors
/// The modules are not available, so that the agent cannot offer NETCONF.
pub(crate) fn load(config: &Config) -> Result<Option<Arc<Model>>, SchemaFileError> {
    if config.netconf.is_none() && config.yang.modules.is_empty() {
        return Ok(None);
    }
    let LoadedSchema { schema, file, failure, not_kept } =
        schema_file::load(&paths(config), &config.agent.state_dir)?;
    if let Some(failure) = failure {
        tracing::error!(
            file = %file.display(),
            "the YANG modules of the configuration cannot be used; those of the last start are served:\n{failure}"
        );
    }
    if let Some(error) = not_kept {
        tracing::warn!(%error, "the compiled YANG modules are not kept for the next start");
    }
    Ok(Some(model(Arc::new(schema))))
}

/// Returns the schema that [`load`] would use, and writes no file.
///
/// # Errors
/// A module of the operator cannot be compiled or served, or no schema is installed.
pub(crate) fn check(config: &Config) -> Result<Option<Arc<Schema>>, SchemaFileError> {
    if config.netconf.is_none() && config.yang.modules.is_empty() {
        return Ok(None);
    }
    schema_file::check(&paths(config)).map(|schema| Some(Arc::new(schema)))
}

/// Checks that SNMP can serve a schema, and returns one line for each node that it cannot show.
///
/// # Errors
/// An object identifier is invalid or used twice.
pub(crate) fn check_objects(schema: &Arc<Schema>) -> Result<Vec<String>, Problems> {
    let local = LocalEngine {
        engine_id: EngineId::LOCAL,
        boots: None,
        started: Timestamp::ZERO,
        max_message_size: 484,
    };
    let collectors = HostCollectors::start(Clock::start(), |_| ());
    let others = standard_modules(local, &Statistics::new(1), collectors.modules());
    let others = ServedObjects::new(others).expect("definitions do not overlap; a test serves them all");
    YangObjects::new(Arc::clone(schema), &others)?;
    let unserved = portreeve_mib_yang::unserved(schema);
    Ok(unserved
        .into_iter()
        .map(|node| format!("{}: not shown by SNMP: {}", node.path, node.reason))
        .collect())
}

/// Returns the nodes that SNMP can change, of the schema that [`load`] would use; none if the
/// modules cannot be used, which [`check`] reports. The definitions are never freed.
pub(crate) fn settable_objects(config: &Config) -> Vec<&'static Object> {
    let Ok(Some(schema)) = check(config) else { return Vec::new() };
    let no_others = ServedObjects::new(Vec::new()).expect("no definitions cannot overlap");
    let Ok(objects) = YangObjects::new(schema, &no_others) else { return Vec::new() };
    objects.objects().into_iter().filter(|object| object.max_access().is_writable()).collect()
}

/// Returns the names of the recovery users.
pub(crate) fn recovery_users(config: &Config) -> BTreeSet<Arc<str>> {
    config.netconf.iter().flat_map(|netconf| &netconf.recovery).map(|name| Arc::from(&**name)).collect()
}

/// Returns the nodes of the modules that SNMP shows, as objects beside `others`; `None` if there
/// are none. The definitions are never freed.
///
/// # Errors
/// An object identifier is invalid or used twice.
pub(crate) fn objects(
    model: &Model,
    others: Vec<Box<dyn Instrumentation>>,
) -> Result<Option<YangObjects>, Problems> {
    if model.schema().modules().len() == 0 {
        return Ok(None);
    }
    let others = ServedObjects::new(others).expect("definitions do not overlap; a test serves them all");
    YangObjects::new(Arc::clone(model.schema()), &others).map(Some)
}

fn paths(config: &Config) -> Vec<PathBuf> {
    config.yang.modules.iter().map(|module| module.path.clone()).collect()
}

/// Returns the meaning of data of a schema, with the values that are also in the tables of SNMP.
fn model(schema: Arc<Schema>) -> Arc<Model> {
    let links = portreeve_mib_yang::links(&schema);
    Arc::new(Model::new(schema, links))
}
