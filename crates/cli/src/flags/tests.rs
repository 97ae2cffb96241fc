use std::ffi::OsString;

use portreeve_mib::format::OutputFormat;

use super::*;
use crate::command_error::CommandError;

fn read(verb: Verb, words: &[&str]) -> Result<(Settings, Vec<OsString>), CommandError> {
    parse(verb, "portreeve test", words.iter().map(OsString::from))
}

fn message(verb: Verb, words: &[&str]) -> String {
    match read(verb, words) {
        Err(CommandError::Usage(message) | CommandError::Message(message)) => message,
        Err(other) => format!("{other:?}"),
        Ok(_) => "taken".to_owned(),
    }
}

#[test]
fn flag_value_may_be_attached_to_flag_or_be_the_next_word() {
    for words in
        [&["-v2c", "-Oqv", "-cpublic", "a", "b"][..], &["-v", "2c", "a", "-Oq", "-Ov", "-c", "public", "b"]]
    {
        let (settings, operands) = read(Verb::Get, words).unwrap();
        assert_eq!(settings.version, Version::V2c);
        assert_eq!(settings.community.unwrap().expose(), b"public");
        assert!(settings.format.quick && settings.format.value_only);
        assert_eq!(operands, ["a", "b"]);
    }
}

#[test]
fn application_options_may_be_combined_and_take_next_word_as_value() {
    let (settings, _) = read(Verb::BulkWalk, &["-Cn1r25pc"]).unwrap();
    let application = settings.application;
    assert_eq!((application.non_repeaters, application.max_repetitions), (1, 25));
    assert!(application.print_count && application.unchecked_order);
    let (settings, operands) = read(Verb::Walk, &["-CE", "1.3", "a"]).unwrap();
    assert_eq!((settings.application.end.as_deref(), operands.len()), (Some("1.3"), 1));
}

#[test]
fn flags_end_at_double_hyphen_or_at_first_operand_of_set_verb() {
    let (_, operands) = read(Verb::Set, &["-v1", "host", "name", "i", "-5"]).unwrap();
    assert_eq!(operands, ["host", "name", "i", "-5"]);
    let (_, operands) = read(Verb::Get, &["host", "--", "-5"]).unwrap();
    assert_eq!(operands, ["host", "-5"]);
}

#[test]
fn invalid_flag_is_reported_with_net_snmp_message() {
    let table: &[(Verb, &[&str], &str)] = &[
        (Verb::Get, &["-v9"], "Invalid version specified after -v flag: 9"),
        (Verb::Get, &["-l", "x"], "Invalid security level specified after -3l flag: x"),
        (Verb::Get, &["-a", "x"], "Invalid authentication protocol specified after -3a flag: x"),
        (Verb::Get, &["-x", "x"], "Invalid privacy protocol specified after -3x flag: x"),
        (Verb::Get, &["-t", "x"], "Invalid timeout in seconds after -t flag."),
        (Verb::Get, &["-t", "0"], "Invalid timeout in seconds after -t flag."),
        (Verb::Get, &["-t", "-1"], "Invalid timeout in seconds after -t flag."),
        (Verb::Get, &["-t", "nan"], "Invalid timeout in seconds after -t flag."),
        (Verb::Get, &["-t", "1e300"], "Invalid timeout in seconds after -t flag."),
        (Verb::Get, &["-r", "-1"], "Invalid number of retries after -r flag."),
        (Verb::Get, &["-Oqz"], "Unknown output option passed to -O: z."),
        (Verb::Get, &["-Cz"], "Unknown flag passed to -C: z"),
        (Verb::Get, &["-Cr5"], "Unknown flag passed to -C: r"),
        (Verb::Get, &["-e", "zz"], "Bad engine ID value after -3e flag."),
        (Verb::Get, &["-E", "0x00"], "Invalid engine ID value after -E flag."),
        (Verb::BulkGet, &["-Cr"], ""),
        (Verb::BulkGet, &["-Cr99999999999"], ""),
        (Verb::Get, &["-z"], "portreeve test: invalid option -- 'z'"),
        (Verb::Get, &["-v"], "portreeve test: option requires an argument -- 'v'"),
        (Verb::Get, &["--what"], "portreeve test: unrecognized option '--what'"),
        (Verb::Get, &["--stats=1"], "portreeve test: option '--stats' doesn't allow an argument"),
        (Verb::Get, &["-Iq"], "Unknown input option passed to -I: q."),
        (Verb::Get, &["-Pq"], "Unknown parsing option passed to -P: q."),
        (Verb::Get, &["-3z", "0x00"], "Unknown SNMPv3 option passed to -3: z."),
        (Verb::Get, &["-3m"], "Missing argument after SNMPv3 '-3m' option."),
        (Verb::Get, &["-3k", "0xgg"], "Bad key value after -3k flag."),
        (Verb::Get, &["-3k", "0x0"], "Bad key value after -3k flag."),
        (Verb::Get, &["-Z", "x"], "Need engine boots value after -3Z flag."),
        (Verb::Get, &["-Z", "1"], "Need engine time after \"-Z engineBoot\"."),
        (Verb::Get, &["-Z", "1,"], "Need engine time after \"-3Z engineBoot,\"."),
        (
            Verb::Get,
            &["-T", "our_identity=ops", "-T", "their_identity=agent", "-T", "peerCert=agent"],
            "taken",
        ),
        (Verb::Get, &["-T", "localCert"], "-T expects a NAME=VALUE pair."),
        (Verb::Get, &["--compat", "x"], "--compat accepts only net-snmp: x"),
        (Verb::Translate, &["-v1"], "portreeve test: invalid option -- 'v'"),
    ];
    for (verb, words, expected) in table {
        assert_eq!(message(*verb, words), *expected, "{words:?}");
    }
}

#[test]
fn flag_names_are_unique_within_each_verb() {
    for verb in Verb::ALL {
        let flags: Vec<_> = table::all().filter(|flag| flag.verbs.contains(&verb)).collect();
        for (index, flag) in flags.iter().enumerate() {
            for other in &flags[..index] {
                assert!(flag.name.short().is_none() || flag.name.short() != other.name.short());
                assert!(flag.name.long().is_none() || flag.name.long() != other.name.long());
            }
        }
    }
}

#[test]
fn verb_help_lists_exactly_its_flags_and_all_application_options() {
    for verb in Verb::ALL {
        let help = usage(verb, "portreeve test");
        // Joins the lines, because a help text may be broken anywhere.
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        for flag in table::all() {
            assert_eq!(help.contains(flag.help), flag.verbs.contains(&verb), "{verb:?} {:?}", flag.name);
        }
        for letter in application::letters(verb) {
            assert!(help.contains(letter.help), "{verb:?} {}", letter.letter);
        }
    }
}

#[test]
fn help_lists_exactly_the_accepted_output_options() {
    for letter in '!'..='~' {
        let is_accepted = OutputFormat::default().apply(&letter.to_string()).is_ok();
        let is_explained = output_letters::LETTERS.iter().any(|(known, _)| *known == letter);
        assert_eq!(is_accepted, is_explained, "{letter}");
    }
}

#[test]
fn input_options_expand_object_names_before_lookup() {
    let completed = |flags: &[&str], verb: Verb, operands: &[&str]| {
        let (settings, _) = read(verb, flags).unwrap();
        let mut operands: Vec<String> = operands.iter().map(|operand| (*operand).to_owned()).collect();
        settings.input_names.complete(verb, &portreeve_mib::names::BUILT_IN, &mut operands);
        operands.join(" ")
    };
    assert_eq!(completed(&["-Is", "0"], Verb::Get, &["host", "sysName"]), "host sysName.0");
    assert_eq!(completed(&["-Is.0"], Verb::Set, &["host", "sysName", "s", "x"]), "host sysName.0 s x");
    assert_eq!(completed(&["-ISSNMPv2-MIB::"], Verb::Translate, &["sysName"]), "SNMPv2-MIB::sysName");
    assert_eq!(completed(&["-Iu"], Verb::Get, &["host", "1.5.0", ".1.3"]), "host .1.3.6.1.2.1.1.5.0 .1.3");
    assert_eq!(completed(&["-Ib"], Verb::Get, &["host", "SYS.*ime.0"]), "host .1.3.6.1.2.1.1.3.0");
    assert_eq!(completed(&["-Ib"], Verb::Get, &["host", "no such name"]), "host no such name");
}
