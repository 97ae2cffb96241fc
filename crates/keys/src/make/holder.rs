//! `portreeve keys host` and `user`: creates keys and certificates in a directory that can be
//! copied to the owner.

use std::time::SystemTime;

use portreeve_pki::{Holder, HolderRole, PkiError, Validity, encode_ssh_key, new_ssh_key, self_signed};

use super::{default_days, describe, signers, validity};
use crate::{
    CommandError, Report,
    arguments::Args,
    files::{self, FileBatch},
    folder::{CA, CA_LIST, CERTIFICATE, HolderFolder, KEY, KeyFolder, SSH_CA_PUBLIC, SSH_REVOKED},
    lines, names,
    pass_phrase::LazyPassPhrase,
};

/// Creates the credentials of a host or user.
pub(super) fn make(role: HolderRole, args: &Args) -> Result<Report, CommandError> {
    let now = SystemTime::now();
    let name = names::check_name(role, &args.operand().unwrap_or_default())?;
    let folder = KeyFolder::find(args.folder.as_deref())?;
    let _locked = folder.lock()?;
    let issuance = Issuance {
        folder: &folder,
        holder_folder: folder.holder_folder(role, &name),
        holder: holder(role, &name, args)?,
        valid: validity(args, default_days(role), now),
        self_signed: args.self_signed,
    };
    let (tls, ssh) = signers::available_kinds(&folder, args)?;
    let pass_phrase = args.pass_phrase.for_existing_key();
    let (mut batch, mut notes) = (FileBatch::default(), String::new());
    if tls {
        notes += issuance.x509(&mut batch, &pass_phrase)?;
    }
    if ssh {
        issuance.ssh(&mut batch, &pass_phrase)?;
    }
    let made = batch.paths();
    let kept = batch.write(args.force, now)?;
    Ok(Report {
        data: lines::for_holder(&folder, &issuance.holder_folder, None)?,
        notes: describe(&made, &kept, &issuance.holder_folder.path) + &notes,
        ..Report::default()
    })
}

/// Returns the holder of the certificates, with the names from the command line.
pub(super) fn holder(role: HolderRole, name: &str, args: &Args) -> Result<Holder, CommandError> {
    let own = names::alternative_for(role, name);
    let mut alternative: Vec<_> = own.into_iter().collect();
    alternative
        .extend(args.names.iter().filter(|name| !alternative.contains(name)).cloned().collect::<Vec<_>>());
    let mut principals = vec![name.to_owned()];
    match role {
        HolderRole::Host => {
            principals.extend(alternative.iter().map(names::display_name).filter(|shown| shown != name))
        }
        HolderRole::User => {
            for principal in &args.principals {
                principals.push(names::check_name(role, principal)?);
            }
        }
    }
    Ok(Holder {
        principals,
        source_address: args.source_address.clone(),
        ..Holder::new(role, name).with_names(alternative)
    })
}

struct Issuance<'f> {
    folder: &'f KeyFolder,
    holder_folder: HolderFolder,
    holder: Holder,
    valid: Validity,
    self_signed: bool,
}

impl Issuance<'_> {
    /// Creates a certificate, its key, and copies of the authority's files. Returns a note, or an
    /// empty string.
    fn x509(
        &self,
        batch: &mut FileBatch,
        pass_phrase: &LazyPassPhrase<'_>,
    ) -> Result<&'static str, CommandError> {
        let Self { folder, holder_folder, holder, valid, .. } = self;
        let authority = if self.self_signed { None } else { Some(signers::x509(folder, pass_phrase)?) };
        let issued = match &authority {
            None => self_signed(holder, *valid),
            Some(authority) => authority.issue(holder, *valid),
        };
        let issued = issued.map_err(|problem| self.failed(&problem))?;
        batch.public(holder_folder.file(CERTIFICATE), issued.certificate);
        batch.private(holder_folder.file(KEY), issued.key);
        let Some(authority) = authority else { return Ok("") };
        batch.public(holder_folder.file(CA), authority.pem());
        if holder.role == HolderRole::Host {
            batch.public(holder_folder.file(CA_LIST), files::read_text(&folder.file(CA_LIST))?);
        }
        Ok(if authority.until() < valid.until { AUTHORITY_EXPIRES_FIRST } else { "" })
    }

    /// Creates an SSH key and a certificate for it.
    fn ssh(&self, batch: &mut FileBatch, pass_phrase: &LazyPassPhrase<'_>) -> Result<(), CommandError> {
        let Self { folder, holder_folder, holder, valid, .. } = self;
        let failed = |problem: PkiError| self.failed(&problem);
        let key = new_ssh_key(&holder.name).map_err(failed)?;
        let public = key.public_key().to_openssh().map_err(|error| failed(error.into()))?;
        batch.private(
            holder_folder.file(holder_folder.ssh_key()),
            encode_ssh_key(&key, None).map_err(failed)?,
        );
        batch.public(holder_folder.file(&format!("{}.pub", holder_folder.ssh_key())), public + "\n");
        if self.self_signed {
            return Ok(());
        }
        let authority = signers::ssh(folder, pass_phrase)?;
        let certificate = authority.certify(key.public_key(), holder, *valid).map_err(failed)?;
        let text = certificate.to_openssh().map_err(|error| failed(error.into()))?;
        batch.public(holder_folder.file(&format!("{}-cert.pub", holder_folder.ssh_key())), text + "\n");
        if holder.role == HolderRole::Host {
            for name in [SSH_CA_PUBLIC, SSH_REVOKED] {
                batch.public(holder_folder.file(name), files::read(&folder.file(name))?.expose());
            }
        }
        Ok(())
    }

    fn failed(&self, problem: &PkiError) -> CommandError {
        CommandError::problem(&self.holder_folder.path, problem)
    }
}

const AUTHORITY_EXPIRES_FIRST: &str = "note: the certificate expires with its authority\n";
