//! The clean-up process: records what to remove, and removes it when the lab has ended.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

use super::item::Item;
use super::processes::{Namespace, Process, kill_all};
use super::removal::{disable_cpu_controller, remove_directory, remove_group};

/// Serves as the clean-up process: reads registrations from standard input until its end, then
/// removes everything that is registered. Problems are printed to standard error.
///
/// # Errors
/// Standard input or output fails. Everything that was registered is removed first.
pub fn run_clean_up_process() -> io::Result<()> {
    // Fails only if this process already leads a session or process group.
    let _ = rustix::process::setsid();
    let _ = std::env::set_current_dir("/");
    for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
        // The handler stores the signal, and nothing reads it: only the end of the lab counts.
        signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)))?;
    }
    let mut registry = Registry::default();
    let result = registry.serve(io::stdin().lock(), io::stdout());
    registry.remove_all(&mut io::stderr());
    result
}

/// Everything that is registered, in the order of registration.
#[derive(Default)]
struct Registry(Vec<(Item, Option<Namespace>)>);

impl Registry {
    /// Records registrations, and acknowledges each, until the end of `input`.
    fn serve(&mut self, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        for line in input.lines() {
            let response = match self.handle(&line?) {
                Ok(()) => "ok\n".to_owned(),
                Err(error) => format!("{error}\n"),
            };
            output.write_all(response.as_bytes())?;
            output.flush()?;
        }
        Ok(())
    }

    fn handle(&mut self, line: &str) -> io::Result<()> {
        let (action, item) = line.split_once(' ').unwrap_or_default();
        let item = Item::parse(item).ok_or(io::ErrorKind::InvalidInput)?;
        match action {
            "add" => {
                let namespace = match &item {
                    Item::Namespace(path) => Some(Namespace::open(path)?),
                    _ => None,
                };
                self.0.push((item, namespace));
            }
            "forget" => self.0.retain(|(registered, _)| *registered != item),
            _ => return Err(io::ErrorKind::InvalidInput.into()),
        }
        Ok(())
    }

    /// Removes everything that is registered, processes first, because they may use the rest.
    fn remove_all(&mut self, log: &mut impl Write) {
        let belongs_to_lab = |process: &Process| {
            self.0.iter().any(|(item, namespace)| match item {
                Item::Marker(marker) => process.marker().as_ref() == Some(marker),
                _ => namespace.as_ref().is_some_and(|namespace| process.is_in(namespace)),
            })
        };
        kill_all(belongs_to_lab);
        // While a process starts a program, it has no environment for a moment.
        thread::sleep(START_TIME);
        kill_all(belongs_to_lab);
        for (item, _) in self.0.drain(..).rev() {
            let (path, result) = match &item {
                Item::Directory(path) => (path, remove_directory(path)),
                Item::Group(path) => (path, remove_group(path)),
                Item::CpuController(path) => (path, disable_cpu_controller(path)),
                Item::Namespace(_) | Item::Marker(_) => continue,
            };
            if let Err(error) = result {
                let _ = writeln!(log, "portreeve lab: cannot clean up {}: {error}", path.display());
            }
        }
    }
}

/// The time in which a process starts a program.
const START_TIME: Duration = Duration::from_millis(20);

#[cfg(test)]
mod tests;
