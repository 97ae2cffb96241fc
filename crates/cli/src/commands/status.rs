//! `status`: prints a summary of a system and its interfaces in three lines.

use portreeve_mib::{
    Object,
    format::OutputFormat,
    modules::{
        if_mib::{
            IF_IN_N_UCAST_PKTS, IF_IN_UCAST_PKTS, IF_OPER_STATUS, IF_OUT_N_UCAST_PKTS, IF_OUT_UCAST_PKTS,
        },
        ip_mib::{IP_IN_RECEIVES, IP_OUT_REQUESTS},
        snmpv2_mib::{SYS_DESCR, SYS_UP_TIME},
    },
};
use portreeve_smi::Value;
use portreeve_snmp_manager::{Operation, Request};

use super::{Agent, rejection, row_change::instance, subtree};
use crate::{command_error::CommandError, output::Output};

pub(super) fn run(agent: &mut Agent, output: &mut Output) -> Result<u8, CommandError> {
    let system = System::read(agent, output)?;
    let address = agent.resolved_address();
    output.print_line(&format!("[{address}]=>[{}] Up: {}", system.description, system.up_time));
    let (mut interfaces, mut down) = (0_u64, 0_u64);
    subtree::visit(agent, output, IF_OPER_STATUS.arcs(), |bind| {
        interfaces += 1;
        down += u64::from(bind.value != Value::Integer(UP));
    })?;
    let received = sum_counters(agent, output, [&IF_IN_UCAST_PKTS, &IF_IN_N_UCAST_PKTS])?;
    let sent = sum_counters(agent, output, [&IF_OUT_UCAST_PKTS, &IF_OUT_N_UCAST_PKTS])?;
    output.print_line(&format!(
        "Interfaces: {interfaces}, Recv/Trans packets: {received}/{sent} | IP: {}/{}",
        system.ip_received, system.ip_sent
    ));
    match down {
        0 => {}
        1 => output.print_line("1 interface is down!"),
        _ => output.print_line(&format!("{down} interfaces are down!")),
    }
    Ok(0)
}

/// The values of the first request. A missing value is zero or empty.
#[derive(Default)]
struct System {
    description: String,
    up_time: String,
    ip_received: u32,
    ip_sent: u32,
}

impl System {
    fn read(agent: &mut Agent, output: &Output) -> Result<Self, CommandError> {
        let mut requested = vec![&SYS_DESCR, &SYS_UP_TIME, &IP_IN_RECEIVES, &IP_OUT_REQUESTS];
        let mut system = Self { up_time: up_time(0), ..Self::default() };
        loop {
            let mut request = Request::new(Operation::Get);
            for object in &requested {
                request.push(&instance(object, &[0])?, Value::Null);
            }
            let response = agent.request(&request)?;
            if !response.is_error() {
                for (object, bind) in requested.iter().zip(response.var_binds().iter()) {
                    system.set_value(object, &bind.value);
                }
                return Ok(system);
            }
            rejection::report(&response, output, "Error in packet.");
            match response.error_index() {
                Some(index)
                    if !agent.application.keep_errors && index <= requested.len() && requested.len() > 1 =>
                {
                    requested.remove(index - 1);
                }
                _ => return Err(CommandError::Reported(rejection::EXIT_CODE)),
            }
        }
    }

    fn set_value(&mut self, object: &Object, value: &Value<'_>) {
        match *value {
            Value::OctetString(text) if *object == SYS_DESCR => {
                let format = OutputFormat { value_only: true, quick: true, ..OutputFormat::default() };
                format.value(&mut self.description, Some(object), &Value::OctetString(text));
            }
            Value::TimeTicks(ticks) => self.up_time = up_time(ticks),
            Value::Counter32(number) if *object == IP_IN_RECEIVES => self.ip_received = number,
            Value::Counter32(number) if *object == IP_OUT_REQUESTS => self.ip_sent = number,
            _ => {}
        }
    }
}

/// Returns the sum of two counters over all interfaces.
fn sum_counters(
    agent: &mut Agent,
    output: &mut Output,
    columns: [&'static Object; 2],
) -> Result<u64, CommandError> {
    let mut sum = 0_u64;
    for column in columns {
        subtree::visit(agent, output, column.arcs(), |bind| {
            if let Value::Counter32(number) = bind.value {
                sum = sum.saturating_add(u64::from(number));
            }
        })?;
    }
    Ok(sum)
}

/// Formats days, hours, minutes and seconds, without the number of ticks that other verbs print.
fn up_time(ticks: u32) -> String {
    let mut text = String::new();
    OutputFormat::default().value(&mut text, None, &Value::TimeTicks(ticks));
    text.rsplit_once(") ").map_or(text.clone(), |(_, time)| time.to_owned())
}

/// The value up(1) of ifOperStatus.
const UP: i32 = 1;
