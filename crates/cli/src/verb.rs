//! The verbs and their names.

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
    Trap,
    Inform,
    Table,
    Status,
    Test,
    Delta,
    Df,
    Netstat,
    Usm,
    Vacm,
    /// A separate program. Its flags are defined here, together with those of the other verbs.
    Doctor,
    Translate,
}

impl Verb {
    pub(crate) const ALL: [Self; 18] = [
        Self::Get,
        Self::GetNext,
        Self::BulkGet,
        Self::Walk,
        Self::BulkWalk,
        Self::Set,
        Self::Trap,
        Self::Inform,
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

    /// Returns the verb of `portreeve NAME`.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verb| verb.name() == name)
    }

    /// Returns the verb that the program's name selects: for example, `/usr/bin/snmpget` selects
    /// `get`.
    pub(crate) fn from_program(called: &OsStr) -> Option<Self> {
        let name = Path::new(called).file_name()?.to_str()?;
        Self::ALL.into_iter().find(|verb| verb.classic_name() == name)
    }

    pub(crate) fn name(self) -> &'static str {
        let name = self.classic_name();
        name.strip_prefix("snmp").or(name.strip_prefix("portreeve-")).unwrap_or_default()
    }

    /// Returns the name of the equivalent Net-SNMP command. If there is none, returns the name of
    /// our own program.
    pub(crate) fn classic_name(self) -> &'static str {
        match self {
            Self::Get => "snmpget",
            Self::GetNext => "snmpgetnext",
            Self::BulkGet => "snmpbulkget",
            Self::Walk => "snmpwalk",
            Self::BulkWalk => "snmpbulkwalk",
            Self::Set => "snmpset",
            Self::Trap => "snmptrap",
            Self::Inform => "snmpinform",
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

    /// Returns true if the verb sends notifications, so that its first operand is a receiver.
    pub(crate) fn sends_notifications(self) -> bool {
        matches!(self, Self::Trap | Self::Inform)
    }

    /// Returns the operands for the synopsis.
    pub(crate) fn operands(self) -> &'static str {
        match self {
            Self::Get | Self::GetNext | Self::BulkGet | Self::Delta => "AGENT OID [OID]...",
            Self::Walk | Self::BulkWalk => "AGENT [OID]",
            Self::Set => "AGENT OID TYPE VALUE [OID TYPE VALUE]...",
            Self::Trap | Self::Inform => "RECEIVER TRAP-PARAMETERS",
            Self::Table => "AGENT TABLE-OID",
            Self::Status | Self::Test | Self::Df | Self::Netstat | Self::Doctor => "AGENT",
            Self::Usm | Self::Vacm => "AGENT COMMAND",
            Self::Translate => "OID [OID]...",
        }
    }

    /// Returns the summary of the verb in one line.
    pub(crate) fn summary(self) -> &'static str {
        match self {
            Self::Get => "read variables",
            Self::GetNext => "read the variable after each OID",
            Self::BulkGet => "read several variables after each OID",
            Self::Walk => "read all variables of a subtree",
            Self::BulkWalk => "read all variables of a subtree with GETBULK requests",
            Self::Set => "write variables, all or none",
            Self::Trap => "send a notification without waiting for a response",
            Self::Inform => "send a notification and wait until its receiver confirms it",
            Self::Table => "read and print a table",
            Self::Status => "print a summary of a system and its interfaces",
            Self::Test => "send requests that are typed interactively",
            Self::Delta => "periodically print how much counters increase",
            Self::Df => "print storage usage",
            Self::Netstat => "print connections, interfaces, routes and protocol counters",
            Self::Usm => "create, change and delete SNMPv3 users",
            Self::Vacm => "create and delete access control rows",
            Self::Doctor => "test a connection step by step and report what is wrong",
            Self::Translate => "convert between names and object identifiers",
        }
    }
}
