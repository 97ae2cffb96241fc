//! Reasons for refused logins.

use std::fmt;

use portreeve_channel::LoginError;

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $message:literal,)*) => {
        /// Reason for a refused login. Each reason has its own counter.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum LoginRefusalReason {
            $($(#[$doc])* $name,)*
        }

        impl LoginRefusalReason {
            /// All reasons, in declaration order.
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
    /// The user name is not valid.
    UserName = "invalid user name",
    /// The user's files do not list the key.
    KeyNotListed = "the key is not in the user's authorized_keys",
    /// `from=` does not contain the peer's address.
    KeySource = "the key is not allowed from this address",
    /// `expiry-time=` has passed.
    KeyExpired = "the key's expiry-time has passed",
    /// The revocation list contains the key.
    KeyRevoked = "the key is revoked",
    /// The key is an RSA key of less than 2048 bits.
    KeyWeak = "the RSA key is shorter than 2048 bits",
    /// The key is held by a FIDO security key. The server cannot verify that the user touched it.
    SecurityKey = "FIDO security keys (sk-…) are not accepted, because the server cannot verify that the user touched the key",
    /// The client signs with an algorithm that is not allowed, such as SHA-1.
    SignatureAlgorithm = "the client's signature algorithm is not allowed",
    /// A key file or one of its parent directories can be written by others.
    KeyFileUnsafe = "other users can change the user's file of keys or principals",
    /// The authority is not trusted.
    CertificateUntrusted = "the certificate's authority is not trusted",
    /// The authority's RSA key is too short, or it signs with an algorithm that is not allowed.
    CertificateWeak = "the certificate's authority has a short RSA key or signs with SHA-1",
    /// The certificate is not for this user.
    CertificatePrincipal = "the certificate is not for this user",
    /// The certificate is not valid yet or has expired.
    CertificateExpired = "the certificate is not valid yet or has expired",
    /// The certificate's signature is not valid.
    CertificateForged = "the certificate's signature is invalid",
    /// The certificate is a host certificate.
    CertificateHostType = "the certificate is a host certificate, not a user certificate",
    /// `source-address` does not contain the peer's address.
    CertificateSource = "the certificate is not allowed from this address",
    /// `force-command` restricts the certificate to another purpose.
    CertificateCommand = "the certificate is restricted to one command",
    /// Another critical option, which is not supported.
    CertificateOption = "the certificate has an unsupported critical option",
    /// The revocation list contains the certificate, its key or its authority.
    CertificateRevoked = "the certificate is revoked",
    /// The password or an answer is wrong.
    Password = "the password was rejected",
    /// Too many password checks are in progress.
    PasswordBusy = "too many password checks are in progress",
    /// Another login has displaced this one, because too many logins were in progress.
    PasswordDisplaced = "too many logins are in progress, and this one has waited longest for the user's answer",
    /// The verifier asks for more than a password.
    PasswordNotEnough = "a password alone is not enough; use keyboard-interactive",
    /// The account has expired.
    AccountExpired = "the account has expired",
    /// The password must be changed first, which is not possible here.
    PasswordExpired = "the password has expired; change it first, for example with `passwd`",
    /// The account may not be used now, from this address, or at all.
    AccessDenied = "the account is not allowed to log in from this address or at this time",
    /// The verifier failed.
    VerifierFailed = "the server cannot verify passwords",
    /// Too many public keys offered on one connection.
    TooManyKeys = "too many public keys offered",
    /// Too many attempts on one connection.
    TooManyAttempts = "too many login attempts",
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
    /// Returns the message for the peer, if any. Only a peer that has proven to be the user and
    /// must act on the message receives one.
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
