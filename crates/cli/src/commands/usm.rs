//! `usm`: manages the users of an agent's User-based Security Model (RFC 3414 §5, Appendix A.5).

mod keys;

use portreeve_mib::modules::{
    framework_mib::SNMP_ENGINE_ID,
    usm_mib::{
        USM_USER_AUTH_KEY_CHANGE, USM_USER_CLONE_FROM, USM_USER_OWN_AUTH_KEY_CHANGE,
        USM_USER_OWN_PRIV_KEY_CHANGE, USM_USER_PRIV_KEY_CHANGE, USM_USER_PUBLIC, USM_USER_SECURITY_NAME,
        USM_USER_STATUS,
    },
};
use portreeve_smi::{EngineId, OidRef, Value};
use portreeve_snmp_manager::{Operation, Request};

use super::{
    Agent,
    row_change::{
        RowChange, instance, push_counted,
        row_status::{ACTIVE, CREATE_AND_GO, CREATE_AND_WAIT, DESTROY, NOT_IN_SERVICE},
    },
};
use crate::{command_error::CommandError, output::Output};

pub(super) fn run(agent: &mut Agent, output: &mut Output, words: &[String]) -> Result<u8, CommandError> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let Some((command, operands)) = words.split_first() else {
        return Err(usage_error("Please specify an operation to perform."));
    };
    let command = Command::parse(command, operands)?;
    let users = Users { engine_id: engine_id(agent)? };
    let own_name = agent.user_name.clone();
    let wait = agent.application.usm.wait;
    let (mut change, note) = match command {
        Command::Create { user, from } => {
            let status = if wait || from.is_none() { CREATE_AND_WAIT } else { CREATE_AND_GO };
            let change =
                RowChange::for_row(users.index(user.as_bytes())).set_number(&USM_USER_STATUS, status)?;
            (users.clone_from(change, from)?, "User successfully created.")
        }
        Command::CloneFrom { user, from } => {
            let change =
                RowChange::for_row(users.index(user.as_bytes())).set_number(&USM_USER_STATUS, ACTIVE)?;
            (users.clone_from(change, Some(from))?, "User successfully cloned.")
        }
        Command::Status { user, status, note } => {
            (RowChange::for_row(users.index(user.as_bytes())).set_number(&USM_USER_STATUS, status)?, note)
        }
        Command::Passwd { old, new, user } => {
            let change = keys::KeyChange { agent, engine_id: &users.engine_id, old, new }.values()?;
            let name = user.map_or(own_name.clone(), |user| user.as_bytes().to_vec());
            let (auth, privacy) = match user {
                Some(_) => (&USM_USER_AUTH_KEY_CHANGE, &USM_USER_PRIV_KEY_CHANGE),
                None => (&USM_USER_OWN_AUTH_KEY_CHANGE, &USM_USER_OWN_PRIV_KEY_CHANGE),
            };
            let mut row = RowChange::for_row(users.index(&name));
            if let Some(value) = change.auth {
                row = row.set(auth, Value::OctetString(&value))?;
            }
            if let Some(value) = change.privacy {
                row = row.set(privacy, Value::OctetString(&value))?;
            }
            (row, "SNMPv3 Key(s) successfully changed.")
        }
    };
    if let Some(public) = &agent.application.usm.public {
        change = change.set(&USM_USER_PUBLIC, Value::OctetString(public.as_bytes()))?;
    }
    let exit_code = change.send(agent, output)?;
    if exit_code == 0 {
        output.print_line(note);
    }
    Ok(exit_code)
}

/// A parsed command and its user.
enum Command<'a> {
    Create { user: &'a str, from: Option<&'a str> },
    CloneFrom { user: &'a str, from: &'a str },
    Status { user: &'a str, status: i32, note: &'static str },
    Passwd { old: &'a str, new: &'a str, user: Option<&'a str> },
}

impl<'a> Command<'a> {
    fn parse(command: &str, operands: &[&'a str]) -> Result<Self, CommandError> {
        let user = |purpose: &str| {
            operands
                .first()
                .copied()
                .ok_or_else(|| usage_error(&format!("You must specify the user name to {purpose}")))
        };
        let second = operands.get(1).copied();
        let status = |purpose: &str, status, note| Ok(Self::Status { user: user(purpose)?, status, note });
        match command {
            "create" => Ok(Self::Create { user: user("create")?, from: second }),
            "cloneFrom" => {
                let user = user("operate on")?;
                let from =
                    second.ok_or_else(|| usage_error("You must specify the user name to clone from"))?;
                Ok(Self::CloneFrom { user, from })
            }
            "delete" => status("delete", DESTROY, "User successfully deleted."),
            "activate" => status("activate", ACTIVE, "User successfully activated."),
            "deactivate" => status("deactivate", NOT_IN_SERVICE, "User successfully deactivated."),
            "passwd" => {
                let old = operands.first().copied().unwrap_or_default();
                Ok(Self::Passwd { old, new: second.unwrap_or_default(), user: operands.get(2).copied() })
            }
            _ => Err(usage_error("Unknown command")),
        }
    }
}

/// The users of one engine.
struct Users {
    engine_id: Vec<u8>,
}

impl Users {
    /// Returns the index of a row of usmUserTable.
    fn index(&self, user: &[u8]) -> Vec<u32> {
        let mut index = Vec::new();
        push_counted(&mut index, &self.engine_id);
        push_counted(&mut index, user);
        index
    }

    /// Sets the RowPointer to the user whose protocols and keys are cloned, if `from` names one.
    fn clone_from(&self, change: RowChange, from: Option<&str>) -> Result<RowChange, CommandError> {
        let Some(from) = from else { return Ok(change) };
        let pointer = instance(&USM_USER_SECURITY_NAME, &self.index(from.as_bytes()))?;
        change.set(&USM_USER_CLONE_FROM, Value::ObjectId(OidRef::Arcs(&pointer)))
    }
}

/// Returns the engine ID of the users: the given one, or that of the agent.
fn engine_id(agent: &mut Agent) -> Result<Vec<u8>, CommandError> {
    if let Some(named) = agent.application.usm.engine_id.or(agent.context_engine_id) {
        return Ok(octets_of(&named));
    }
    let name = instance(&SNMP_ENGINE_ID, &[0])?;
    let response = agent.request(&Request::read(Operation::Get, [&*name]))?;
    let first = response.var_binds().iter().next();
    match first.map(|bind| bind.value) {
        Some(Value::OctetString(octets)) if !response.is_error() => Ok(octets.to_vec()),
        _ => Err(CommandError::Session(
            "the agent does not return its engine ID\nhint: set the engine ID with -CE".to_owned(),
        )),
    }
}

fn octets_of(engine_id: &EngineId) -> Vec<u8> {
    engine_id.as_bytes().to_vec()
}

fn usage_error(message: &str) -> CommandError {
    CommandError::Usage(message.to_owned())
}
