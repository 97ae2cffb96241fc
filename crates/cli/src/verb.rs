//! What the command can do, and the names that select it.

use std::{ffi::OsStr, path::Path};

/// One of the command's verbs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    Get,
    GetNext,
    BulkGet,
    Walk,
    BulkWalk,
    Set,
    Table,
    Status,
    Test,
    Delta,
    Df,
    Netstat,
    Usm,
    Vacm,
    /// A program of its own, whose flags are this command's.
    Doctor,
    Translate,
}

impl Verb {
    pub(crate) const ALL: [Self; 16] = [
        Self::Get,
        Self::GetNext,
        Self::BulkGet,
        Self::Walk,
        Self::BulkWalk,
        Self::Set,
        Self::Table,
        Self::Status,
        Self::Test,
        Self::Delta,
        Self::Df,
        Self::Netstat,
        Self::Usm,
        Self::Vacm,
        Self::Doctor,
        Self::Translate,
    ];

    /// The verb that `portreeve NAME` means.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verb| verb.name() == name)
    }

    /// The verb that the program's own name selects, such as `/usr/bin/snmpget`.
    pub(crate) fn from_program(called: &OsStr) -> Option<Self> {
        let name = Path::new(called).file_name()?.to_str()?;
        Self::ALL.into_iter().find(|verb| verb.classic_name() == name)
    }

    pub(crate) fn name(self) -> &'static str {
        let name = self.classic_name();
        name.strip_prefix("snmp").or(name.strip_prefix("portreeve-")).unwrap_or_default()
    }

    /// The name of Net-SNMP's command that does the same, or of our program where they have none.
    pub(crate) fn classic_name(self) -> &'static str {
        match self {
            Self::Get => "snmpget",
            Self::GetNext => "snmpgetnext",
            Self::BulkGet => "snmpbulkget",
            Self::Walk => "snmpwalk",
            Self::BulkWalk => "snmpbulkwalk",
            Self::Set => "snmpset",
            Self::Table => "snmptable",
            Self::Status => "snmpstatus",
            Self::Test => "snmptest",
            Self::Delta => "snmpdelta",
            Self::Df => "snmpdf",
            Self::Netstat => "snmpnetstat",
            Self::Usm => "snmpusm",
            Self::Vacm => "snmpvacm",
            Self::Doctor => "portreeve-doctor",
            Self::Translate => "snmptranslate",
        }
    }

    /// What follows the options.
    pub(crate) fn operands(self) -> &'static str {
        match self {
            Self::Get | Self::GetNext | Self::BulkGet | Self::Delta => "AGENT OID [OID]...",
            Self::Walk | Self::BulkWalk => "AGENT [OID]",
            Self::Set => "AGENT OID TYPE VALUE [OID TYPE VALUE]...",
            Self::Table => "AGENT TABLE-OID",
            Self::Status | Self::Test | Self::Df | Self::Netstat | Self::Doctor => "AGENT",
            Self::Usm | Self::Vacm => "AGENT COMMAND",
            Self::Translate => "OID [OID]...",
        }
    }

    /// One line for the overview.
    pub(crate) fn summary(self) -> &'static str {
        match self {
            Self::Get => "read variables",
            Self::GetNext => "read the variable after each",
            Self::BulkGet => "read several variables after each",
            Self::Walk => "read all variables of a subtree",
            Self::BulkWalk => "read all variables of a subtree by GETBULK, as -Cr says",
            Self::Set => "write variables, all or none",
            Self::Table => "read a table and print it as one",
            Self::Status => "tell how a system and its interfaces are",
            Self::Test => "try requests out, as they are typed",
            Self::Delta => "tell again and again by how much counters rise",
            Self::Df => "tell how much storage is in use",
            Self::Netstat => "tell of connections, interfaces, routes and protocols",
            Self::Usm => "create, change and delete users of SNMPv3",
            Self::Vacm => "create and delete rows of access control",
            Self::Doctor => "walk a connection step by step and say what is wrong with it",
            Self::Translate => "turn names into object identifiers and back",
        }
    }
}
