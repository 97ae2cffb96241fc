//! `df`: prints storage usage from hrStorageTable, or from dskTable if that is empty.

use portreeve_mib::{
    Object,
    modules::{
        host_resources_mib::{
            HR_STORAGE_ALLOCATION_UNITS, HR_STORAGE_DESCR, HR_STORAGE_INDEX, HR_STORAGE_SIZE, HR_STORAGE_USED,
        },
        ucd_snmp_mib::{DSK_INDEX, DSK_PATH, DSK_TOTAL, DSK_USED},
    },
};
use portreeve_smi::{OwnedValue, Value, controls_display};
use portreeve_snmp_manager::{Operation, Request};

use super::{Agent, row_change::instance, subtree};
use crate::{command_error::CommandError, output::Output};

pub(super) fn run(agent: &mut Agent, output: &mut Output, extra: &[String]) -> Result<u8, CommandError> {
    if let Some(word) = extra.first() {
        return Err(CommandError::Session(format!("extra argument: {word}")));
    }
    agent.open()?;
    let options = agent.application.df;
    let (size, width) = if options.scale.is_some() { ("Size", 10) } else { ("Size (kB)", 15) };
    output.print_line(&format_line("Description", [size, "Used", "Available"], width, "Used%"));
    let mut count = 0;
    if !options.ucd {
        count = print_rows(agent, output, &HR_STORAGE_INDEX, StorageArea::from_host_resources, HR_COLUMNS)?;
    }
    if count == 0 {
        count = print_rows(agent, output, &DSK_INDEX, StorageArea::from_ucd, DSK_COLUMNS)?;
    }
    if count == 0 {
        return Err(CommandError::Message("Failed to locate any partitions.".to_owned()));
    }
    Ok(0)
}

/// Prints the rows of a table and returns their number.
fn print_rows(
    agent: &mut Agent,
    output: &mut Output,
    index: &'static Object,
    read: fn(&[OwnedValue]) -> Option<StorageArea>,
    columns: &[&'static Object],
) -> Result<usize, CommandError> {
    let mut rows = Vec::new();
    subtree::visit(agent, output, index.arcs(), |bind| {
        rows.extend(bind.name.to_buf().get(index.arcs().len()..).map(<[u32]>::to_vec));
    })?;
    let scale = agent.application.df.scale;
    for row in &rows {
        let mut request = Request::new(Operation::Get);
        for column in columns {
            request.push(&instance(column, row)?, Value::Null);
        }
        let response = agent.request(&request)?;
        let values: Vec<OwnedValue> =
            response.var_binds().iter().map(|bind| OwnedValue::from(bind.value)).collect();
        // A row may be deleted while the table is read.
        if let Some(area) = read(&values) {
            output.print_line(&area.line(scale));
        }
        agent.recycle(response);
    }
    Ok(rows.len())
}

/// One storage area; sizes are in kibibytes.
#[derive(Debug, PartialEq, Eq)]
struct StorageArea {
    name: String,
    size: u64,
    used: u64,
    available: u64,
    percent: u64,
}

impl StorageArea {
    fn from_host_resources(values: &[OwnedValue]) -> Option<Self> {
        let [name, units, size, used] = values else { return None };
        let (units, size, used) = (number(units)?, number(size)?, number(used)?);
        let kibibytes = |count: u64| if units == 0 { count } else { count * units / 1024 };
        Some(Self {
            name: text(name)?,
            size: kibibytes(size),
            used: kibibytes(used),
            available: kibibytes(size.saturating_sub(used)),
            percent: percent(used, size),
        })
    }

    fn from_ucd(values: &[OwnedValue]) -> Option<Self> {
        let [name, size, used] = values else { return None };
        let (size, used) = (number(size)?, number(used)?);
        let available = size.saturating_sub(used);
        Some(Self { name: text(name)?, size, used, available, percent: percent(used, size) })
    }

    fn line(&self, scale: Option<u16>) -> String {
        let sizes = [self.size, self.used, self.available];
        let percent = format!("{}%", self.percent);
        match scale {
            Some(scale) => {
                let sizes = sizes.map(|size| human_size(size, scale));
                format_line(&self.name, sizes.each_ref().map(String::as_str), 10, &percent)
            }
            None => {
                let sizes = sizes.map(|size| size.to_string());
                format_line(&self.name, sizes.each_ref().map(String::as_str), 15, &percent)
            }
        }
    }
}

fn format_line(name: &str, sizes: [&str; 3], width: usize, percent: &str) -> String {
    let [size, used, available] = sizes;
    format!("{name:<18} {size:>width$} {used:>width$} {available:>width$} {percent:>5}")
}

fn percent(used: u64, size: u64) -> u64 {
    (used * 100).checked_div(size).unwrap_or(used)
}

/// Formats a number of kibibytes with two decimals, in the largest unit in which it is at least 1.
#[allow(clippy::cast_precision_loss, reason = "two decimals are shown")]
fn human_size(kibibytes: u64, scale: u16) -> String {
    let infix = if scale == 1024 { "i" } else { "" };
    let mut unit = 1_u64;
    for prefix in ["k", "M", "G", "T"] {
        let next = unit * u64::from(scale);
        if kibibytes < next {
            let infix = if prefix == "k" { "" } else { infix };
            return format!("{:.2}{prefix}{infix}B", kibibytes as f32 / unit as f32);
        }
        unit = next;
    }
    format!("{:.2}P{infix}B", kibibytes as f32 / unit as f32)
}

/// Returns a size as an unsigned number. Agents use the sign bit of an Integer32 for large sizes.
fn number(value: &OwnedValue) -> Option<u64> {
    match value {
        OwnedValue::Integer(number) => Some(u64::from(number.cast_unsigned())),
        OwnedValue::Gauge32(number) | OwnedValue::Counter32(number) => Some(u64::from(*number)),
        _ => None,
    }
}

/// Returns a description as text, with control characters replaced by dots.
fn text(value: &OwnedValue) -> Option<String> {
    let OwnedValue::OctetString(octets) = value else { return None };
    let printable = |character: char| if controls_display(character) { '.' } else { character };
    Some(String::from_utf8_lossy(octets).chars().map(printable).collect())
}

static HR_COLUMNS: &[&Object] =
    &[&HR_STORAGE_DESCR, &HR_STORAGE_ALLOCATION_UNITS, &HR_STORAGE_SIZE, &HR_STORAGE_USED];
static DSK_COLUMNS: &[&Object] = &[&DSK_PATH, &DSK_TOTAL, &DSK_USED];

#[cfg(test)]
mod tests;
