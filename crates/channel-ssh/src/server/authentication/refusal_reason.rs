//! Why somebody may not come in.

use std::fmt;

use portreeve_channel::LoginError;

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $message:literal,)*) => {
        /// Why an attempt to log in was refused; one counter each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum LoginRefusalReason {
            $($(#[$doc])* $name,)*
        }

        impl LoginRefusalReason {
            /// All of them, in their order.
            pub const ALL: [Self; [$(Self::$name),*].len()] = [$(Self::$name),*];

            fn message(self) -> &'static str {
                match self {
                    $(Self::$name => $message,)*
                }
            }
        }
    };
}

reasons! {
    /// No user can be called that.
    UserName = "no user can have that name",
    /// The user's files do not list the key.
    KeyNotListed = "the key is not in the user's authorized_keys",
    /// `from=` does not have the peer's address.
    KeySource = "the key may not be used from this address",
    /// `expiry-time=` has passed.
    KeyExpired = "the key's expiry-time has passed",
    /// The list of revoked keys has it.
    KeyRevoked = "the key is revoked",
    /// An RSA key of under 2048 bits.
    KeyWeak = "an RSA key needs 2048 bits",
    /// A file of keys, or a folder it is in, can be written by others.
    KeyFileUnsafe = "the user's authorized_keys could have been written by others",
    /// Nobody trusts the authority.
    CertificateUntrusted = "the certificate's authority is not trusted",
    /// The certificate is not for this user.
    CertificatePrincipal = "the certificate is not for this user",
    /// The certificate is not valid yet, or any more.
    CertificateExpired = "the certificate is not valid now",
    /// The certificate's signature is not its authority's.
    CertificateForged = "the certificate's signature is wrong",
    /// A host's certificate.
    CertificateHostType = "the certificate is a host's, not a user's",
    /// `source-address` does not have the peer's address.
    CertificateSource = "the certificate may not be used from this address",
    /// `force-command`: it is for something else.
    CertificateCommand = "the certificate is for one command only",
    /// Another critical option.
    CertificateOption = "the certificate has a critical option that cannot be kept here",
    /// The list of revoked keys has it, its key, or its authority.
    CertificateRevoked = "the certificate is revoked",
    /// A wrong password or answer.
    Password = "the password was refused",
    /// Too many passwords are being looked at.
    PasswordBusy = "too many passwords were being checked",
    /// The judge asks for more than a password.
    PasswordNotEnough = "a password alone is not enough; keyboard-interactive asks for the rest",
    /// The account counts no more.
    AccountExpired = "the account has expired",
    /// The password has to be changed, for which there is no way here.
    PasswordExpired = "the password has expired, and has to be changed by other means first",
    /// The account may not be used now, from there, or at all.
    AccessDenied = "the account may not be used here and now",
    /// Passwords cannot be judged at all.
    VerifierFailed = "passwords cannot be checked",
    /// Too many tries in one connection.
    TooManyAttempts = "too many tries",
}

impl From<LoginError> for LoginRefusalReason {
    fn from(error: LoginError) -> Self {
        match error {
            LoginError::BadCredentials => Self::Password,
            LoginError::AccountExpired => Self::AccountExpired,
            LoginError::PasswordExpired => Self::PasswordExpired,
            LoginError::AccessDenied => Self::AccessDenied,
            LoginError::Unavailable => Self::VerifierFailed,
        }
    }
}

impl LoginRefusalReason {
    /// What the peer may be told: it has proven to be the user, and has to do something about it.
    pub(in crate::server) fn message_for_peer(self) -> Option<&'static str> {
        matches!(self, Self::AccountExpired | Self::PasswordExpired | Self::AccessDenied)
            .then(|| self.message())
    }
}

impl fmt::Display for LoginRefusalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}
