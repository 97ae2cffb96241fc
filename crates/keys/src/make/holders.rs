//! `portreeve keys host` and `user`: keys and certificates, in a folder that is handed over as it is.

use std::time::SystemTime;

use portreeve_pki::{Holder, Problem, Role, Validity, new_ssh_key, seal_ssh_key, self_signed};

use super::{signers, tell, usual_days, validity};
use crate::{
    Failure, Report,
    arguments::Given,
    files::{self, Batch},
    folder::{CA, CA_LIST, CERTIFICATE, Folder, Holding, KEY, SSH_CA_PUBLIC, SSH_REVOKED},
    lines, names,
    pass_phrase::Asked,
};

/// Makes what a host or user needs.
pub(super) fn make(role: Role, given: &Given) -> Result<Report, Failure> {
    let now = SystemTime::now();
    let name = names::holder(role, &given.operand().unwrap_or_default())?;
    let folder = Folder::find(given.folder.as_deref())?;
    let _locked = folder.lock()?;
    let making = Making {
        folder: &folder,
        holding: folder.holding(role, &name),
        holder: holder(role, &name, given)?,
        valid: validity(given, usual_days(role), now),
        self_signed: given.self_signed,
    };
    let (tls, ssh) = signers::wanted(&folder, given)?;
    let pass_phrase = given.pass_phrase.of_existing();
    let (mut batch, mut notes) = (Batch::default(), String::new());
    if tls {
        notes += making.x509(&mut batch, &pass_phrase)?;
    }
    if ssh {
        making.ssh(&mut batch, &pass_phrase)?;
    }
    let made = batch.paths();
    let kept = batch.write(given.force, now)?;
    Ok(Report {
        data: lines::of_holding(&folder, &making.holding, None)?,
        notes: tell(&made, &kept, &making.holding.path) + &notes,
        ..Report::default()
    })
}

/// Whom a certificate shall name, by what was typed.
pub(super) fn holder(role: Role, name: &str, given: &Given) -> Result<Holder, Failure> {
    let own = names::of_holder(role, name);
    let mut alternative: Vec<_> = own.into_iter().collect();
    alternative
        .extend(given.names.iter().filter(|name| !alternative.contains(name)).cloned().collect::<Vec<_>>());
    let mut principals = vec![name.to_owned()];
    match role {
        Role::Host => principals.extend(alternative.iter().map(names::shown).filter(|shown| shown != name)),
        Role::User => {
            for principal in &given.principals {
                principals.push(names::holder(role, principal)?);
            }
        }
    }
    Ok(Holder {
        principals,
        source_address: given.source_address.clone(),
        ..Holder::new(role, name).with_names(alternative)
    })
}

struct Making<'f> {
    folder: &'f Folder,
    holding: Holding,
    holder: Holder,
    valid: Validity,
    self_signed: bool,
}

impl Making<'_> {
    /// A certificate, its key, and what the holder must know of the authority. Returns what is worth a remark.
    fn x509(&self, batch: &mut Batch, pass_phrase: &Asked<'_>) -> Result<&'static str, Failure> {
        let Self { folder, holding, holder, valid, .. } = self;
        let authority = if self.self_signed { None } else { Some(signers::x509(folder, pass_phrase)?) };
        let issued = match &authority {
            None => self_signed(holder, *valid),
            Some(authority) => authority.issue(holder, *valid),
        };
        let issued = issued.map_err(|problem| self.failed(&problem))?;
        batch.public(holding.file(CERTIFICATE), issued.certificate);
        batch.private(holding.file(KEY), issued.key);
        let Some(authority) = authority else { return Ok("") };
        batch.public(holding.file(CA), authority.pem());
        if holder.role == Role::Host {
            batch.public(holding.file(CA_LIST), files::read_text(&folder.file(CA_LIST))?);
        }
        Ok(if authority.until() < valid.until { ENDS_EARLIER } else { "" })
    }

    /// An SSH key, and a certificate for it.
    fn ssh(&self, batch: &mut Batch, pass_phrase: &Asked<'_>) -> Result<(), Failure> {
        let Self { folder, holding, holder, valid, .. } = self;
        let failed = |problem: Problem| self.failed(&problem);
        let key = new_ssh_key(&holder.name).map_err(failed)?;
        let public = key.public_key().to_openssh().map_err(|error| failed(error.into()))?;
        batch.private(holding.file(holding.ssh_key()), seal_ssh_key(&key, None).map_err(failed)?);
        batch.public(holding.file(&format!("{}.pub", holding.ssh_key())), public + "\n");
        if self.self_signed {
            return Ok(());
        }
        let authority = signers::ssh(folder, pass_phrase)?;
        let certificate = authority.certify(key.public_key(), holder, *valid).map_err(failed)?;
        let text = certificate.to_openssh().map_err(|error| failed(error.into()))?;
        batch.public(holding.file(&format!("{}-cert.pub", holding.ssh_key())), text + "\n");
        if holder.role == Role::Host {
            for name in [SSH_CA_PUBLIC, SSH_REVOKED] {
                batch.public(holding.file(name), files::read(&folder.file(name))?.expose());
            }
        }
        Ok(())
    }

    fn failed(&self, problem: &Problem) -> Failure {
        Failure::problem(&self.holding.path, problem)
    }
}

const ENDS_EARLIER: &str = "note: the certificate ends with its authority\n";
