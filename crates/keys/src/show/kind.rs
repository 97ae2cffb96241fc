//! The kinds of files and their parts.

/// The kind of a file, or of a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ItemKind {
    X509Authority,
    X509Host,
    X509User,
    /// A certificate for several uses, or for none that is recognized.
    X509Leaf,
    X509Request,
    X509RevocationList,
    X509PrivateKey,
    SshHostCertificate,
    SshUserCertificate,
    SshKey,
    SshPrivateKey,
    SshRevocationList,
}

impl ItemKind {
    /// Returns a short text for display.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::X509Authority => "X.509 authority",
            Self::X509Host => "X.509 host certificate",
            Self::X509User => "X.509 user certificate",
            Self::X509Leaf => "X.509 certificate",
            Self::X509Request => "X.509 request",
            Self::X509RevocationList => "X.509 revocation list",
            Self::X509PrivateKey => "X.509 private key",
            Self::SshHostCertificate => "SSH host certificate",
            Self::SshUserCertificate => "SSH user certificate",
            Self::SshKey => "SSH key",
            Self::SshPrivateKey => "SSH private key",
            Self::SshRevocationList => "SSH revocation list",
        }
    }

    pub(crate) fn is_ssh(self) -> bool {
        matches!(
            self,
            Self::SshHostCertificate | Self::SshUserCertificate | Self::SshKey | Self::SshPrivateKey
        )
    }

    pub(crate) fn is_certificate(self) -> bool {
        matches!(
            self,
            Self::X509Authority
                | Self::X509Host
                | Self::X509User
                | Self::X509Leaf
                | Self::SshHostCertificate
                | Self::SshUserCertificate
        )
    }

    pub(crate) fn is_private(self) -> bool {
        matches!(self, Self::X509PrivateKey | Self::SshPrivateKey)
    }

    /// Returns the position of this kind in a sorted table.
    pub(super) fn rank(self) -> u8 {
        match self {
            Self::X509Authority | Self::SshKey => 0,
            Self::X509RevocationList | Self::SshRevocationList => 1,
            Self::X509Host | Self::SshHostCertificate => 2,
            Self::X509User | Self::SshUserCertificate | Self::X509Leaf => 3,
            Self::X509Request => 4,
            Self::X509PrivateKey | Self::SshPrivateKey => 5,
        }
    }
}
