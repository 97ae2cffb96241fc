//! Flags of `doctor` only.

use super::{Apply, Extensions, Flag, Long};
use crate::{output::record::DataFormat, verb::Verb};

pub(super) static FLAGS: &[Flag] = &[Flag {
    name: Long("json"),
    value: None,
    group: Extensions,
    verbs: &[Verb::Doctor],
    help: "print one JSON object with every step, its facts, and the verdict",
    action: Apply(|settings, _| {
        settings.data_format = DataFormat::Json;
        Ok(())
    }),
}];
