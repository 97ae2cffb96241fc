//! The same entries in libyang: the least that a server on top of it must do.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::report::Report;
use super::setup::Setup;
use super::{ENTRIES, Effort, LEAFS};
use crate::error::{Context, Result};
use crate::experiments::stair;
use crate::peers::netconfd::shipped_modules;
use crate::process::{is_installed, output};
use crate::skips::skip;

/// Parses, merges and validates all entries.
pub(super) fn run(setup: &Setup, effort: Effort, report: &mut Report) -> Result<()> {
    let program = match compile(&setup.directory) {
        Ok(program) => program,
        Err(error) => {
            skip(NAME, error.message());
            return Ok(());
        }
    };
    let file = setup.directory.join("stair.xml");
    fs::write(&file, stair::document(1..=ENTRIES, 0)).context(file.display())?;
    let modules = shipped_modules()?;
    let path = format!("{}/modules:{}", setup.directory.display(), modules.display());
    let mut command = Command::new(program);
    let lines = output(command.args([&path, "stair"]).arg(&file).arg(effort.rounds.to_string()))?;
    let (mut seconds, mut each) = (Vec::new(), Vec::new());
    for line in lines.lines() {
        let (time, bytes) = line.split_once(' ').ok_or("libyang_edit printed no memory")?;
        seconds.push(time.parse()?);
        let bytes: f64 = bytes.parse()?;
        each.push(bytes / LEAFS as f64 - stair::TEXT_LENGTH as f64);
    }
    report.add(format!("parse, merge and validate {LEAFS} leafs"), NAME, "s", seconds, None);
    report.add(format!("memory of {LEAFS} leafs beyond their text"), NAME, "bytes each", each, None);
    Ok(())
}

fn compile(scratch: &Path) -> Result<std::path::PathBuf> {
    if !is_installed("gcc") {
        return Err("gcc is not installed".into());
    }
    let (source, program) = (scratch.join("libyang_edit.c"), scratch.join("libyang_edit"));
    fs::write(&source, include_str!("../../../peers/libyang_edit.c")).context(source.display())?;
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu11", "-O2", "-o"]).arg(&program).arg(&source).arg("-lyang");
    output(&mut gcc).map_err(|_| "a program with libyang cannot be compiled (Debian: libyang2-dev)")?;
    Ok(program)
}

const NAME: &str = "libyang";
