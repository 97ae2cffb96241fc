//! The requirements of experiments, which are checked before the preparation.

use std::fmt;
use std::path::Path;

use super::{Context, Skipped};
use crate::process::{is_installed, sibling};

/// A requirement of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(dead_code, reason = "part of the interface of experiments")]
pub(crate) enum Need {
    /// Network namespaces, which need root.
    Namespaces,
    /// A program of this project, built beside the lab.
    Ours(&'static str),
    /// A program of others, with the Debian package that contains it.
    Program(&'static str, &'static str),
    /// A file of the kernel, with the name of the feature.
    Kernel(&'static str, &'static str),
}

impl Need {
    /// Checks the requirement. Our own agent is not needed to measure the user's device.
    pub(super) fn check(self, context: &Context) -> Result<(), Skipped> {
        match self {
            Self::Namespaces => context.require_namespaces(),
            Self::Ours("portreeved") if context.device().is_some() => Ok(()),
            Self::Ours(program) => Ok(sibling(program).map(drop)?),
            Self::Program(program, package) if !is_installed(program) => {
                Err(Skipped(format!("{program} is not installed (Debian: {package})")))
            }
            Self::Kernel(file, feature) if !Path::new(file).exists() => {
                Err(Skipped(format!("the kernel has no {feature} ({file} does not exist)")))
            }
            Self::Program(..) | Self::Kernel(..) => Ok(()),
        }
    }
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Namespaces => f.write_str("root"),
            Self::Ours(program) | Self::Program(program, _) => f.write_str(program),
            Self::Kernel(_, feature) => f.write_str(feature),
        }
    }
}
