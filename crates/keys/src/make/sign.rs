//! `portreeve keys sign`: certificates for keys that others have made.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    time::SystemTime,
};

use portreeve_pki::{Role, ssh_key::PublicKey};

use super::{holders, signers, tell, usual_days, validity};
use crate::{Failure, Report, arguments::Given, files, files::Batch, folder::Folder, lines, names};

/// Signs a public SSH key or a certificate request.
pub(crate) fn sign(given: &Given) -> Result<Report, Failure> {
    let now = SystemTime::now();
    let path = PathBuf::from(given.operand().unwrap_or_default());
    let (role, name) = match (&given.user, &given.host) {
        (Some(user), None) => (Role::User, user),
        (None, Some(host)) => (Role::Host, host),
        _ => {
            return Err(Failure::at(&path, "whose key is it? One of --user and --host must say so").cured_by(
                "--user ops for somebody who asks, --host gw.example for an agent; what a request says does not count",
            ));
        }
    };
    let name = names::holder(role, name)?;
    let text = files::read_text(&path)?;
    let holder = holders::holder(role, &name, given)?;
    let folder = Folder::find(given.folder.as_deref())?;
    let valid = validity(given, usual_days(role), now);
    let pass_phrase = given.pass_phrase.of_existing();
    let failed = |problem| Failure::problem(&path, &problem);
    let (certificate, usual) = if text.contains("-----BEGIN") {
        if !text.contains("CERTIFICATE REQUEST-----") {
            return Err(something_else(&path));
        }
        let authority = signers::x509(&folder, &pass_phrase)?;
        (authority.sign(&text, &holder, valid).map_err(failed)?, path.with_extension("pem"))
    } else {
        let key = PublicKey::from_openssh(text.trim()).map_err(|_| something_else(&path))?;
        let authority = signers::ssh(&folder, &pass_phrase)?;
        let certificate = authority.certify(&key, &holder, valid).map_err(failed)?;
        let text = certificate.to_openssh().map_err(|error| failed(error.into()))?;
        (text + "\n", beside_key(&path))
    };
    let out = given.out.clone().unwrap_or(usual);
    let mut batch = Batch::default();
    batch.public(out.clone(), certificate);
    let kept = batch.write(given.force, now)?;
    let below = out.parent().unwrap_or(Path::new("")).to_owned();
    let data = match role {
        Role::User => lines::session_user(&name),
        Role::Host => String::new(),
    };
    Ok(Report { data, notes: tell(&[out], &kept, &below), ..Report::default() })
}

/// `KEY-cert.pub` beside `KEY.pub`, where ssh looks for it.
fn beside_key(path: &Path) -> PathBuf {
    let mut name = path.with_extension("").into_os_string();
    if path.extension().is_none_or(|extension| extension != "pub") {
        name = OsString::from(path);
    }
    name.push("-cert.pub");
    name.into()
}

fn something_else(path: &Path) -> Failure {
    Failure::at(path, "neither a public SSH key nor a certificate request").cured_by(
        "expected a file such as id_ed25519.pub, or what `openssl req -new` writes; `portreeve keys show` says what it is",
    )
}
