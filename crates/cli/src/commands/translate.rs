//! `translate`: names to object identifiers and back, and the definitions as SMIv2 text.

use portreeve_mib::{export::export_smi, modules, names};

use super::cannot_write;
use crate::{failure::Failure, flags::Settings, output::Output};
use portreeve_smi::OidRef;

pub(super) fn run(settings: &Settings, operands: &[String]) -> Result<u8, Failure> {
    let mut output = Output::new(settings.format, settings.data);
    let result = if settings.export_smi {
        export(&mut output, operands)
    } else if operands.is_empty() {
        Err(Failure::Usage(String::new()))
    } else {
        Ok(translate(&mut output, operands))
    };
    output.flush().map_err(|error| cannot_write(&error))?;
    result
}

fn translate(output: &mut Output, texts: &[String]) -> u8 {
    let mut exit_code = 0;
    let known = output.format().definitions;
    for text in texts {
        match known.parse(text) {
            Ok(name) => {
                let name = output.name_of(OidRef::Arcs(&name));
                output.line(&name);
            }
            Err(error) => {
                eprintln!("{text}: {error}");
                exit_code = NOT_FOUND;
            }
        }
    }
    exit_code
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
