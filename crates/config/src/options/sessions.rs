//! Definitions of the sections `[sessions]` and `[[session-user]]`.

use super::{
    section::Section,
    short_form::{ACCESS_SHORT, CONTEXTS_SHORT, view_short},
    words::{name, switch},
};

/// The definition of the section `[sessions]`.
pub static SESSIONS: Section = Section {
    name: "sessions",
    repeated: false,
    doc: "Options of all sessions over secure transports.",
    options: &[
        switch(
            "use-prefix",
            "false; SET may change it",
            "snmpTsmConfigurationUsePrefix: prefix securityNames with their transport, as in tls:ops.",
            "false",
        ),
        switch(
            "communities",
            "false; such messages are dropped",
            "Accept SNMPv1 and v2c messages in sessions. The rights are those of the user that the session has \
                  authenticated; the community string is ignored.",
            "true",
        ),
    ],
};

/// The definition of the section `[[session-user]]`.
pub static SESSION_USER: Section = Section {
    name: "session-user",
    repeated: true,
    doc: "Rights of a user that the transport authenticates, by certificate or SSH key. A [[user]] of the same \
          name is a different user. An SNMPv3 message below authPriv in a session can read only snmpEngineID, \
          because managers use such messages for engine discovery. SNMPv1 and v2c messages have all rights of the user if \
          `communities` in [sessions] is true.",
    options: &[
        name(
            "The securityName: the name that a [[tls.name]] maps the certificate to, or the SSH user name.",
            r#""ops""#,
        ),
        ACCESS_SHORT,
        view_short(r#""all" for write, otherwise "restricted""#),
        CONTEXTS_SHORT,
    ],
};
