//! `vacm`: rows of access control (SNMP-VIEW-BASED-ACM-MIB, RFC 3415).

use portreeve_mib::{
    modules::vacm_mib::{
        VACM_ACCESS_CONTEXT_MATCH, VACM_ACCESS_NOTIFY_VIEW_NAME, VACM_ACCESS_READ_VIEW_NAME,
        VACM_ACCESS_STATUS, VACM_ACCESS_WRITE_VIEW_NAME, VACM_GROUP_NAME, VACM_SECURITY_TO_GROUP_STATUS,
        VACM_VIEW_TREE_FAMILY_MASK, VACM_VIEW_TREE_FAMILY_STATUS, VACM_VIEW_TREE_FAMILY_TYPE,
    },
    names::Names,
};
use portreeve_smi::Value;

use super::{
    Agent,
    change::{
        Change, push_counted,
        row_status::{CREATE_AND_GO, DESTROY},
    },
};
use crate::{failure::Failure, output::Output};

pub(super) fn run(agent: &mut Agent, output: &Output, words: &[String]) -> Result<u8, Failure> {
    agent.open()?;
    let known = output.format().definitions;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let Some((command, operands)) = words.split_first() else {
        return Err(usage("Please specify a operation to perform."));
    };
    let (change, note) = match *command {
        "createView" => {
            (create_view(known, agent.application.excluded, operands)?, "View successfully created.")
        }
        "deleteView" => (delete_view(known, operands)?, "View successfully deleted."),
        "createSec2Group" => (create_group(operands)?, "Sec2group successfully created."),
        "deleteSec2Group" => (delete_group(operands)?, "Sec2group successfully deleted."),
        "createAccess" => (create_access(operands)?, "Access successfully created."),
        "deleteAccess" => (delete_access(operands)?, "Access successfully deleted."),
        _ => return Err(usage("Unknown command")),
    };
    let exit_code = change.make(agent, output)?;
    if exit_code == 0 {
        eprintln!("{note}");
    }
    Ok(exit_code)
}

fn create_view(known: &Names, excluded: bool, operands: &[&str]) -> Result<Change, Failure> {
    let (name, subtree, mask) = match operands {
        [name, subtree] => (name, subtree, None),
        [name, subtree, mask] => (name, subtree, Some(mask)),
        _ => return Err(usage("You must specify name, subtree and mask")),
    };
    let index = view(known, name, subtree)?;
    let mask = match mask {
        Some(text) => read_mask(text)?,
        // Every arc counts. As long as snmpvacm makes it, so that the rows are the same.
        None => {
            let arcs = VACM_VIEW_TREE_FAMILY_MASK.arcs().len() + index.len();
            vec![u8::MAX; arcs.div_ceil(8).min(LONGEST_MASK)]
        }
    };
    Change::of_row(index)
        .number(&VACM_VIEW_TREE_FAMILY_STATUS, CREATE_AND_GO)?
        .set(&VACM_VIEW_TREE_FAMILY_MASK, Value::OctetString(&mask))?
        .number(&VACM_VIEW_TREE_FAMILY_TYPE, if excluded { 2 } else { 1 })
}

fn delete_view(known: &Names, operands: &[&str]) -> Result<Change, Failure> {
    let [name, subtree] = operands else { return Err(usage("You must specify the view to delete")) };
    Change::of_row(view(known, name, subtree)?).number(&VACM_VIEW_TREE_FAMILY_STATUS, DESTROY)
}

fn create_group(operands: &[&str]) -> Result<Change, Failure> {
    let [model, name, group] = operands else {
        return Err(usage("You must specify model, security name and group name"));
    };
    Change::of_row(security_name(model, name)?)
        .number(&VACM_SECURITY_TO_GROUP_STATUS, CREATE_AND_GO)?
        .set(&VACM_GROUP_NAME, Value::OctetString(group.as_bytes()))
}

fn delete_group(operands: &[&str]) -> Result<Change, Failure> {
    let [model, name] = operands else { return Err(usage("You must specify the sec2group to delete")) };
    Change::of_row(security_name(model, name)?).number(&VACM_SECURITY_TO_GROUP_STATUS, DESTROY)
}

fn create_access(operands: &[&str]) -> Result<Change, Failure> {
    let (group, prefix, rest) = match operands {
        [group, rest @ ..] if rest.len() == 6 => (group, "", rest),
        [group, prefix, rest @ ..] if rest.len() == 6 => (group, *prefix, rest),
        _ => return Err(usage("You must specify the access entry to create")),
    };
    let [model, level, context_match, read, write, notify] = rest else {
        return Err(usage("You must specify the access entry to create"));
    };
    let text = |name: &'static str, word: &str| number::<i32>(name, word);
    Change::of_row(access(group, prefix, model, level)?)
        .number(&VACM_ACCESS_STATUS, CREATE_AND_GO)?
        .number(&VACM_ACCESS_CONTEXT_MATCH, text("contextMatch", context_match)?)?
        .set(&VACM_ACCESS_READ_VIEW_NAME, Value::OctetString(read.as_bytes()))?
        .set(&VACM_ACCESS_WRITE_VIEW_NAME, Value::OctetString(write.as_bytes()))?
        .set(&VACM_ACCESS_NOTIFY_VIEW_NAME, Value::OctetString(notify.as_bytes()))
}

fn delete_access(operands: &[&str]) -> Result<Change, Failure> {
    let (group, prefix, model, level) = match operands {
        [group, model, level] => (group, "", model, level),
        [group, prefix, model, level] => (group, *prefix, model, level),
        _ => return Err(usage("You must specify the access entry to delete")),
    };
    Change::of_row(access(group, prefix, model, level)?).number(&VACM_ACCESS_STATUS, DESTROY)
}

/// Index of vacmViewTreeFamilyTable.
fn view(known: &Names, name: &str, subtree: &str) -> Result<Vec<u32>, Failure> {
    let wrong = |_| Failure::Message(format!("Error parsing subtree ({subtree})"));
    let subtree = known.parse(subtree).map_err(wrong)?;
    let mut index = Vec::new();
    push_counted(&mut index, name.as_bytes());
    index.push(u32::try_from(subtree.len()).unwrap_or(u32::MAX));
    index.extend_from_slice(&subtree);
    Ok(index)
}

/// Index of vacmSecurityToGroupTable.
fn security_name(model: &str, name: &str) -> Result<Vec<u32>, Failure> {
    let mut index = vec![number("security model", model)?];
    push_counted(&mut index, name.as_bytes());
    Ok(index)
}

/// Index of vacmAccessTable.
fn access(group: &str, prefix: &str, model: &str, level: &str) -> Result<Vec<u32>, Failure> {
    let mut index = Vec::new();
    push_counted(&mut index, group.as_bytes());
    push_counted(&mut index, prefix.as_bytes());
    index.push(number("security model", model)?);
    index.push(number("security level", level)?);
    Ok(index)
}

/// Octets in hexadecimal, with dots or colons between them.
fn read_mask(text: &str) -> Result<Vec<u8>, Failure> {
    let octets: Result<Vec<u8>, _> = text
        .split(['.', ':'])
        .filter(|digits| !digits.is_empty())
        .map(|digits| u8::from_str_radix(digits, 16))
        .collect();
    let mask = octets.map_err(|_| Failure::Message("invalid MASK".to_owned()))?;
    if mask.len() > LONGEST_MASK { Err(Failure::Message("MASK too long".to_owned())) } else { Ok(mask) }
}

fn number<T: std::str::FromStr>(what: &str, word: &str) -> Result<T, Failure> {
    word.parse().map_err(|_| usage(&format!("invalid {what}")))
}

fn usage(message: &str) -> Failure {
    Failure::Usage(message.to_owned())
}

/// Octets of vacmViewTreeFamilyMask (RFC 3415).
const LONGEST_MASK: usize = 16;
