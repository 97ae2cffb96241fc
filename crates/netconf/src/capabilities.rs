//! The capabilities that the server announces (RFC 6241 §8).

use portreeve_netconf_message::hello::{Capability, ModuleCapability, Version};
use portreeve_yang::{Module, Schema, YangVersion};

use crate::state::content_id;

/// Returns the capabilities of a server of this schema.
///
/// The modules of YANG version 1 have a capability each. Those of version 1.1 are in the YANG
/// library only (RFC 7950 §5.6.4).
pub(crate) fn capabilities(schema: &Schema) -> Vec<String> {
    let id = content_id(schema);
    let mut capabilities: Vec<String> = [Version::V1_0.capability(), Version::V1_1.capability()]
        .into_iter()
        .chain(OPERATIONS)
        .map(str::to_owned)
        .collect();
    for (uri, parameters) in [
        (WITH_DEFAULTS, [("basic-mode", "explicit")].as_slice()),
        (YANG_LIBRARY_1_1, &[("revision", "2019-01-04"), ("content-id", &id)]),
        (YANG_LIBRARY_1_0, &[("revision", "2016-06-21"), ("module-set-id", &id)]),
    ] {
        capabilities.push(Capability { uri, parameters }.to_string());
    }
    let modules = schema.modules().map(|(_, module)| module);
    //= rfc7950#5.6.4-p1
    let announced =
        modules.filter(|module| module.is_implemented && module.yang_version == YangVersion::Version1);
    capabilities.extend(announced.map(module_capability));
    capabilities
}

fn module_capability(module: &Module) -> String {
    let features: Vec<&str> = module.features.iter().map(|name| &**name).collect();
    let deviations: Vec<&str> = module.deviations.iter().map(|name| &**name).collect();
    ModuleCapability {
        namespace: &module.namespace,
        name: &module.name,
        revision: Some(&*module.revision).filter(|revision| !revision.is_empty()),
        features: &features,
        deviations: &deviations,
    }
    .to_string()
}

const OPERATIONS: [&str; 5] = [
    "urn:ietf:params:netconf:capability:writable-running:1.0",
    "urn:ietf:params:netconf:capability:candidate:1.0",
    "urn:ietf:params:netconf:capability:rollback-on-error:1.0",
    "urn:ietf:params:netconf:capability:validate:1.0",
    "urn:ietf:params:netconf:capability:validate:1.1",
];
const WITH_DEFAULTS: &str = "urn:ietf:params:netconf:capability:with-defaults:1.0";
const YANG_LIBRARY_1_1: &str = "urn:ietf:params:netconf:capability:yang-library:1.1";
const YANG_LIBRARY_1_0: &str = "urn:ietf:params:netconf:capability:yang-library:1.0";
