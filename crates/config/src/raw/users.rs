//! The raw values of `[weak]`, `[[user]]` and `[[community]]`.

use portreeve_secret::Secret;

use super::{List, Text};
use crate::{
    problem::TextPosition,
    reader::{Located, Reader},
};

#[derive(Default)]
pub(crate) struct RawWeak {
    pub(crate) allow: Vec<Located<String>>,
}

impl RawWeak {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        Self { allow: reader.list("allow").unwrap_or_default() }
    }
}

pub(crate) struct RawUser {
    pub(crate) position: TextPosition,
    pub(crate) name: Text,
    pub(crate) auth: RawKey,
    pub(crate) privacy: RawKey,
    pub(crate) level: Text,
    pub(crate) access: Text,
    pub(crate) view: Text,
    pub(crate) contexts: List,
}

impl RawUser {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        let name = reader.text("name");
        Self {
            position: reader.position,
            name: reader.require("name", name),
            auth: RawKey::read(reader, ["auth", "auth-pass", "auth-pass-file", "auth-key"]),
            privacy: RawKey::read(reader, ["priv", "priv-pass", "priv-pass-file", "priv-key"]),
            level: reader.text("level"),
            access: reader.text("access"),
            view: reader.text("view"),
            contexts: reader.list("contexts"),
        }
    }
}

/// An algorithm and its key. One of three options sets the key.
pub(crate) struct RawKey {
    pub(crate) protocol: Text,
    pub(crate) pass: Option<Located<Secret>>,
    pub(crate) pass_file: Text,
    pub(crate) key: Option<Located<Secret>>,
    /// The key options that are set, in this order and with their positions, even if their values
    /// are invalid.
    pub(crate) given: Vec<(&'static str, TextPosition)>,
}

impl RawKey {
    fn read(reader: &mut Reader<'_, '_>, names: [&'static str; 4]) -> Self {
        let [protocol, pass, pass_file, key] = names;
        Self {
            protocol: reader.text(protocol),
            pass: reader.secret(pass),
            pass_file: reader.text(pass_file),
            key: reader.secret(key),
            given: names.into_iter().filter_map(|name| Some((name, reader.position_of(name)?))).collect(),
        }
    }

    /// Returns true if any option of this key is set, so that a key is required.
    pub(crate) fn is_given(&self) -> bool {
        !self.given.is_empty()
    }
}

pub(crate) struct RawCommunity {
    pub(crate) position: TextPosition,
    pub(crate) name: Option<Located<Secret>>,
    pub(crate) name_file: Text,
    pub(crate) versions: List,
    pub(crate) security_name: Text,
    pub(crate) sources: List,
    pub(crate) context: Text,
    pub(crate) access: Text,
    pub(crate) view: Text,
}

impl RawCommunity {
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Self {
        let name = reader.secret("name");
        let name_file = reader.text("name-file");
        Self {
            position: reader.position,
            name: if name_file.is_none() { reader.require("name", name) } else { name },
            name_file,
            versions: reader.list("versions"),
            security_name: reader.text("security-name"),
            sources: reader.list("sources"),
            context: reader.text("context"),
            access: reader.text("access"),
            view: reader.text("view"),
        }
    }
}
