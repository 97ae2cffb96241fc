//! What counts no more, by the lists of a folder.

use std::collections::BTreeSet;

use portreeve_authority::{revoked_in, ssh_key::PublicKey};

use crate::{
    Failure, files,
    folder::{CA, CA_LIST, Folder, SSH_REVOKED},
    show::{self, Item},
};

/// Both lists.
#[derive(Debug, Default)]
pub(crate) struct Revocations {
    serials: BTreeSet<Vec<u8>>,
    ssh_serials: BTreeSet<u64>,
    /// Fingerprints of SSH keys.
    keys: BTreeSet<String>,
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
            for line in files::read_text(&folder.file(SSH_REVOKED))?.lines() {
                match line.strip_prefix("serial:") {
                    Some(serial) => known.ssh_serials.extend(serial.trim().parse::<u64>().ok()),
                    None => known.keys.extend(
                        PublicKey::from_openssh(line)
                            .ok()
                            .map(|key| key.fingerprint(Default::default()).to_string()),
                    ),
                }
            }
        }
        Ok(known)
    }

    /// Whether a list has it.
    pub(crate) fn have(&self, item: &Item) -> bool {
        if item.kind.is_ssh() {
            let fingerprint = item.fingerprint.as_ref();
            return fingerprint.is_some_and(|fingerprint| self.keys.contains(fingerprint))
                || item.kind.is_certificate() && self.ssh_serials.contains(&item.ssh_serial);
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
