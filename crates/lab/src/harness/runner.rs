//! `lab run`: measures the selected experiments one after the other, and writes the report.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use portreeve_lab_net::{Cleaner, ScratchDirectory, Topology, interface_to};

use super::budget::Shares;
use super::progress::{in_words, print_line};
use super::run_directory::{RunDirectory, SAMPLES, read_info};
use super::run_options::{Against, RunOptions};
use super::series::SeriesEnd;
use super::{
    Budget, Context, Device, Experiment, Network, environment, file_system, plan, report, series, stop,
};
use crate::client::for_device;
use crate::error::{Context as _, Result};

/// Runs the experiments that the arguments select among `known`.
pub(crate) fn run(arguments: &[String], known: &'static [&'static Experiment]) -> Result<()> {
    let options = RunOptions::parse(arguments, known)?;
    let out = options.out.clone().unwrap_or_else(default_directory);
    let existing = read_info(&out)?;
    let seed = options.seed.or(existing.map(|info| info.seed)).unwrap_or_else(plan::new_seed);
    let cleaner = Cleaner::start_own()?;
    let network = probe_network(&cleaner, options.against.as_ref())?;
    let info = plan::plan(&options, seed, environment::describe(&options.peers), &network.description());
    let mut directory = RunDirectory::open(&out, info)?;
    if let Some(Against { credentials, .. }) = &options.against {
        directory.check_credentials(&fs::read_to_string(credentials).context(credentials.display())?)?;
    }
    stop::install(cleaner.clone())?;
    let scratch = ScratchDirectory::new(&cleaner)?;
    print_start(&options, &directory);
    let started = Instant::now();
    let stopped = measure(&options, &network, &cleaner, &scratch, &mut directory);
    directory.add_duration(started.elapsed().as_secs_f64())?;
    drop(scratch);
    let stopped = stopped?;
    report::write(&out, known)?;
    if let Some(overrun) = directory.info().overrun() {
        print_line(overrun);
    }
    print_line(format_args!("{}: {} and {SAMPLES}", out.display(), report::NAMES.join(", ")));
    if stopped {
        return Err(format!(
            "stopped before the end\nhint: to resume, run: {}",
            resume_command(&options, &directory)
        )
        .into());
    }
    if directory.is_empty() {
        return Err("nothing was measured\nhint: the report names the reason for each experiment".into());
    }
    Ok(())
}

/// Returns the command that resumes a run.
fn resume_command(options: &RunOptions, directory: &RunDirectory) -> String {
    let command = directory.info().arguments.join(" ");
    let credentials = options.against.as_ref().map(|against| against.credentials.display());
    let credentials = credentials.map_or(String::new(), |file| format!(" --credentials {file}"));
    format!("portreeve lab {command}{credentials} --out {}", directory.path().display())
}

/// Measures the experiments; returns true if the user has stopped the run.
fn measure(
    options: &RunOptions,
    network: &Network,
    cleaner: &Cleaner,
    scratch: &ScratchDirectory,
    directory: &mut RunDirectory,
) -> Result<bool> {
    let device = options.against.as_ref().map(|against| copy_device(against, scratch.path())).transpose()?;
    let pcap = options.keep_pcap.then(|| directory.path().to_owned());
    let total = options.experiments.len();
    let unknown = |experiment: &&Experiment| directory.rounds(experiment.name).is_none();
    let new = options.experiments.iter().filter(|experiment| unknown(experiment)).count();
    let mut shares = Shares::new(options.budget, new, total);
    for experiment in &options.experiments {
        let path = scratch.path().join(experiment.name);
        fs::create_dir(&path).context(path.display())?;
        let context = Context {
            effort: options.effort,
            scratch: path.clone(),
            pcap: pcap.clone(),
            peers: options.peers.clone(),
            device: device.clone(),
            network: network.clone(),
            cleaner: cleaner.clone(),
        };
        // Experiments that resume have their number of rounds already.
        let is_new = directory.rounds(experiment.name).is_none();
        let begun = Instant::now();
        if series::run(experiment, &context, directory, shares.next())? == SeriesEnd::Stopped {
            return Ok(true);
        }
        if is_new {
            shares.subtract(begun.elapsed());
        }
        // Keys of agents are removed as soon as possible.
        fs::remove_dir_all(&path).context(path.display())?;
    }
    Ok(false)
}

/// Copies the user's credentials with the device's address in every variable, so that no message
/// goes elsewhere.
fn copy_device(against: &Against, scratch: &Path) -> Result<Device> {
    let text = fs::read_to_string(&against.credentials).context(against.credentials.display())?;
    let credentials = scratch.join("device.env");
    fs::write(&credentials, for_device(&text, against.address)?).context(credentials.display())?;
    Ok(Device { credentials })
}

/// Decides between namespaces and loopback.
fn probe_network(cleaner: &Cleaner, against: Option<&Against>) -> Result<Network> {
    if let Some(against) = against {
        let interface = Topology::to_device(cleaner, against.address)
            .and_then(|_| interface_to(against.address))
            .map_err(|error| error.reason().to_owned());
        return Ok(Network::Device(against.name.clone(), against.address, interface));
    }
    match Topology::isolated(cleaner) {
        Ok(topology) => Ok(Network::Isolated(topology.description())),
        Err(error) if error.is_unavailable() => {
            Ok(Network::Loopback(Topology::loopback(cleaner)?.description(), error.reason().to_owned()))
        }
        Err(error) => Err(error.into()),
    }
}

fn print_start(options: &RunOptions, directory: &RunDirectory) {
    let info = directory.info();
    print_line(format_args!("portreeve lab {}", info.arguments.join(" ")));
    print_line(format_args!("Network: {}", info.topology));
    if let Some(warning) = file_system::warning(&info.environment.file_system) {
        print_line(format_args!("Warning: {warning}"));
    }
    match options.budget {
        Budget::Rounds(rounds) => print_line(format_args!("Rounds: {rounds} for each experiment")),
        Budget::Time(time) => {
            let time = in_words(time);
            print_line(format_args!("Budget: {time}; the first round decides the number of rounds"));
        }
    }
    let done: usize = options.experiments.iter().map(|experiment| directory.count(experiment.name)).sum();
    if done > 0 {
        print_line(format_args!("Resuming: {done} measurements exist already"));
    }
}

fn default_directory() -> PathBuf {
    PathBuf::from(format!("portreeve-lab-{}", plan::utc_now().replace(':', "")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::fake;

    #[test]
    fn command_that_resumes_a_run_has_its_credentials_and_directory() {
        let arguments = ["first", "--repeat", "3", "--against", "192.0.2.1", "--credentials", "router.env"];
        let options = RunOptions::parse(&arguments.map(str::to_owned), fake::ALL).ok().unwrap();
        let parent = tempfile::tempdir().unwrap();
        let out = parent.path().join("out");
        let info = plan::plan(&options, 7, Default::default(), "");
        assert_eq!(info.device, "192.0.2.1");
        let command = resume_command(&options, &RunDirectory::open(&out, info).ok().unwrap());
        let expected =
            "portreeve lab run first --repeat 3 --seed 7 --against 192.0.2.1 --credentials router.env --out ";
        assert_eq!(command, format!("{expected}{}", out.display()));
        let words: Vec<String> = command.split(' ').skip(3).map(str::to_owned).collect();
        assert!(RunOptions::parse(&words, fake::ALL).is_ok());
    }
}
