//! `translate`: converts between names and object identifiers, and prints definitions as SMIv2
//! text.

use portreeve_mib::{
    Object,
    describe::{details, outline},
    export::export_smi,
    modules,
    names::{self, NameError, ROOTS_ONLY},
};

use super::{name_error_message, write_error};
use crate::{
    command_error::CommandError,
    flags::{Settings, TranslateReport},
    output::Output,
};
use portreeve_smi::{OidBuf, OidRef, display_arcs};
use regex_lite::RegexBuilder;

/// Runs the verb. `classic` is true if the program was called by its Net-SNMP name: then names
/// require their module or their full path, and the first unknown name ends the command.
pub(super) fn run(
    settings: &Settings,
    output: &mut Output,
    operands: &[String],
    classic: bool,
) -> Result<u8, CommandError> {
    if settings.report.covers_all_definitions() {
        output.load_defaults();
    }
    let result = if settings.export_smi {
        export(output, operands)
    } else if report_all(output, settings.report, operands.is_empty()) {
        Ok(0)
    } else if operands.is_empty() {
        Err(CommandError::Usage(String::new()))
    } else {
        translate(output, settings, operands, classic)
    };
    output.flush().map_err(|error| write_error(&error))?;
    result
}

/// Prints the requested report on all definitions; returns false if none is requested.
fn report_all(output: &mut Output, report: TranslateReport, without_names: bool) -> bool {
    let known = output.definitions();
    if report.outline && without_names {
        if let Some(top) = known.object("iso") {
            output.print_text(&outline(known, top));
        }
        return true;
    }
    let is_requested = report.labeled_paths || report.numbers || report.names;
    for (_, object) in known.in_order().filter(|(_, object)| is_requested && object.parent.is_some()) {
        if report.labeled_paths {
            output.print_line(&path(object, |step| format!("{}({})", step.name, step.arc)));
        }
        if report.numbers {
            output.print_line(&format!(".{}", display_arcs(object.arcs())));
        }
        if report.names {
            output.print_line(&path(object, |step| step.name.to_owned()));
        }
    }
    is_requested
}

/// Returns the path from the root to `object`, each step formatted by `format`.
fn path(object: &'static Object, format: impl Fn(&Object) -> String) -> String {
    let steps = std::iter::successors(Some(object), |step| step.parent);
    let mut steps: Vec<String> = steps.map(|step| format!(".{}", format(step))).collect();
    steps.reverse();
    steps.concat()
}

fn translate(
    output: &mut Output,
    settings: &Settings,
    texts: &[String],
    classic: bool,
) -> Result<u8, CommandError> {
    let report = settings.report;
    let wants_module = classic && !settings.input_names.accepts_any_name();
    let mut exit_code = 0;
    for (position, text) in texts.iter().enumerate() {
        let names = match report.matching {
            true => find_matching(output.definitions(), text)?,
            false if wants_module && !is_qualified(text) => Err(NameError::Unknown(text.clone())),
            false => output.parse_name(text).map(|name| vec![name]),
        };
        match names {
            Ok(names) => {
                names.iter().for_each(|name| print_name(output, report, name));
                if classic && position + 1 < texts.len() {
                    output.print_line("");
                }
            }
            Err(error) => {
                eprintln!("{}", name_error_message(output.definitions(), text, &error));
                exit_code = EXIT_NOT_FOUND;
                if classic {
                    break;
                }
            }
        }
    }
    Ok(exit_code)
}

/// Prints one name with the selected report.
fn print_name(output: &mut Output, report: TranslateReport, name: &OidBuf) {
    output.load_for_oid(name);
    let known = output.definitions();
    match known.resolve(name) {
        Some(found) if report.outline => output.print_text(&outline(known, found.object)),
        _ => {
            let formatted = output.format_name(OidRef::Arcs(name));
            output.print_line(&formatted);
            if report.details {
                output.print_text(&details(known, name));
            }
        }
    }
}

/// Finds all objects whose name matches the expression, ignoring letter case.
fn find_matching(known: &names::Names, text: &str) -> Result<Result<Vec<OidBuf>, NameError>, CommandError> {
    let expression = RegexBuilder::new(text).case_insensitive(true).build();
    let expression = expression
        .map_err(|error| CommandError::Message(format!("{text}: invalid regular expression: {error}")))?;
    let matches = known.in_order().filter(|(_, object)| expression.is_match(object.name));
    let found: Vec<OidBuf> = matches.map(|(_, object)| object.oid()).collect();
    Ok(if found.is_empty() { Err(NameError::Unknown(text.to_owned())) } else { Ok(found) })
}

/// Returns true if a name starts with its module or at a root.
fn is_qualified(text: &str) -> bool {
    let first = text.split(['.', '[']).next().unwrap_or_default();
    let is_root = || ROOTS_ONLY.object(first).is_some();
    text.contains("::") || text.starts_with(|c: char| c == '.' || c.is_ascii_digit()) || is_root()
}

fn export(output: &mut Output, module_names: &[String]) -> Result<u8, CommandError> {
    if module_names.is_empty() {
        modules::ALL.iter().for_each(|module| output.print_line(module.name));
        return Ok(0);
    }
    for name in module_names {
        let module = names::module(name)
            .ok_or_else(|| CommandError::Message(format!("Cannot find module ({name})")))?;
        output.print_text(&export_smi(module));
    }
    Ok(0)
}

/// The exit code if a name is unknown.
const EXIT_NOT_FOUND: u8 = 2;
