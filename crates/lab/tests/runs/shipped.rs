//! The shipped report in `docs/lab`.

use std::fs;
use std::path::{Path, PathBuf};

use super::fixture::{lab, text};

/// No figure of the shipped report is typed in: all files follow from the samples.
#[test]
fn shipped_report_follows_from_its_samples() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["run.json", "samples.jsonl.gz"] {
        fs::copy(shipped().join(name), directory.path().join(name)).unwrap();
    }
    let output = lab(&["report", directory.path().to_str().unwrap()]);
    assert!(output.status.success(), "{}", text(&output));
    let files = files_below(directory.path());
    assert!(files.len() > 50, "{files:?}");
    assert_eq!(files_below(&shipped()), files);
    for file in files {
        let [made, kept] =
            [directory.path(), &shipped()].map(|directory| fs::read(directory.join(&file)).unwrap());
        assert!(
            made == kept,
            "{} does not follow from the samples: run `portreeve lab report docs/lab`",
            file.display()
        );
    }
}

#[test]
fn readme_shows_the_table_and_the_figures_of_the_shipped_report() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let table = fs::read_to_string(shipped().join("overview.md")).unwrap();
    assert!(
        readme.contains(table.trim_end()),
        "the README has another table than docs/lab/overview.md:\n{table}"
    );
    for number in 1..=2 {
        assert!(readme.contains(&format!("(docs/lab/overview-{number}.svg)")));
    }
}

#[test]
fn shipped_report_is_that_of_a_full_run_of_all_papers_beside_both_peers() {
    let info = fs::read_to_string(shipped().join("run.json")).unwrap();
    assert!(info.contains("\"quick\": false"), "{info}");
    for expected in ["one-shot", "walk", "session-length", "packet-loss", "staircase", "net-snmp", "netconfd"]
    {
        assert!(info.contains(&format!("\"{expected}\"")), "{expected} is missing in {info}");
    }
    assert!(!info.contains("with changes"), "the programs of the run belong to no commit: {info}");
}

/// Returns all files below a directory, as relative paths.
fn files_below(directory: &Path) -> Vec<PathBuf> {
    let (mut files, mut directories) = (Vec::new(), vec![directory.to_owned()]);
    while let Some(next) = directories.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => directories.push(path),
                false => files.push(path.strip_prefix(directory).unwrap().to_owned()),
            }
        }
    }
    files.sort();
    files
}

fn shipped() -> PathBuf {
    root().join("docs/lab")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}
