//! The requirements of experiments, which are checked before the preparation.

use std::fmt;

use super::{Context, Skipped};
use crate::process::own_program;

/// A requirement of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Network namespaces, which need root.
    Namespaces,
    /// A program of this project, built beside the lab.
    Ours(&'static str),
}

impl Need {
    /// Checks the requirement. Our own agent is not needed to measure the user's device.
    pub(super) fn check(self, context: &Context) -> Result<(), Skipped> {
        match self {
            Self::Namespaces => context.require_namespaces(),
            Self::Ours("portreeved") if context.device().is_some() => Ok(()),
            Self::Ours(program) => Ok(own_program(program).map(drop)?),
        }
    }
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Namespaces => f.write_str("root"),
            Self::Ours(program) => f.write_str(program),
        }
    }
}
