//! What findings there are. Their words are what `--allow` takes and what programs tell them apart by: they stay as they are.

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    CommunityWrite,
    CommunityRead,
    UnprovenWrite,
    UnprovenRead,
    Unencrypted,
    OpenSocket,
    SessionCommunities,
    WeakSigning,
    WeakEncryption,
    Configuration,
    OpenFile,
    OpenKey,
    Unusable,
    Expired,
    Expires,
    ShortKey,
    DistrustedKeys,
    NoRevocation,
    OverdueRevocation,
    NoPostQuantum,
    WriteAll,
    Nobody,
    EmptyGroup,
    NoRights,
    NoRule,
    ClearTarget,
    LooseTarget,
}

impl Kind {
    /// The word, and what it means.
    const ALL: [(Self, &'static str, &'static str); 27] = [
        (Self::CommunityWrite, "community-write", "a community may change things"),
        (Self::CommunityRead, "community-read", "a community may read"),
        (Self::UnprovenWrite, "unproven-write", "a user without keys may change things"),
        (Self::UnprovenRead, "unproven-read", "a user without keys may read"),
        (Self::Unencrypted, "unencrypted", "a user may ask unencrypted"),
        (Self::OpenSocket, "open-socket", "a socket in clear on every address of the machine"),
        (Self::SessionCommunities, "session-communities", "SNMPv1 and v2c are taken in sessions"),
        (Self::WeakSigning, "weak-signing", "a user signs with MD5 or SHA-1"),
        (Self::WeakEncryption, "weak-encryption", "a user encrypts with DES or 3DES"),
        (Self::Configuration, "configuration", "what `portreeved check` warns of"),
        (Self::OpenFile, "open-file", "others may read a file with secrets"),
        (Self::OpenKey, "open-key", "others may use a private key"),
        (Self::Unusable, "unusable", "a file of keys or certificates cannot be used"),
        (Self::Expired, "expired", "a certificate has expired"),
        (Self::Expires, "expires", "a certificate ends within 30 days"),
        (Self::ShortKey, "short-key", "a key is short, or of a kind that has grown weak"),
        (Self::DistrustedKeys, "distrusted-keys", "files of SSH keys that others may change"),
        (Self::NoRevocation, "no-revocation", "an authority is trusted, and has no revocation list"),
        (Self::OverdueRevocation, "overdue-revocation", "a revocation list should have been replaced"),
        (Self::NoPostQuantum, "no-post-quantum", "a listener exchanges SSH keys without ML-KEM"),
        (Self::WriteAll, "write-all", "somebody may write everything"),
        (Self::Nobody, "nobody", "rights that nobody can have"),
        (Self::EmptyGroup, "empty-group", "rights of a group without members"),
        (Self::NoRights, "no-rights", "a user, or the name that a rule makes, without rights"),
        (Self::NoRule, "no-rule", "no certificate becomes anybody"),
        (Self::ClearTarget, "clear-target", "notifications to a target can be read on the way"),
        (Self::LooseTarget, "loose-target", "a target that lacks its parameters"),
    ];

    /// The word.
    pub(crate) fn word(self) -> &'static str {
        Self::ALL.iter().find(|(kind, ..)| *kind == self).map_or("", |(_, word, _)| word)
    }

    /// Each word, and what it means.
    pub(crate) fn words() -> impl Iterator<Item = (&'static str, &'static str)> {
        Self::ALL.into_iter().map(|(_, word, means)| (word, means))
    }
}
