//! The senders: our library in one process, and Net-SNMP's commands.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{Carrier, Subject, TRAP};
use crate::daemon::read_env;
use crate::error::{Context, Result};
use crate::experiments::notifications::messages::operands;
use crate::experiments::notifications::notification_client::SENDER_ENGINE_ID;
use crate::experiments::notifications::site::{AUTH_PASS, COMMUNITY, PRIV_PASS, USER};
use crate::harness::Skipped;
use crate::peers::net_snmp::tsm_words;
use crate::peers::{MANAGER_CORE, on_core};
use crate::process::{find, read_output};

/// Sends notifications with our library, with a pause after each; returns the seconds of each one
/// in each session.
pub(super) fn run_client(
    subject: &Subject,
    carrier: Carrier,
    kind: &str,
    sessions: usize,
    count: usize,
    pause: Duration,
) -> std::result::Result<Vec<Vec<f64>>, Skipped> {
    let mut words =
        vec!["notification-client".to_owned(), subject.receiver.credentials.display().to_string()];
    words.extend([carrier.id(), kind].map(String::from));
    words.extend([sessions, count].map(|number| number.to_string()));
    words.push(pause.as_millis().to_string());
    Ok(numbers(&run(subject, &std::env::current_exe()?, &words)?)?)
}

/// Sends one notification with Net-SNMP's command.
pub(super) fn run_command(
    subject: &Subject,
    carrier: Carrier,
    kind: &str,
) -> std::result::Result<(), Skipped> {
    let words = command_words(subject, carrier, kind)?;
    Ok(run(subject, &program(kind)?, &words).map(drop)?)
}

/// Runs Net-SNMP's command a number of times; returns the seconds of each run.
pub(super) fn time_command(
    subject: &Subject,
    carrier: Carrier,
    kind: &str,
    count: usize,
) -> std::result::Result<Vec<f64>, Skipped> {
    let mut line = vec![program(kind)?.display().to_string()];
    line.extend(command_words(subject, carrier, kind)?);
    let file = subject.receiver.directory.join("command");
    fs::write(&file, line.join("\t")).context(file.display())?;
    let words = ["stopwatch".to_owned(), count.to_string(), file.display().to_string()];
    let times = numbers(&run(subject, &std::env::current_exe()?, &words)?)?;
    Ok(times.into_iter().next().ok_or("the stopwatch has measured nothing")?)
}

/// Returns true for the transports that Debian's commands support.
pub(super) fn is_for_command(carrier: Carrier) -> bool {
    matches!(carrier, Carrier::UdpV2c | Carrier::UdpV3 | Carrier::TcpV2c | Carrier::Dtls12)
}

/// Returns the path of Net-SNMP's command.
pub(super) fn program(kind: &str) -> std::result::Result<PathBuf, Skipped> {
    let name = if kind == TRAP { "snmptrap" } else { "snmpinform" };
    Ok(find(name).ok_or_else(|| format!("{name} is not installed (Debian: snmp)"))?)
}

fn command_words(subject: &Subject, carrier: Carrier, kind: &str) -> Result<Vec<String>> {
    let env = read_env(&subject.receiver.credentials)?;
    let variable = if carrier == Carrier::Dtls12 { "PORTREEVE_DTLS" } else { "PORTREEVE_UDP" };
    let address = env.get(variable).ok_or("the receiver has no address")?;
    // Without MIB files, the commands start faster.
    let mut words = vec!["-m".to_owned(), String::new()];
    if carrier == Carrier::UdpV3 {
        let options = ["-v3", "-u", USER, "-l", "authPriv", "-a", "SHA-256", "-A", AUTH_PASS];
        words.extend(options.into_iter().chain(["-x", "AES", "-X", PRIV_PASS]).map(String::from));
        if kind == TRAP {
            // As with our sender, the number of restarts is the present second.
            let boots = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
            words.extend(["-e".into(), SENDER_ENGINE_ID.into(), "-Z".into(), format!("{boots},0")]);
        }
    } else if carrier == Carrier::Dtls12 {
        words.extend(tsm_words());
    } else {
        words.extend(["-v2c", "-c", COMMUNITY].map(String::from));
    }
    let scheme = match carrier {
        Carrier::TcpV2c => "tcp",
        Carrier::Dtls12 => "dtlsudp",
        _ => "udp",
    };
    words.push(format!("{scheme}:{address}"));
    words.extend(operands());
    Ok(words)
}

/// Runs a program in the sender's place, on its core; returns its output.
fn run(subject: &Subject, program: &Path, words: &[String]) -> Result<String> {
    let directory = &subject.receiver.directory;
    let mut command = on_core(Some(MANAGER_CORE), program)?;
    command.args(words).env("MIBS", "").env("SNMP_PERSISTENT_DIR", directory.join("sender"));
    command.env("SNMPCONFPATH", directory).env("HOME", directory);
    read_output(subject.topology.manager(), command, &directory.join("sender.log"))
}

fn numbers(text: &str) -> Result<Vec<Vec<f64>>> {
    text.lines().map(|line| line.split(' ').map(|number| number.parse().context(number)).collect()).collect()
}
