//! The kinds of findings. Their names are the values of `--allow` and the keys of JSON output: they
//! are stable.

/// The kind of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FindingKind {
    CommunityWrite,
    CommunityRead,
    DefaultCommunity,
    UnauthenticatedWrite,
    UnauthenticatedRead,
    Unencrypted,
    OpenSocket,
    SessionCommunities,
    WeakAuthentication,
    WeakEncryption,
    Configuration,
    OpenFile,
    OpenKey,
    UnusableFile,
    Expired,
    ExpiresSoon,
    WeakKey,
    WritableKeyFiles,
    SharedKeyFile,
    NoRevocationList,
    OverdueRevocationList,
    NoPostQuantum,
    CommunityDisclosure,
    WriteAll,
    UnreachableRights,
    EmptyGroup,
    NoRights,
    NoCertificateRule,
    CommonNameRule,
    NetconfRecovery,
    NetconfView,
    NetconfDataByCommunity,
    CleartextTarget,
    IncompleteTarget,
}

impl FindingKind {
    /// Each kind with its name and description.
    const ALL: [(Self, &'static str, &'static str); 34] = [
        (Self::CommunityWrite, "community-write", "a community has write access (critical)"),
        (Self::CommunityRead, "community-read", "a community has read access (weak)"),
        (
            Self::DefaultCommunity,
            "default-community",
            "a community string is a well-known default, such as public or private (critical if it has write access, otherwise weak)",
        ),
        (
            Self::UnauthenticatedWrite,
            "unauthenticated-write",
            "a noAuthNoPriv user has write access (critical)",
        ),
        (Self::UnauthenticatedRead, "unauthenticated-read", "a noAuthNoPriv user has read access (weak)"),
        (Self::Unencrypted, "unencrypted", "a user may send unencrypted requests (weak)"),
        (
            Self::OpenSocket,
            "open-socket",
            "a cleartext listener accepts messages on all addresses (weak, or a note if every request needs authPriv)",
        ),
        (
            Self::SessionCommunities,
            "session-communities",
            "sessions accept SNMPv1 and SNMPv2c messages (note)",
        ),
        (Self::WeakAuthentication, "weak-authentication", "a user authenticates with MD5 or SHA-1 (weak)"),
        (Self::WeakEncryption, "weak-encryption", "a user encrypts with DES or 3DES (weak)"),
        (Self::Configuration, "configuration", "`portreeved check` prints a warning (note)"),
        (
            Self::OpenFile,
            "open-file",
            "other users can read a file with secrets, or change the configuration (critical)",
        ),
        (Self::OpenKey, "open-key", "other users can read a private key (critical)"),
        (Self::UnusableFile, "unusable-file", "a file of keys or certificates cannot be used (weak)"),
        (Self::Expired, "expired", "a certificate has expired (weak)"),
        (Self::ExpiresSoon, "expires-soon", "a certificate expires within 30 days (weak)"),
        (Self::WeakKey, "weak-key", "a key is too short, or its algorithm is weak (weak)"),
        (Self::WritableKeyFiles, "writable-key-files", "other users can write to a file of SSH keys (weak)"),
        (
            Self::SharedKeyFile,
            "shared-key-file",
            "a file of SSH keys or principals applies to all users, because its path contains neither %u nor %h (critical if several users have access rights in sessions, otherwise a note)",
        ),
        (Self::NoRevocationList, "no-revocation-list", "a trusted authority has no revocation list (note)"),
        (Self::OverdueRevocationList, "overdue-revocation-list", "a revocation list has expired (weak)"),
        (Self::NoPostQuantum, "no-post-quantum", "an SSH listener does not use ML-KEM (note)"),
        (
            Self::CommunityDisclosure,
            "community-disclosure",
            "a principal may read the string of a community that has more rights than the principal (critical if the community may write more, otherwise weak)",
        ),
        (Self::WriteAll, "write-all", "a principal may write every object (note)"),
        (
            Self::UnreachableRights,
            "unreachable-rights",
            "a principal has access rights, but cannot authenticate (note)",
        ),
        (Self::EmptyGroup, "empty-group", "a group has access rights, but no members (note)"),
        (
            Self::NoRights,
            "no-rights",
            "a user, or the name to which a certificate is mapped, has no access rights (note)",
        ),
        (
            Self::NoCertificateRule,
            "no-certificate-rule",
            "no [[tls.name]] rule maps certificates to securityNames (note)",
        ),
        (
            Self::CommonNameRule,
            "common-name-rule",
            "a certificate rule uses the CommonName, which X.509 name constraints do not restrict (note)",
        ),
        (
            Self::NetconfRecovery,
            "netconf-recovery",
            "a user may read and write everything over NETCONF, including secrets (note)",
        ),
        (
            Self::NetconfView,
            "netconf-view",
            "a user with rights over SNMP has none over NETCONF, because its view is too small (note)",
        ),
        (
            Self::NetconfDataByCommunity,
            "netconf-data-by-community",
            "a community may write data that NETCONF configures (critical)",
        ),
        (
            Self::CleartextTarget,
            "cleartext-target",
            "notifications to a target would be readable on the network path (weak)",
        ),
        (
            Self::IncompleteTarget,
            "incomplete-target",
            "a notification target refers to parameters that do not exist (note)",
        ),
    ];

    /// Returns the name.
    pub(crate) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(kind, ..)| *kind == self).map_or("", |(_, word, _)| word)
    }

    /// Returns each name with its description.
    pub(crate) fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
        Self::ALL.into_iter().map(|(_, word, means)| (word, means))
    }
}
