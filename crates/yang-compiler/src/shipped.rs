//! The modules that the agent serves itself.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use crate::output;

/// A module that the agent serves, and the features of it that are enabled.
pub(crate) struct ShippedModule {
    pub(crate) name: &'static str,
    pub(crate) features: &'static [&'static str],
}

/// The modules that the agent serves. Their files, except our own, are fetched when the project is
/// built.
pub(crate) const SHIPPED: [ShippedModule; 8] = [
    ShippedModule {
        name: "ietf-netconf",
        features: &["writable-running", "candidate", "rollback-on-error", "validate"],
    },
    ShippedModule { name: "ietf-netconf-with-defaults", features: &[] },
    ShippedModule { name: "ietf-netconf-monitoring", features: &[] },
    ShippedModule { name: "ietf-yang-library", features: &[] },
    ShippedModule { name: "ietf-datastores", features: &[] },
    ShippedModule { name: "ietf-yang-smiv2", features: &[] },
    ShippedModule { name: "ietf-system", features: &[] },
    ShippedModule { name: "portreeve-deviations", features: &[] },
];

/// The texts of our own modules.
pub(crate) const OWN_TEXTS: [&str; 1] = [include_str!("../modules/portreeve-deviations.yang")];

/// Returns the directories with the modules that were fetched: that of an installation, and that of
/// a build.
pub(crate) fn directories() -> Vec<PathBuf> {
    let program = env::current_exe().ok();
    let Some(folder) = program.as_deref().and_then(Path::parent) else { return Vec::new() };
    // PREFIX/libexec/portreeve, or target/release and its siblings.
    let beside = ["../../share/portreeve/yang", "../yang-modules", "../../yang-modules"];
    beside
        .into_iter()
        .filter_map(|path| fs::canonicalize(folder.join(path)).ok())
        .filter(|path| path.is_dir())
        .collect()
}

/// Returns the texts of the modules in the schema file beside this program. They replace the
/// directories of the modules, if those do not exist.
pub(crate) fn compiled_texts() -> Vec<Box<str>> {
    let program = env::current_exe().ok();
    let file = program.as_deref().and_then(Path::parent).map(|folder| folder.join("shipped.schema"));
    let schema = file.and_then(|file| output::read(&file).ok());
    let texts = schema.iter().flat_map(|schema| schema.modules()).map(|(_, module)| module.text.clone());
    texts.collect()
}

#[cfg(test)]
pub(crate) mod tests;
