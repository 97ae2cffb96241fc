//! Keys and certificates that the configuration names: who may read them, how strong they are, and for how long they hold.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    time::{Duration, SystemTime},
};

use portreeve_channel_ssh::keys;
use portreeve_config::{FileAt, Ssh, Tls};
use portreeve_x509::{CertificateSummary, FileProblem, RevocationSummary};

use super::{Evidence, Kind, List, Weight};
use crate::ssh_keys;

pub(super) fn look(evidence: &Evidence<'_>, list: &mut List) {
    for warning in evidence.warnings {
        let cure = warning.hint.clone().unwrap_or_else(|| "see `portreeved check`".to_owned());
        // What is about the file as a whole is who may read its secrets.
        let (weight, kind) = match warning.line {
            0 => (Weight::Grave, Kind::OpenFile),
            _ => (Weight::Note, Kind::Configuration),
        };
        list.add(weight, (kind, ""), evidence.place(warning.line), warning.found.clone(), cure);
    }
    if let Some(tls) = &evidence.config.tls {
        certificates(evidence, tls, list);
    }
    if let Some(ssh) = &evidence.config.ssh {
        ssh.host_keys.iter().for_each(|key| private(evidence, key, list));
        logins(evidence, ssh, list);
    }
}

fn certificates(evidence: &Evidence<'_>, tls: &Tls, list: &mut List) {
    private(evidence, &tls.key, list);
    for named in std::iter::once(&tls.certificate).chain(&tls.authorities) {
        let place = evidence.place(named.line);
        match CertificateSummary::in_file(&evidence.beside(&named.path)) {
            Ok(found) => found.iter().for_each(|certificate| judge(certificate, &place, list)),
            Err(problem) => unusable(&problem, named, place, list),
        }
    }
    for named in &tls.revocations {
        let place = evidence.place(named.line);
        match RevocationSummary::in_file(&evidence.beside(&named.path)) {
            Ok(found) => found.iter().for_each(|revoked| overdue(revoked, &place, list)),
            Err(problem) => unusable(&problem, named, place, list),
        }
    }
    if !tls.authorities.is_empty() && tls.revocations.is_empty() {
        let line = tls.authorities.first().map_or(0, |named| named.line);
        let what = "authorities are trusted, and none of the certificates they have made can be taken back";
        list.add(
            Weight::Note,
            (Kind::NoRevocation, ""),
            evidence.place(line),
            what,
            "crl = the authority's list of revoked certificates",
        );
    }
}

fn unusable(problem: &FileProblem, named: &FileAt, place: String, list: &mut List) {
    let what = format!("{}: {}", problem.path.display(), problem.found);
    let about = named.path.display().to_string();
    list.add(Weight::Weak, (Kind::Unusable, &about), place, what, problem.cure);
}

/// A list counts for as long as it is there: an authority that is late must not lock everybody out.
fn overdue(revoked: &RevocationSummary, place: &str, list: &mut List) {
    let RevocationSummary { issuer, next_update } = revoked;
    let Some(end) = next_update.as_ref().filter(|end| end.is_past(SystemTime::now())) else { return };
    let what = format!(
        "the revocation list of {issuer} was to be replaced by {}: who was revoked since gets in",
        end.day
    );
    let cure = "fetch the authority's newest list, and `portreeved reload`";
    list.add(Weight::Weak, (Kind::OverdueRevocation, issuer), place, what, cure);
}

fn judge(certificate: &CertificateSummary, place: &str, list: &mut List) {
    let CertificateSummary { subject, not_after, key, .. } = certificate;
    match certificate.remaining(SystemTime::now()) {
        None => {
            let what = format!("the certificate of {subject} has expired on {}", not_after.day);
            list.add(Weight::Weak, (Kind::Expired, subject), place, what, RENEW);
        }
        Some(left) if left < SOON => {
            let days = left.as_secs() / 86_400;
            let what = format!("the certificate of {subject} expires on {}, in {days} days", not_after.day);
            list.add(Weight::Weak, (Kind::Expires, subject), place, what, RENEW);
        }
        Some(_) => {}
    }
    if key.kind == "RSA" && key.bits < LEAST_RSA {
        let what = format!("the certificate of {subject} has an RSA key of {} bits", key.bits);
        let id = (Kind::ShortKey, &**subject);
        list.add(Weight::Weak, id, place, what, "have one made with an EC key, or RSA of 3072 bits");
    }
}

/// A private key is for its owner alone.
fn private(evidence: &Evidence<'_>, named: &FileAt, list: &mut List) {
    let path = evidence.beside(&named.path);
    let place = evidence.place(named.line);
    let about = named.path.display().to_string();
    match fs::metadata(&path) {
        Ok(found) if found.permissions().mode() & 0o077 != 0 => {
            let what = format!("{} is a private key that others on this machine may use", path.display());
            let cure = format!("chmod 600 {}, and make a new key", path.display());
            list.add(Weight::Grave, (Kind::OpenKey, &about), place, what, cure);
        }
        Ok(_) => {}
        Err(error) => {
            let what = format!("{}: {error}", path.display());
            list.add(Weight::Weak, (Kind::Unusable, &about), place, what, "name a file that exists");
        }
    }
}

/// The keys that users log in with.
fn logins(evidence: &Evidence<'_>, ssh: &Ssh, list: &mut List) {
    let Ok(files) = ssh_keys::key_files(ssh, evidence.file) else { return };
    for (user, line) in &evidence.config.lines.session_users {
        let found = match files.listed(user) {
            Ok(found) => found,
            Err(refusal) => {
                let what = format!("the files of {user}'s SSH keys are not believed: {refusal}");
                list.add(
                    Weight::Weak,
                    (Kind::DistrustedKeys, user),
                    evidence.place(*line),
                    what,
                    "they must be writable by their owner alone",
                );
                continue;
            }
        };
        for (path, key) in found {
            let (kind, bits) = keys::kind(&key.key);
            let place = format!("{}:{}", path.display(), key.line);
            if bits.is_some_and(|bits| bits < LEAST_RSA as u32) {
                let what = format!("{user} logs in with an RSA key of {} bits", bits.unwrap_or_default());
                list.add(Weight::Weak, (Kind::ShortKey, user), place, what, "ssh-keygen -t ed25519");
            } else if kind == "ssh-dss" {
                list.add(
                    Weight::Weak,
                    (Kind::ShortKey, user),
                    place,
                    format!("{user} logs in with a DSA key"),
                    "ssh-keygen -t ed25519",
                );
            }
        }
    }
}

/// What to do about a certificate's end.
const RENEW: &str = "have it renewed, as `portreeve keys renew` does, and `portreeved reload`";
/// A certificate that ends sooner should be renewed now.
const SOON: Duration = Duration::from_secs(30 * 86_400);
const LEAST_RSA: usize = 2048;
