//! `vacm`: manages access control rows (SNMP-VIEW-BASED-ACM-MIB, RFC 3415).

use portreeve_mib::modules::vacm_mib::{
    VACM_ACCESS_CONTEXT_MATCH, VACM_ACCESS_NOTIFY_VIEW_NAME, VACM_ACCESS_READ_VIEW_NAME, VACM_ACCESS_STATUS,
    VACM_ACCESS_WRITE_VIEW_NAME, VACM_GROUP_NAME, VACM_SECURITY_TO_GROUP_STATUS, VACM_VIEW_TREE_FAMILY_MASK,
    VACM_VIEW_TREE_FAMILY_STATUS, VACM_VIEW_TREE_FAMILY_TYPE,
};
use portreeve_smi::Value;

use super::{
    Agent,
    row_change::{
        RowChange, push_counted,
        row_status::{CREATE_AND_GO, DESTROY},
    },
};
use crate::{command_error::CommandError, output::Output};

pub(super) fn run(agent: &mut Agent, output: &mut Output, words: &[String]) -> Result<u8, CommandError> {
    agent.open()?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let Some((command, operands)) = words.split_first() else {
        return Err(usage_error("Please specify a operation to perform."));
    };
    let (change, note) = match *command {
        "createView" => {
            (create_view(output, agent.application.excluded, operands)?, "View successfully created.")
        }
        "deleteView" => (delete_view(output, operands)?, "View successfully deleted."),
        "createSec2Group" => (create_group(operands)?, "Sec2group successfully created."),
        "deleteSec2Group" => (delete_group(operands)?, "Sec2group successfully deleted."),
        "createAccess" => (create_access(operands)?, "Access successfully created."),
        "deleteAccess" => (delete_access(operands)?, "Access successfully deleted."),
        _ => return Err(usage_error("Unknown command")),
    };
    let exit_code = change.send(agent, output)?;
    if exit_code == 0 {
        eprintln!("{note}");
    }
    Ok(exit_code)
}

fn create_view(output: &mut Output, excluded: bool, operands: &[&str]) -> Result<RowChange, CommandError> {
    let (name, subtree, mask) = match operands {
        [name, subtree] => (name, subtree, None),
        [name, subtree, mask] => (name, subtree, Some(mask)),
        _ => return Err(usage_error("You must specify name, subtree and mask")),
    };
    let index = view_index(output, name, subtree)?;
    let mask = match mask {
        Some(text) => parse_mask(text)?,
        // All bits are set, so that every arc is significant. The mask has the same length as that
        // of snmpvacm, so that the rows are identical.
        None => {
            let arcs = VACM_VIEW_TREE_FAMILY_MASK.arcs().len() + index.len();
            vec![u8::MAX; arcs.div_ceil(8).min(MAX_MASK_LEN)]
        }
    };
    RowChange::for_row(index)
        .set_number(&VACM_VIEW_TREE_FAMILY_STATUS, CREATE_AND_GO)?
        .set(&VACM_VIEW_TREE_FAMILY_MASK, Value::OctetString(&mask))?
        .set_number(&VACM_VIEW_TREE_FAMILY_TYPE, if excluded { 2 } else { 1 })
}

fn delete_view(output: &mut Output, operands: &[&str]) -> Result<RowChange, CommandError> {
    let [name, subtree] = operands else { return Err(usage_error("You must specify the view to delete")) };
    RowChange::for_row(view_index(output, name, subtree)?).set_number(&VACM_VIEW_TREE_FAMILY_STATUS, DESTROY)
}

fn create_group(operands: &[&str]) -> Result<RowChange, CommandError> {
    let [model, name, group] = operands else {
        return Err(usage_error("You must specify model, security name and group name"));
    };
    RowChange::for_row(group_index(model, name)?)
        .set_number(&VACM_SECURITY_TO_GROUP_STATUS, CREATE_AND_GO)?
        .set(&VACM_GROUP_NAME, Value::OctetString(group.as_bytes()))
}

fn delete_group(operands: &[&str]) -> Result<RowChange, CommandError> {
    let [model, name] = operands else { return Err(usage_error("You must specify the sec2group to delete")) };
    RowChange::for_row(group_index(model, name)?).set_number(&VACM_SECURITY_TO_GROUP_STATUS, DESTROY)
}

fn create_access(operands: &[&str]) -> Result<RowChange, CommandError> {
    let (group, prefix, rest) = match operands {
        [group, rest @ ..] if rest.len() == 6 => (group, "", rest),
        [group, prefix, rest @ ..] if rest.len() == 6 => (group, *prefix, rest),
        _ => return Err(usage_error("You must specify the access entry to create")),
    };
    let [model, level, context_match, read, write, notify] = rest else {
        return Err(usage_error("You must specify the access entry to create"));
    };
    let text = |name: &'static str, word: &str| parse_number::<i32>(name, word);
    RowChange::for_row(access_index(group, prefix, model, level)?)
        .set_number(&VACM_ACCESS_STATUS, CREATE_AND_GO)?
        .set_number(&VACM_ACCESS_CONTEXT_MATCH, text("contextMatch", context_match)?)?
        .set(&VACM_ACCESS_READ_VIEW_NAME, Value::OctetString(read.as_bytes()))?
        .set(&VACM_ACCESS_WRITE_VIEW_NAME, Value::OctetString(write.as_bytes()))?
        .set(&VACM_ACCESS_NOTIFY_VIEW_NAME, Value::OctetString(notify.as_bytes()))
}

fn delete_access(operands: &[&str]) -> Result<RowChange, CommandError> {
    let (group, prefix, model, level) = match operands {
        [group, model, level] => (group, "", model, level),
        [group, prefix, model, level] => (group, *prefix, model, level),
        _ => return Err(usage_error("You must specify the access entry to delete")),
    };
    RowChange::for_row(access_index(group, prefix, model, level)?).set_number(&VACM_ACCESS_STATUS, DESTROY)
}

/// Returns the index of a row of vacmViewTreeFamilyTable.
fn view_index(output: &mut Output, name: &str, subtree: &str) -> Result<Vec<u32>, CommandError> {
    let wrong = |_| CommandError::Message(format!("Error parsing subtree ({subtree})"));
    let subtree = output.parse_name(subtree).map_err(wrong)?;
    let mut index = Vec::new();
    push_counted(&mut index, name.as_bytes());
    index.push(u32::try_from(subtree.len()).unwrap_or(u32::MAX));
    index.extend_from_slice(&subtree);
    Ok(index)
}

/// Returns the index of a row of vacmSecurityToGroupTable.
fn group_index(model: &str, name: &str) -> Result<Vec<u32>, CommandError> {
    let mut index = vec![parse_number("security model", model)?];
    push_counted(&mut index, name.as_bytes());
    Ok(index)
}

/// Returns the index of a row of vacmAccessTable.
fn access_index(group: &str, prefix: &str, model: &str, level: &str) -> Result<Vec<u32>, CommandError> {
    let mut index = Vec::new();
    push_counted(&mut index, group.as_bytes());
    push_counted(&mut index, prefix.as_bytes());
    index.push(parse_number("security model", model)?);
    index.push(parse_number("security level", level)?);
    Ok(index)
}

/// Parses octets in hexadecimal, separated by dots or colons.
fn parse_mask(text: &str) -> Result<Vec<u8>, CommandError> {
    let octets: Result<Vec<u8>, _> = text
        .split(['.', ':'])
        .filter(|digits| !digits.is_empty())
        .map(|digits| u8::from_str_radix(digits, 16))
        .collect();
    let mask = octets.map_err(|_| CommandError::Message("invalid MASK".to_owned()))?;
    if mask.len() > MAX_MASK_LEN { Err(CommandError::Message("MASK too long".to_owned())) } else { Ok(mask) }
}

fn parse_number<T: std::str::FromStr>(what: &str, word: &str) -> Result<T, CommandError> {
    word.parse().map_err(|_| usage_error(&format!("invalid {what}")))
}

fn usage_error(message: &str) -> CommandError {
    CommandError::Usage(message.to_owned())
}

/// Maximum length of vacmViewTreeFamilyMask in octets (RFC 3415).
const MAX_MASK_LEN: usize = 16;
