//! The letters of `-C` for `usm` and `vacm`.

use super::{ApplicationLetter, LetterValue, toggle};
use crate::{flags::FlagError, verb::Verb};

pub(super) static LETTERS: &[ApplicationLetter] = &[
    ApplicationLetter {
        letter: 'a',
        value: LetterValue::None,
        verbs: USM,
        help: "change the authentication key",
        apply: |settings, _| toggle(&mut settings.application.usm.auth_key),
    },
    ApplicationLetter {
        letter: 'x',
        value: LetterValue::None,
        verbs: USM,
        help: "change the privacy key",
        apply: |settings, _| toggle(&mut settings.application.usm.priv_key),
    },
    ApplicationLetter {
        letter: 'k',
        value: LetterValue::None,
        verbs: USM,
        help: "use localized keys (0x and hexadecimal digits) instead of pass phrases",
        apply: |settings, _| toggle(&mut settings.application.usm.localized),
    },
    ApplicationLetter {
        letter: 'p',
        value: LetterValue::NextWord("STRING"),
        verbs: USM,
        help: "set the user's usmUserPublic to STRING",
        apply: |settings, value| {
            settings.application.usm.public = Some(value.to_owned());
            Ok(())
        },
    },
    ApplicationLetter {
        letter: 'w',
        value: LetterValue::None,
        verbs: USM,
        help: "create the user with createAndWait (to be activated later)",
        apply: |settings, _| toggle(&mut settings.application.usm.wait),
    },
    ApplicationLetter {
        letter: 'E',
        value: LetterValue::NextWord("ENGINE-ID"),
        verbs: USM,
        help: "set the engine ID of the user (default: the agent's)",
        apply: |settings, value| {
            let bad = |_| FlagError::Message("Bad usmUserEngineID value after -CE option.".to_owned());
            settings.application.usm.engine_id = Some(value.parse().map_err(bad)?);
            Ok(())
        },
    },
    ApplicationLetter {
        letter: 'e',
        value: LetterValue::None,
        verbs: &[Verb::Vacm],
        help: "exclude SUBTREE from the view instead of including it",
        apply: |settings, _| toggle(&mut settings.application.excluded),
    },
];

const USM: &[Verb] = &[Verb::Usm];
