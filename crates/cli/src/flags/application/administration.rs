//! `-C` of `usm` and `vacm`.

use super::{Letter, Value, toggle};
use crate::{flags::Refused, verb::Verb};

pub(super) static LETTERS: &[Letter] = &[
    Letter {
        letter: 'a',
        value: Value::None,
        verbs: USM,
        help: "change the authentication key",
        apply: |settings, _| toggle(&mut settings.application.usm.auth_key),
    },
    Letter {
        letter: 'x',
        value: Value::None,
        verbs: USM,
        help: "change the privacy key",
        apply: |settings, _| toggle(&mut settings.application.usm.priv_key),
    },
    Letter {
        letter: 'k',
        value: Value::None,
        verbs: USM,
        help: "take localized keys, as 0x and digits, instead of pass phrases",
        apply: |settings, _| toggle(&mut settings.application.usm.localized),
    },
    Letter {
        letter: 'p',
        value: Value::NextWord("STRING"),
        verbs: USM,
        help: "set the user's usmUserPublic to STRING",
        apply: |settings, value| {
            settings.application.usm.public = Some(value.to_owned());
            Ok(())
        },
    },
    Letter {
        letter: 'w',
        value: Value::None,
        verbs: USM,
        help: "create the user with createAndWait (to be activated later)",
        apply: |settings, _| toggle(&mut settings.application.usm.wait),
    },
    Letter {
        letter: 'E',
        value: Value::NextWord("ENGINE-ID"),
        verbs: USM,
        help: "the engine whose user it is (default: the agent's own)",
        apply: |settings, value| {
            let bad = |_| Refused::Message("Bad usmUserEngineID value after -CE option.".to_owned());
            settings.application.usm.engine_id = Some(value.parse().map_err(bad)?);
            Ok(())
        },
    },
    Letter {
        letter: 'e',
        value: Value::None,
        verbs: &[Verb::Vacm],
        help: "exclude the view's subtree",
        apply: |settings, _| toggle(&mut settings.application.excluded),
    },
];

const USM: &[Verb] = &[Verb::Usm];
