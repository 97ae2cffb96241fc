//! `notification-client FILE STACK KIND SESSIONS COUNT PAUSE`: sends notifications from one
//! process; FILE contains the receiver's addresses.
//!
//! Sessions are opened one after the other, with COUNT notifications in each. An inform lasts until
//! it is acknowledged, a trap until the library has accepted it. The first one of a session
//! includes opening it. After each of them is a pause of PAUSE milliseconds, which does not count.

use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use portreeve_smi::EngineBoots;
use portreeve_snmp_manager::{Client, ClockReading, EngineId, TrapSender};

use super::inform_client::{Carrier, Sender};
use super::messages::inform;
use super::trap_session::TrapSession;
use crate::daemon::read_env;
use crate::error::{Context, Result};

/// Prints a line for each session: the seconds of all its notifications.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let [file, stack, kind, sessions, count, pause] = arguments else {
        return Err(crate::commands::usage_error("notification-client"));
    };
    let carrier = Carrier::ALL.into_iter().find(|carrier| carrier.id() == stack);
    let carrier = carrier.ok_or_else(|| format!("unknown stack '{stack}'"))?;
    let sender = Sender { env: read_env(file.as_ref())?, request: inform() };
    let (count, pause) = (count.parse()?, Duration::from_millis(pause.parse()?));
    for _ in 0..sessions.parse()? {
        let seconds = session(&sender, carrier, kind, count, pause).context(carrier.name())?;
        println!("{}", seconds.join(" "));
    }
    Ok(())
}

fn session(
    sender: &Sender,
    carrier: Carrier,
    kind: &str,
    count: usize,
    pause: Duration,
) -> Result<Vec<String>> {
    let credentials = carrier.credentials()?;
    let engine_id: EngineId = SENDER_ENGINE_ID.parse()?;
    let mut begun = Instant::now();
    let mut link = match kind {
        TRAP => {
            let (traps, session) = sender.open_for_traps(carrier, credentials, engine_id)?;
            NotificationLink::Traps(traps, session)
        }
        INFORM => NotificationLink::Informs(Box::new(sender.open(carrier, credentials)?)),
        _ => return Err(format!("unknown kind '{kind}'").into()),
    };
    let mut seconds = Vec::with_capacity(count);
    for _ in 0..count {
        link.send(sender)?;
        seconds.push(begun.elapsed().as_secs_f64().to_string());
        link.wait(pause)?;
        begun = Instant::now();
    }
    Ok(seconds)
}

/// An open connection or session.
enum NotificationLink {
    Traps(TrapSender, Option<TrapSession>),
    Informs(Box<Client>),
}

impl NotificationLink {
    fn send(&mut self, sender: &Sender) -> Result<()> {
        match self {
            Self::Traps(link, _) => Ok(link.send(clock()?, sender.request.variables())?),
            Self::Informs(client) => sender.send(client),
        }
    }

    /// Waits until the receiver has acknowledged the octets. Over SSH, a trap may be sent only now.
    fn wait(&self, time: Duration) -> Result<()> {
        match self {
            Self::Traps(_, Some(session)) => Ok(session.drive(time)?),
            Self::Traps(_, None) | Self::Informs(_) => {
                thread::sleep(time);
                Ok(())
            }
        }
    }
}

/// Returns a reading of the sender's clock that is later than those of earlier processes: the
/// number of restarts is the present second.
fn clock() -> Result<ClockReading> {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    let boots = EngineBoots::new(u32::try_from(seconds)?).ok_or("the clock of this machine is wrong")?;
    Ok(ClockReading { boots, time: 0 })
}

/// The kinds of notifications.
pub(in crate::experiments) const TRAP: &str = "trap";
pub(in crate::experiments) const INFORM: &str = "inform";
/// The engine of traps, whose user receivers may have to know.
pub(in crate::experiments) const SENDER_ENGINE_ID: &str = "0x80000000056c616273656e64";
