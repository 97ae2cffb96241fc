//! Warnings about PAM, so that operators see them before the first login fails.

use std::{
    io::{self, Write},
    path::Path,
};

use portreeve_pam::PamService;

/// Prints warnings about the PAM service to stderr. None of them prevents the agent from running.
pub(crate) fn report(service: &PamService, line: usize, file: &Path) {
    for (found, hint) in findings(service) {
        // stderr may be closed, which is not an error.
        let _ = writeln!(io::stderr(), "{}:{line}: warning: {found}\n    hint: {hint}", file.display());
    }
}

fn findings(service: &PamService) -> Vec<(String, &'static str)> {
    let mut findings = Vec::new();
    if service.rules_file().is_none() {
        let found = format!("PAM has no service {}, so its service `other` verifies users", service.name());
        findings.push((
            found,
            "install /etc/pam.d/portreeve with `make install`, or set pam-service to a service that exists",
        ));
    }
    if PamService::is_unprivileged() {
        let found =
            "the agent does not run as root, so pam_unix can verify only the password of the agent's own account"
                .to_owned();
        findings.push((
            found,
            "run the agent as root, or set pam-service to a service whose modules do not need root",
        ));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pam_service_without_rules_file_is_reported() {
        let missing = PamService::new("no-such-service").unwrap();
        let found = findings(&missing);
        assert!(found.iter().any(|(found, _)| found.contains("no service no-such-service")), "{found:?}");
        let login = PamService::new("login").unwrap();
        if login.rules_file().is_some() {
            assert!(!findings(&login).iter().any(|(found, _)| found.contains("no service")));
        }
    }
}
