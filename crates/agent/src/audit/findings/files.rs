//! Keys and certificates that the configuration refers to: file modes, strength and expiry.

use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::PermissionsExt,
    time::{Duration, SystemTime},
};

use portreeve_channel_ssh::{keys, server::KeyFiles};
use portreeve_config::{FileReference, Ssh, Tls};
use portreeve_smi::{SecurityModel, TransportDomain};
use portreeve_x509::{CertificateSummary, FileError, RevocationSummary};

use super::{AuditInput, FindingKind, Findings, Severity};
use portreeve_server_credentials::ssh as ssh_keys;

pub(super) fn check(input: &AuditInput<'_>, list: &mut Findings) {
    for warning in input.warnings {
        let hint = warning
            .hint
            .clone()
            .unwrap_or_else(|| "run `portreeved check` and correct the setting that it names".to_owned());
        // A warning without a line is about the mode of the file.
        let (severity, kind) = match warning.line {
            0 => (Severity::Critical, FindingKind::OpenFile),
            _ => (Severity::Note, FindingKind::Configuration),
        };
        list.add(severity, (kind, ""), input.location(warning.line), warning.message.clone(), hint);
    }
    if let Some(tls) = &input.config.tls {
        certificates(input, tls, list);
    }
    for target in &input.config.notify_targets {
        let keys = [&target.ssh_key, &target.key].into_iter().flatten();
        keys.for_each(|key| check_private_key(input, key, list));
        let files = target.certificate.iter().chain(&target.authorities);
        files.for_each(|named| check_certificate_file(input, named, list));
    }
    if let Some(ssh) = &input.config.ssh {
        ssh.host_keys.iter().for_each(|key| check_private_key(input, key, list));
        check_user_keys(input, ssh, list);
        check_key_file_patterns(input, ssh, list);
    }
}

fn certificates(input: &AuditInput<'_>, tls: &Tls, list: &mut Findings) {
    check_private_key(input, &tls.key, list);
    for named in std::iter::once(&tls.certificate).chain(&tls.authorities) {
        check_certificate_file(input, named, list);
    }
    for named in &tls.revocations {
        let location = input.location(named.line);
        match RevocationSummary::read_file(&input.resolve(&named.path)) {
            Ok(found) => found.iter().for_each(|revoked| check_revocation_list(revoked, &location, list)),
            Err(problem) => add_unusable(&problem, named, location, list),
        }
    }
    if !tls.authorities.is_empty() && tls.revocations.is_empty() {
        let line = tls.authorities.first().map_or(0, |named| named.line);
        let what = "[tls] has authorities but no crl, so revoked certificates are accepted";
        list.add(
            Severity::Note,
            (FindingKind::NoRevocationList, ""),
            input.location(line),
            what,
            "set crl in [tls] to the revocation list of each authority",
        );
    }
}

fn check_certificate_file(input: &AuditInput<'_>, named: &FileReference, list: &mut Findings) {
    let location = input.location(named.line);
    match CertificateSummary::read_file(&input.resolve(&named.path)) {
        Ok(found) => found.iter().for_each(|certificate| check_certificate(certificate, &location, list)),
        Err(problem) => add_unusable(&problem, named, location, list),
    }
}

fn add_unusable(problem: &FileError, named: &FileReference, location: String, list: &mut Findings) {
    let what = format!("{}: {}", problem.path.display(), problem.cause);
    let subject = named.path.display().to_string();
    list.add(Severity::Weak, (FindingKind::UnusableFile, &subject), location, what, problem.hint);
}

/// Reports an expired revocation list. The list remains in effect, because an authority that
/// publishes its next list late must not lock out all users.
fn check_revocation_list(revoked: &RevocationSummary, location: &str, list: &mut Findings) {
    let RevocationSummary { issuer, next_update } = revoked;
    let Some(end) = next_update.as_ref().filter(|end| end.is_past(SystemTime::now())) else { return };
    let what = format!(
        "the revocation list of {issuer} expired on {}: certificates that were revoked later are accepted",
        end.day
    );
    let hint = "replace the file with the authority's current list, then run `portreeved reload`";
    list.add(Severity::Weak, (FindingKind::OverdueRevocationList, issuer), location, what, hint);
}

fn check_certificate(certificate: &CertificateSummary, location: &str, list: &mut Findings) {
    let CertificateSummary { subject, not_after, key, .. } = certificate;
    match certificate.remaining(SystemTime::now()) {
        None => {
            let what = format!("the certificate of {subject} expired on {}", not_after.day);
            list.add(Severity::Weak, (FindingKind::Expired, subject), location, what, RENEW);
        }
        Some(left) if left < EXPIRY_WARNING => {
            let days = left.as_secs() / 86_400;
            let what = format!("the certificate of {subject} expires on {}, in {days} days", not_after.day);
            list.add(Severity::Weak, (FindingKind::ExpiresSoon, subject), location, what, RENEW);
        }
        Some(_) => {}
    }
    if key.kind == "RSA" && key.bits < MIN_RSA_BITS {
        let what = format!("the certificate of {subject} has an RSA key of {} bits", key.bits);
        let id = (FindingKind::WeakKey, &**subject);
        list.add(
            Severity::Weak,
            id,
            location,
            what,
            "request a certificate with an EC key, or with an RSA key of at least 3072 bits",
        );
    }
}

/// Reports a private key that other users can read, or that is missing.
fn check_private_key(input: &AuditInput<'_>, named: &FileReference, list: &mut Findings) {
    let path = input.resolve(&named.path);
    let location = input.location(named.line);
    let subject = named.path.display().to_string();
    match fs::metadata(&path) {
        Ok(found) if found.permissions().mode() & 0o077 != 0 => {
            let what =
                format!("{} is a private key that other users of this machine can read", path.display());
            let hint = format!(
                "run chmod 600 {}, and create a new key, because other users may have copied this one",
                path.display()
            );
            list.add(Severity::Critical, (FindingKind::OpenKey, &subject), location, what, hint);
        }
        Ok(_) => {}
        Err(error) => {
            let what = format!("{}: {error}", path.display());
            list.add(
                Severity::Weak,
                (FindingKind::UnusableFile, &subject),
                location,
                what,
                "create the file, or correct the path",
            );
        }
    }
}

/// Checks the SSH keys of all session users.
fn check_user_keys(input: &AuditInput<'_>, ssh: &Ssh, list: &mut Findings) {
    let Ok(files) = ssh_keys::key_files(ssh, input.file) else { return };
    for (user, line) in &input.config.lines.session_users {
        let found = match files.list_keys(user) {
            Ok(found) => found,
            Err(refusal) => {
                let what = format!("the files of {user}'s SSH keys are not trusted: {refusal}");
                list.add(
                    Severity::Weak,
                    (FindingKind::WritableKeyFiles, user),
                    input.location(*line),
                    what,
                    "run chmod go-w on these files and their directories",
                );
                continue;
            }
        };
        for (path, key) in found {
            let (kind, bits) = keys::algorithm_and_bits(&key.key);
            let location = format!("{}:{}", path.display(), key.line);
            if bits.is_some_and(|bits| bits < MIN_RSA_BITS as u32) {
                let what = format!("{user} logs in with an RSA key of {} bits", bits.unwrap_or_default());
                list.add(
                    Severity::Weak,
                    (FindingKind::WeakKey, user),
                    location,
                    what,
                    "create an Ed25519 key with `ssh-keygen -t ed25519`, and replace the weak key with it",
                );
            } else if kind == "ssh-dss" {
                list.add(
                    Severity::Weak,
                    (FindingKind::WeakKey, user),
                    location,
                    format!("{user} logs in with a DSA key"),
                    "create an Ed25519 key with `ssh-keygen -t ed25519`, and replace the weak key with it",
                );
            }
        }
    }
}

/// Reports patterns that name the same file for all users. Each key or principal in such a file is
/// accepted under every user name.
fn check_key_file_patterns(input: &AuditInput<'_>, ssh: &Ssh, list: &mut Findings) {
    if !input.listens(TransportDomain::Ssh) {
        return;
    }
    let groups = &input.lcd.tables().groups;
    let members = groups.iter().filter(|row| row.is_active() && row.key.model == SecurityModel::TSM);
    let users: BTreeSet<_> = members.map(|row| &row.key.security_name).collect();
    let severity = if users.len() > 1 { Severity::Critical } else { Severity::Note };
    let keys = ssh.authorized_keys.iter().map(|pattern| (pattern, "key"));
    let principals = ssh.principals.iter().map(|pattern| (pattern, "certificate with a principal"));
    for (pattern, credential) in keys.chain(principals) {
        let path = pattern.path.display().to_string();
        if KeyFiles::depends_on_user(&path) {
            continue;
        }
        list.add(
            severity,
            (FindingKind::SharedKeyFile, &path),
            input.location(pattern.line),
            format!("each {credential} in {path} can log in under any user name"),
            format!("add %u, which stands for the user name, to the path, for example {path}.%u"),
        );
    }
}

/// Hint for expired and expiring certificates.
const RENEW: &str =
    "renew the certificate, for example with `portreeve keys renew`, then run `portreeved reload`";
/// Certificates that expire within this time should be renewed now.
const EXPIRY_WARNING: Duration = Duration::from_secs(30 * 86_400);
const MIN_RSA_BITS: usize = 2048;
