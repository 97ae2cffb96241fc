//! The raw values of `[ssh]`.

use super::Text;
use crate::{
    problem::TextPosition,
    reader::{Located, Reader},
};

#[derive(Default)]
pub(crate) struct RawSsh {
    /// Position of the section; `None` if the file does not have it.
    pub(crate) position: Option<TextPosition>,
    pub(crate) host_keys: Vec<Located<String>>,
    pub(crate) authorized_keys: Vec<Located<String>>,
    pub(crate) authorities: Text,
    pub(crate) principals: Text,
    pub(crate) revoked: Text,
    pub(crate) password: Option<bool>,
    pub(crate) keyboard_interactive: Option<bool>,
    pub(crate) root_password: Option<bool>,
    pub(crate) check_account: Option<bool>,
    pub(crate) pam_service: Text,
}

impl RawSsh {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        Self {
            position: Some(reader.position),
            host_keys: reader.list("host-keys").unwrap_or_default(),
            authorized_keys: reader.list("authorized-keys").unwrap_or_default(),
            authorities: reader.text("authorities"),
            principals: reader.text("principals"),
            revoked: reader.text("revoked"),
            password: reader.boolean("password"),
            keyboard_interactive: reader.boolean("keyboard-interactive"),
            root_password: reader.boolean("root-password"),
            check_account: reader.boolean("check-account"),
            pam_service: reader.text("pam-service"),
        }
    }
}
