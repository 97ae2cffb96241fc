//! The error-status of a Response (RFC 3416 §3).

use std::fmt;

/// The result of a request: noError, or the reason why the request failed. The discriminants are
/// the numbers on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names and their meaning are the RFC's")]
pub enum ErrorStatus {
    NoError = 0,
    TooBig = 1,
    NoSuchName = 2,
    BadValue = 3,
    ReadOnly = 4,
    GenErr = 5,
    NoAccess = 6,
    WrongType = 7,
    WrongLength = 8,
    WrongEncoding = 9,
    WrongValue = 10,
    NoCreation = 11,
    InconsistentValue = 12,
    ResourceUnavailable = 13,
    CommitFailed = 14,
    UndoFailed = 15,
    AuthorizationError = 16,
    NotWritable = 17,
    InconsistentName = 18,
}

impl ErrorStatus {
    const ALL: [(Self, &'static str); 19] = [
        (Self::NoError, "noError"),
        (Self::TooBig, "tooBig"),
        (Self::NoSuchName, "noSuchName"),
        (Self::BadValue, "badValue"),
        (Self::ReadOnly, "readOnly"),
        (Self::GenErr, "genErr"),
        (Self::NoAccess, "noAccess"),
        (Self::WrongType, "wrongType"),
        (Self::WrongLength, "wrongLength"),
        (Self::WrongEncoding, "wrongEncoding"),
        (Self::WrongValue, "wrongValue"),
        (Self::NoCreation, "noCreation"),
        (Self::InconsistentValue, "inconsistentValue"),
        (Self::ResourceUnavailable, "resourceUnavailable"),
        (Self::CommitFailed, "commitFailed"),
        (Self::UndoFailed, "undoFailed"),
        (Self::AuthorizationError, "authorizationError"),
        (Self::NotWritable, "notWritable"),
        (Self::InconsistentName, "inconsistentName"),
    ];

    /// Returns the status with this number on the wire.
    pub fn from_wire(number: i32) -> Option<Self> {
        Self::ALL.get(usize::try_from(number).ok()?).map(|(status, _)| *status)
    }

    /// Returns the RFC's name, such as `noAccess`.
    pub fn name(self) -> &'static str {
        Self::ALL.get(usize::from(self as u8)).map_or("", |(_, name)| name)
    }

    /// Returns the nearest status that SNMPv1 defines (RFC 3584 §4.4).
    //= rfc3584#4.4-p1
    //= rfc3584#4.4-p2
    pub fn to_v1(self) -> Self {
        match self {
            Self::NoError
            | Self::TooBig
            | Self::NoSuchName
            | Self::BadValue
            | Self::ReadOnly
            | Self::GenErr => self,
            Self::WrongValue
            | Self::WrongEncoding
            | Self::WrongType
            | Self::WrongLength
            | Self::InconsistentValue => Self::BadValue,
            Self::NoAccess
            | Self::NotWritable
            | Self::NoCreation
            | Self::InconsistentName
            | Self::AuthorizationError => Self::NoSuchName,
            Self::ResourceUnavailable | Self::CommitFailed | Self::UndoFailed => Self::GenErr,
        }
    }
}

impl fmt::Display for ErrorStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests;
