//! A program for the tests of this crate: the clean-up process, or a process that sets up
//! everything and waits to be killed.

use std::io::{self, Write};
use std::process::{Command, ExitCode};
use std::time::Duration;
use std::{env, thread};

use portreeve_lab_net::{
    Capture, Cleaner, CpuQuota, Detail, InterfaceKind, Link, Loss, Result, ScratchDirectory, Topology,
    run_clean_up_process,
};

fn main() -> ExitCode {
    let result = match env::args().nth(1).as_deref() {
        Some(Cleaner::ARGUMENT) => run_clean_up_process().map_err(|error| error.to_string()),
        Some("set-up") => set_up().map_err(|error| error.to_string()),
        _ => Err("expected clean-up or set-up".to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "portreeve-lab-net-helper: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Uses everything that must be removed, and prints a line `ready` after a line for each. Then it
/// panics after a line `panic`, and otherwise waits to be killed.
#[expect(clippy::panic, reason = "a test requests the panic")]
fn set_up() -> Result<()> {
    let cleaner = Cleaner::start_own()?;
    let scratch = ScratchDirectory::new(&cleaner)?;
    let mut topology = Topology::isolated(&cleaner)?;
    topology.set_interfaces(InterfaceKind::Veth, 12)?;
    let link = Link { loss: Loss::both(0.01), rate: Some(50_000_000), delay: Some(Duration::from_millis(1)) };
    topology.set_link(&link)?;
    let _capture = Capture::start(&topology, Detail::Headers)?;
    let mut output = io::stdout();
    let mut print = |line: String| {
        let _ = writeln!(output, "{line}");
    };
    print(format!("directory {}", scratch.path().display()));
    for place in [topology.manager(), topology.agent()] {
        print(format!("namespace {}", place.namespace_path().display()));
        let mut command = Command::new("sh");
        // The shell starts another process, and one in a session of its own.
        command.args(["-c", "sleep 1000 & setsid sleep 1000 & wait"]);
        let child = place.spawn(command)?;
        print(format!("process {}", child.id()));
    }
    let quota = CpuQuota::new(&cleaner, 0.5);
    match &quota {
        Ok(quota) => {
            let mut command = Command::new("sleep");
            command.arg("1000");
            let child = topology.agent().spawn(command)?;
            quota.add(child.id())?;
            print(format!("quota {}", quota.method()));
        }
        Err(error) => print(format!("no quota: {error}")),
    }
    print("ready".to_owned());
    let mut line = String::new();
    if io::stdin().read_line(&mut line).is_ok() && line == "panic\n" {
        panic!("a test has requested this panic");
    }
    loop {
        thread::sleep(Duration::from_secs(1000));
    }
}
