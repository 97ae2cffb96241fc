//! `lab clean`: removes what earlier runs have left.
//!
//! Runs remove everything themselves, even if they are killed. Something is left only if their
//! clean-up process was killed as well, or by experiments of `bench` that were killed.

use std::fs;
use std::path::Path;
use std::process::Command;

use portreeve_lab_net::Leftovers;

use crate::error::Result;
use crate::process::output;

/// Prints and removes everything that has been left.
pub(crate) fn clean() -> Result<()> {
    let leftovers = Leftovers::find();
    let namespaces = named_namespaces();
    if leftovers.is_empty() && namespaces.is_empty() {
        println!("nothing to remove");
        return Ok(());
    }
    print!("{leftovers}");
    for namespace in &namespaces {
        println!("network namespace {namespace}");
        output(Command::new("ip").args(["netns", "delete", namespace]))?;
    }
    Ok(leftovers.remove()?)
}

/// Returns the namespaces of `bench` whose process has ended.
fn named_namespaces() -> Vec<String> {
    let entries = fs::read_dir("/run/netns").into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| owner(name).is_some_and(|id| !Path::new("/proc").join(id).exists())).collect()
}

/// Returns the process ID in the name of a namespace of `bench`.
fn owner(name: &str) -> Option<&str> {
    let id = name.strip_prefix("portreeve-")?.strip_prefix(['c', 's'])?;
    (!id.is_empty() && id.bytes().all(|octet| octet.is_ascii_digit())).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::owner;

    #[test]
    fn only_namespaces_of_bench_have_an_owner() {
        assert_eq!(owner("portreeve-c4711"), Some("4711"));
        assert_eq!(owner("portreeve-s1"), Some("1"));
        for name in ["portreeve-x1", "portreeve-c", "portreeve-c1a", "other-c1", "c1", ""] {
            assert_eq!(owner(name), None, "{name}");
        }
    }
}
