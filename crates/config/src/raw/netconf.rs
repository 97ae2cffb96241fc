//! The raw values of `[netconf]` and `[yang]`.

use super::List;
use crate::{
    problem::TextPosition,
    reader::{Located, Reader},
};

#[derive(Default)]
pub(crate) struct RawNetconf {
    /// Position of the section; `None` if the file does not have it.
    pub(crate) position: Option<TextPosition>,
    pub(crate) recovery: List,
    pub(crate) lock_idle: Option<u32>,
    pub(crate) sessions: Option<u32>,
}

impl RawNetconf {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        Self {
            position: Some(reader.position),
            recovery: reader.list("recovery"),
            lock_idle: reader.number("lock-idle"),
            sessions: reader.number("sessions"),
        }
    }
}

#[derive(Default)]
pub(crate) struct RawYang {
    pub(crate) modules: Vec<Located<String>>,
}

impl RawYang {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        Self { modules: reader.list("modules").unwrap_or_default() }
    }
}
