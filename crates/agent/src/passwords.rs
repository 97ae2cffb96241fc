//! What an operator should know of PAM before the first user fails.

use std::{
    io::{self, Write},
    path::Path,
};

use portreeve_pam::Service;

/// Says on stderr what may keep PAM from judging as it was meant to. Nothing of it keeps the agent from serving.
pub(crate) fn report(service: &Service, line: usize, file: &Path) {
    for (found, hint) in findings(service) {
        // Nobody may be reading any more, which is no reason to stop.
        let _ = writeln!(io::stderr(), "{}:{line}: warning: {found}\n    hint: {hint}", file.display());
    }
}

fn findings(service: &Service) -> Vec<(String, &'static str)> {
    let mut findings = Vec::new();
    if service.rules().is_none() {
        let found = format!(
            "PAM has no service {}, so that the rules of its service `other` judge passwords",
            service.name()
        );
        findings
            .push((found, "`make install` puts /etc/pam.d/portreeve there; pam-service names another one"));
    }
    if Service::is_unprivileged() {
        let found =
            "we are not root, so that pam_unix checks no other password than our own user's".to_owned();
        findings.push((found, "run as root, or have a service whose modules need no root"));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_without_rules_is_told_of() {
        let missing = Service::new("surely-nobody-has-this").unwrap();
        let found = findings(&missing);
        assert!(
            found.iter().any(|(found, _)| found.contains("no service surely-nobody-has-this")),
            "{found:?}"
        );
        let login = Service::new("login").unwrap();
        if login.rules().is_some() {
            assert!(!findings(&login).iter().any(|(found, _)| found.contains("no service")));
        }
    }
}
