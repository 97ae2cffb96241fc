//! The environment variables that the command reads.

use std::{ffi::OsString, os::unix::ffi::OsStringExt};

use portreeve_secret::Secret;

use crate::verb::Verb;

/// An environment variable that the command reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variable {
    /// The authentication pass phrase, unless `-A` is given.
    AuthPass,
    /// The privacy pass phrase, unless `-X` is given.
    PrivPass,
    /// The directories that are searched for `snmp.conf`.
    ConfPath,
    /// The home directory, which contains `.snmp` and `.ssh`.
    Home,
    /// The directory that contains the key cache.
    CacheHome,
    /// The directory that contains the user's certificate.
    ConfigHome,
    /// The directory that contains the engine ID of traps.
    StateHome,
    /// The directory that contains the session broker's socket.
    RuntimeDir,
    /// The certificate file, unless `--certificate` is given.
    TlsCertificate,
    /// The private key file of that certificate.
    TlsKey,
    /// The CA certificate file, unless another setting selects the trusted servers.
    TlsAuthority,
    /// The SSH key file, unless `--identity` is given.
    SshKey,
    /// The SSH password, unless `--password-file` is given.
    SshPass,
    /// The known hosts file that replaces the user's.
    KnownHosts,
    /// The socket of the user's ssh-agent.
    SshAgent,
    /// The MIB modules to load, unless `-m` is given.
    Mibs,
    /// The directories of MIB modules, unless `-M` is given.
    MibDirs,
    /// Files of MIB modules to load.
    MibFiles,
}

impl Variable {
    pub(crate) const ALL: [Self; 18] = [
        Self::AuthPass,
        Self::PrivPass,
        Self::ConfPath,
        Self::Home,
        Self::CacheHome,
        Self::ConfigHome,
        Self::StateHome,
        Self::RuntimeDir,
        Self::TlsCertificate,
        Self::TlsKey,
        Self::TlsAuthority,
        Self::SshKey,
        Self::SshPass,
        Self::KnownHosts,
        Self::SshAgent,
        Self::Mibs,
        Self::MibDirs,
        Self::MibFiles,
    ];

    /// Returns the variables that a verb reads. `doctor` does not keep sessions.
    pub(crate) fn of(verb: Verb) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |variable| match variable {
            Self::StateHome => verb == Verb::Trap,
            Self::RuntimeDir => verb != Verb::Doctor,
            _ => true,
        })
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::AuthPass => "PORTREEVE_AUTH_PASS",
            Self::PrivPass => "PORTREEVE_PRIV_PASS",
            Self::ConfPath => "SNMPCONFPATH",
            Self::Home => "HOME",
            Self::CacheHome => "XDG_CACHE_HOME",
            Self::ConfigHome => "XDG_CONFIG_HOME",
            Self::StateHome => "XDG_STATE_HOME",
            Self::RuntimeDir => "XDG_RUNTIME_DIR",
            Self::TlsCertificate => "PORTREEVE_TLS_CERT",
            Self::TlsKey => "PORTREEVE_TLS_KEY",
            Self::TlsAuthority => "PORTREEVE_TLS_CA",
            Self::SshKey => "PORTREEVE_SSH_KEY",
            Self::SshPass => "PORTREEVE_SSH_PASS",
            Self::KnownHosts => "PORTREEVE_KNOWN_HOSTS",
            Self::SshAgent => "SSH_AUTH_SOCK",
            Self::Mibs => "MIBS",
            Self::MibDirs => "MIBDIRS",
            Self::MibFiles => "MIBFILES",
        }
    }

    pub(crate) fn help(self) -> &'static str {
        match self {
            Self::AuthPass => "authentication pass phrase, unless -A is given",
            Self::PrivPass => "privacy pass phrase, unless -X is given",
            Self::ConfPath => "directories of snmp.conf, separated by colons",
            Self::Home => "home directory; contains .ssh and, unless SNMPCONFPATH is set, .snmp/snmp.conf",
            Self::CacheHome => "directory that contains portreeve/keys, the key cache (default: ~/.cache)",
            Self::ConfigHome => {
                "directory that contains portreeve/tls, the user's certificate (default: ~/.config)"
            }
            Self::StateHome => {
                "directory that contains portreeve/trap-sender, the engine ID and clock of SNMPv3 traps \
                 (default: ~/.local/state)"
            }
            Self::RuntimeDir => {
                "directory that contains portreeve/broker, the socket of --persist (default: /run/user/UID)"
            }
            Self::TlsCertificate => "certificate file, unless --certificate is given",
            Self::TlsKey => "private key file of that certificate",
            Self::TlsAuthority => "CA certificate file, unless --ca, --pin or -T selects the trusted servers",
            Self::SshKey => "SSH key file, unless --identity is given",
            Self::SshPass => "SSH password, unless --password-file is given",
            Self::KnownHosts => "file of known SSH hosts (default: from ssh_config)",
            Self::SshAgent => "socket of the ssh-agent",
            Self::Mibs => "MIB modules to load, unless -m is given",
            Self::MibDirs => "directories of MIB modules, unless -M is given",
            Self::MibFiles => "files of MIB modules to load",
        }
    }

    /// Returns the value as a secret; empty counts as unset.
    pub(crate) fn secret(self) -> Option<Secret> {
        Some(Secret::new(self.value()?.into_vec()))
    }

    /// Returns the value as text, which is not secret; an empty value counts too.
    pub(crate) fn text(self) -> Option<String> {
        Some(std::env::var_os(self.name())?.to_string_lossy().into_owned())
    }

    /// Returns the value, which is not secret; empty counts as unset.
    pub(crate) fn value(self) -> Option<OsString> {
        std::env::var_os(self.name()).filter(|value| !value.is_empty())
    }
}
