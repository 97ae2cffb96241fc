//! The definitions of what holds for sessions over any secure transport.

use super::{
    section::Section,
    short_form::{ACCESS_SHORT, CONTEXTS_SHORT, view_short},
    words::{name, switch},
};

/// `[sessions]`
pub static SESSIONS: Section = Section {
    name: "sessions",
    repeated: false,
    doc: "What holds for all sessions over secure transports.",
    options: &[
        switch(
            "use-prefix",
            "false; SET may change it",
            "snmpTsmConfigurationUsePrefix: whether securityNames begin with their transport, as in tls:ops.",
            "false",
        ),
        switch(
            "communities",
            "false; such messages are dropped",
            "Whether SNMPv1 and v2c messages are taken in sessions. Whoever the session has authenticated asks \
                  then, whatever the community.",
            "true",
        ),
    ],
};

/// `[[session-user]]`
pub static SESSION_USER: Section = Section {
    name: "session-user",
    repeated: true,
    doc: "Rights of somebody whom the transport authenticates, by certificate or SSH key. A [[user]] of the same \
          name is somebody else. A message in a session that asks for less than authPriv reads snmpEngineID alone, \
          because managers find out in such a way whom they talk to.",
    options: &[
        name(
            "The securityName: what a [[tls.name]] makes of the certificate, or the name of the user of SSH.",
            r#""ops""#,
        ),
        ACCESS_SHORT,
        view_short(r#""all""#),
        CONTEXTS_SHORT,
    ],
};
