//! The revocation lists of a directory.

mod ssh;

use std::collections::BTreeSet;

use portreeve_pki::parse_revocation_list;

use crate::{
    CommandError, files,
    folder::{CA, CA_LIST, KeyFolder, SSH_REVOKED},
    show::{self, KeyItem},
};

pub(crate) use ssh::{RevokedSsh, SshRevocationList};

/// The X.509 and the SSH revocation list.
#[derive(Debug, Default)]
pub(crate) struct Revocations {
    serials: BTreeSet<Vec<u8>>,
    ssh: Option<SshRevocationList>,
}

impl Revocations {
    /// Reads the lists that exist.
    pub(crate) fn load(folder: &KeyFolder) -> Result<Self, CommandError> {
        let mut known = Self::default();
        if folder.has(CA_LIST) {
            let path = folder.file(CA_LIST);
            let (revoked, _) = parse_revocation_list(&files::read_text(&path)?)
                .map_err(|problem| CommandError::problem(&path, &problem))?;
            known.serials.extend(revoked.into_iter().map(|revoked| revoked.serial));
        }
        if folder.has(SSH_REVOKED) {
            known.ssh = Some(SshRevocationList::load(&folder.file(SSH_REVOKED))?);
        }
        Ok(known)
    }

    /// Returns true if a list revokes the item.
    pub(crate) fn contains(&self, item: &KeyItem) -> bool {
        if item.kind.is_ssh() {
            return self.ssh.as_ref().is_some_and(|list| list.has(item));
        }
        item.kind.is_certificate() && self.serials.contains(&item.serial)
    }

    /// Returns true if the directory's X.509 authority has signed the item.
    pub(crate) fn is_signed_by_folder(
        &self,
        folder: &KeyFolder,
        item: &KeyItem,
    ) -> Result<bool, CommandError> {
        if !folder.has(CA) {
            return Ok(false);
        }
        let authority = show::items(&folder.file(CA))?;
        Ok(authority.first().is_some_and(|authority| {
            authority.subject == item.issuer && authority.subject_key == item.authority_key
        }))
    }
}
