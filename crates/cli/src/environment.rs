//! Every environment variable the command reads, in one list.

use std::{ffi::OsString, os::unix::ffi::OsStringExt};

use portreeve_secret::Secret;

/// An environment variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variable {
    /// The authentication pass phrase, where `-A` is not given.
    AuthPass,
    /// The privacy pass phrase, where `-X` is not given.
    PrivPass,
    /// Where `snmp.conf` is looked for.
    ConfPath,
    /// Where the user's own `.snmp` and `.ssh` are.
    Home,
    /// Where the file of keys is.
    CacheHome,
    /// Where the user's own certificate is.
    ConfigHome,
    /// Where the socket of the session broker is.
    RuntimeDir,
    /// The certificate to present, where `--certificate` is not given.
    TlsCertificate,
    /// Its key.
    TlsKey,
    /// The authority whose word on servers is taken, where nothing else says whom to trust.
    TlsAuthority,
    /// The SSH key to log in with, where `--identity` is not given.
    SshKey,
    /// The password over SSH, where `--password-file` is not given.
    SshPass,
    /// Known SSH hosts, in place of the user's own.
    KnownHosts,
    /// The socket of the user's ssh-agent.
    SshAgent,
    /// Which MIB modules are loaded, where `-m` is not given.
    Mibs,
    /// Where they are, where `-M` is not given.
    MibDirs,
    /// Files whose MIB modules are loaded.
    MibFiles,
}

impl Variable {
    pub(crate) const ALL: [Self; 17] = [
        Self::AuthPass,
        Self::PrivPass,
        Self::ConfPath,
        Self::Home,
        Self::CacheHome,
        Self::ConfigHome,
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

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::AuthPass => "PORTREEVE_AUTH_PASS",
            Self::PrivPass => "PORTREEVE_PRIV_PASS",
            Self::ConfPath => "SNMPCONFPATH",
            Self::Home => "HOME",
            Self::CacheHome => "XDG_CACHE_HOME",
            Self::ConfigHome => "XDG_CONFIG_HOME",
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
            Self::ConfPath => "folders of snmp.conf, with colons between them",
            Self::Home => "the folder of .snmp/snmp.conf, unless SNMPCONFPATH is set, and of .ssh",
            Self::CacheHome => "the folder of portreeve/keys (default: ~/.cache)",
            Self::ConfigHome => "the folder of portreeve/tls (default: ~/.config)",
            Self::RuntimeDir => {
                "the folder of portreeve/broker, the socket of --persist (default: /run/user/UID)"
            }
            Self::TlsCertificate => "file of the certificate to present, unless --certificate is given",
            Self::TlsKey => "file of its private key",
            Self::TlsAuthority => "file of the authority to trust, unless another option says whom",
            Self::SshKey => "file of the SSH key to log in with, unless --identity is given",
            Self::SshPass => "password over ssh, unless --password-file is given",
            Self::KnownHosts => "file of known SSH hosts (default: as ssh_config says)",
            Self::SshAgent => "the socket of the ssh-agent that has the user's keys",
            Self::Mibs => "MIB modules to load, unless -m is given",
            Self::MibDirs => "directories of MIB modules, unless -M is given",
            Self::MibFiles => "files of MIB modules to load",
        }
    }

    /// Its value; empty counts as unset.
    pub(crate) fn secret(self) -> Option<Secret> {
        Some(Secret::new(self.value()?.into_vec()))
    }

    /// Its value, which is no secret; empty counts as unset.
    pub(crate) fn value(self) -> Option<OsString> {
        std::env::var_os(self.name()).filter(|value| !value.is_empty())
    }
}
