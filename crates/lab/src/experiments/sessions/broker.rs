//! Run time of a command when the session broker already has an open session, compared with the
//! same command over UDP. Each command is a process that is measured from start to exit.

use std::fs;
use std::path::Path;

use super::agent_setup::{AgentSetup, PINNED};
use super::min_figure;
use crate::daemon::read_env;
use crate::error::{Context, Result};
use crate::experiments::Effort;
use crate::process::{output, own_program};
use crate::skips::skip;
use crate::stopwatch;
use crate::table::{Figure, Table, goal_cells};

/// Measures `portreeve get` over UDP by community, and over each secure transport with `--persist`.
pub(super) fn run(setup: &AgentSetup<'_>, scratch: &Path, effort: Effort) -> Result<Vec<Figure>> {
    let portreeve = match own_program("portreeve-broker").and_then(|_| own_program("portreeve")) {
        Ok(portreeve) => portreeve.display().to_string(),
        Err(error) => {
            skip("commands through the broker", error.message());
            return Ok(Vec::new());
        }
    };
    let env = read_env(&setup.directory.join("credentials.env"))?;
    let get = |name: &str| env.get(name).cloned().unwrap_or_default();
    let words = |words: &[&str]| -> Vec<String> {
        [portreeve.as_str(), "get"].iter().chain(words).map(|word| (*word).to_owned()).collect()
    };
    let session = |scheme: &str, address: String| -> Vec<String> {
        let url = format!("{scheme}://{address}");
        words(&["--persist", PERSIST, "--server-name", "localhost", &url, SYS_UP_TIME])
    };
    let user = format!("{}@{}", get("PORTREEVE_SSH_USER"), get("PORTREEVE_SSH"));
    let commands = [
        words(&["-v2c", "-c", &get("PORTREEVE_RO"), &get("PORTREEVE_UDP"), SYS_UP_TIME]),
        session("ssh", user),
        session("tls", get("PORTREEVE_TLS")),
        session("dtls", get("PORTREEVE_DTLS")),
    ];
    let environment = environment(&setup.directory.join("home"), &env)?;
    let server = setup.start(PINNED, |same| same)?;
    for command in &commands {
        // Runs each command once before the measurement, which starts the broker and opens the
        // sessions.
        let Some((program, arguments)) = command.split_first() else { continue };
        let mut first = setup.namespaces.in_client(PINNED.client_core, program)?;
        output(first.args(arguments).envs(environment.iter().map(|(name, value)| (name, value))))?;
    }
    let rounds = effort.rounds * PER_ROUND;
    let times =
        stopwatch::time(setup.namespaces, PINNED.client_core, scratch, rounds, &commands, &environment)?;
    // The broker exits by itself when its sessions have ended.
    server.stop()?;
    Ok(report(rounds, &times))
}

fn report(rounds: usize, times: &[Vec<f64>]) -> Vec<Figure> {
    println!(
        "Commands in a session that the broker keeps open: best and median of {rounds} interleaved runs, processes pinned to cores"
    );
    let mut table =
        Table::new(1, &["command", "best ms", "median ms", "n", "of UDP's", "required", "target"]);
    let mut figures: Vec<Figure> = Vec::new();
    for (subject, seconds) in SUBJECTS.into_iter().zip(times) {
        let milliseconds: Vec<f64> = seconds.iter().map(|seconds| seconds * 1e3).collect();
        let mut figure = min_figure("second GET", PINNED.name, subject.into(), "ms", &milliseconds);
        let mut ratio = String::new();
        if let Some(floor) = figures.first() {
            figure.ratios = vec![("udp", figure.best / floor.best)];
            figure.goal = Some((1.5, 1.15));
            ratio = format!("{:.2}", figure.best / floor.best);
        }
        let mut cells = vec![
            figure.subject.clone(),
            format!("{:.2}", figure.best),
            format!("{:.2}", figure.median),
            figure.n.to_string(),
            ratio,
        ];
        cells.extend(goal_cells(figure.goal, 2));
        table.add_row(cells);
        figures.push(figure);
    }
    println!("{}", table.unwrapped());
    figures
}

/// Returns the environment of a user who has only the demo's credentials.
fn environment(
    home: &Path,
    env: &std::collections::HashMap<String, String>,
) -> Result<Vec<(String, String)>> {
    let runtime = home.join("run");
    fs::create_dir_all(&runtime).context(runtime.display())?;
    for folder in [home, &runtime] {
        fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    }
    let mut environment: Vec<(String, String)> =
        env.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    environment.push(("HOME".into(), home.display().to_string()));
    environment.push(("XDG_RUNTIME_DIR".into(), runtime.display().to_string()));
    environment.push(("SSH_AUTH_SOCK".into(), String::new()));
    environment.push(("MIBS".into(), String::new()));
    Ok(environment)
}

/// The names of the commands in the table. The first one is the reference for the others.
const SUBJECTS: [&str; 4] =
    ["get -v2c over UDP", "get --persist over SSH", "get --persist over TLS", "get --persist over DTLS"];

const SYS_UP_TIME: &str = ".1.3.6.1.2.1.1.3.0";
/// The lifetime of a session in the broker: longer than all rounds take.
const PERSIST: &str = "60s";
const PER_ROUND: usize = 20;
