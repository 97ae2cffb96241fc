//! `translate`: names to object identifiers and back, and the definitions as SMIv2 text.

use portreeve_mib::{
    export::export_smi,
    modules,
    names::{self, NONE, NameError},
};

use super::{cannot_write, no_name};
use crate::{failure::Failure, flags::Settings, output::Output};
use portreeve_smi::OidRef;

/// Under Net-SNMP's name, `classic`, names want their module in front or their whole path, and the first that is none is
/// the last that is looked at.
pub(super) fn run(settings: &Settings, operands: &[String], classic: bool) -> Result<u8, Failure> {
    let mut output = Output::new(settings.format, settings.data);
    let result = if settings.export_smi {
        export(&mut output, operands)
    } else if operands.is_empty() {
        Err(Failure::Usage(String::new()))
    } else {
        Ok(translate(&mut output, operands, classic))
    };
    output.flush().map_err(|error| cannot_write(&error))?;
    result
}

fn translate(output: &mut Output, texts: &[String], classic: bool) -> u8 {
    let mut exit_code = 0;
    let known = output.format().definitions;
    for (position, text) in texts.iter().enumerate() {
        let name = match classic && !is_complete(text) {
            true => Err(NameError::Unknown(text.clone())),
            false => known.parse(text),
        };
        match name {
            Ok(name) => {
                let name = output.name_of(OidRef::Arcs(&name));
                output.line(&name);
                if classic && position + 1 < texts.len() {
                    output.line("");
                }
            }
            Err(error) => {
                eprintln!("{}", no_name(text, &error));
                exit_code = NOT_FOUND;
                if classic {
                    break;
                }
            }
        }
    }
    exit_code
}

/// Whether a name begins with its module or at a root.
fn is_complete(text: &str) -> bool {
    let first = text.split(['.', '[']).next().unwrap_or_default();
    let is_root = || NONE.object(first).is_some();
    text.contains("::") || text.starts_with(|c: char| c == '.' || c.is_ascii_digit()) || is_root()
}

fn export(output: &mut Output, wanted: &[String]) -> Result<u8, Failure> {
    if wanted.is_empty() {
        modules::ALL.iter().for_each(|module| output.line(module.name));
        return Ok(0);
    }
    for name in wanted {
        let module =
            names::module(name).ok_or_else(|| Failure::Message(format!("Cannot find module ({name})")))?;
        output.text(&export_smi(module));
    }
    Ok(0)
}

/// Exit code when a name is not known.
const NOT_FOUND: u8 = 2;
