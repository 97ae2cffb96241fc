//! What counts no more, by the lists of a folder.

mod ssh;

use std::collections::BTreeSet;

use portreeve_pki::revoked_in;

use crate::{
    Failure, files,
    folder::{CA, CA_LIST, Folder, SSH_REVOKED},
    show::{self, Item},
};

pub(crate) use ssh::{SshList, Void};

/// Both lists.
#[derive(Debug, Default)]
pub(crate) struct Revocations {
    serials: BTreeSet<Vec<u8>>,
    ssh: Option<SshList>,
}

impl Revocations {
    /// Reads those that are there.
    pub(crate) fn load(folder: &Folder) -> Result<Self, Failure> {
        let mut known = Self::default();
        if folder.has(CA_LIST) {
            let path = folder.file(CA_LIST);
            let (revoked, _) =
                revoked_in(&files::read_text(&path)?).map_err(|problem| Failure::problem(&path, &problem))?;
            known.serials.extend(revoked.into_iter().map(|revoked| revoked.serial));
        }
        if folder.has(SSH_REVOKED) {
            known.ssh = Some(SshList::load(&folder.file(SSH_REVOKED))?);
        }
        Ok(known)
    }

    /// Whether a list has it.
    pub(crate) fn have(&self, item: &Item) -> bool {
        if item.kind.is_ssh() {
            return self.ssh.as_ref().is_some_and(|list| list.has(item));
        }
        item.kind.is_certificate() && self.serials.contains(&item.serial)
    }

    /// Whether the folder's authority of X.509 has signed it.
    pub(crate) fn is_ours(&self, folder: &Folder, item: &Item) -> Result<bool, Failure> {
        if !folder.has(CA) {
            return Ok(false);
        }
        let authority = show::items(&folder.file(CA))?;
        Ok(authority.first().is_some_and(|authority| {
            authority.subject == item.issuer && authority.subject_key == item.authority_key
        }))
    }
}
