//! `portreeve keys show` and `list`: display files.

mod dates;
mod item;
mod json;
mod kind;
mod read;
mod text;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use portreeve_pki::HolderRole;

use crate::{CommandError, Report, arguments::Args, folder::KeyFolder, revocations::Revocations};

pub(crate) use dates::{day, days_left};
pub(crate) use item::{KeyItem, escape_for_terminal};
pub(crate) use kind::ItemKind;
pub(crate) use read::items;
pub(crate) use text::columns;

/// Displays each file; a directory is displayed as a table.
pub(crate) fn show(args: &Args) -> Result<Report, CommandError> {
    let now = SystemTime::now();
    let mut shown = ShowReport::new(args)?;
    for path in args.paths() {
        if path.is_dir() {
            let found = read_folder(path)?;
            if found.is_empty() {
                return Err(CommandError::at(path, "no certificates or keys in this directory")
                    .with_hint("specify another directory"));
            }
            let table = text::table(
                &found,
                path,
                &shown.revocations,
                now,
                portreeve_table::line_width(std::io::stdout()),
            );
            shown.add(found, table, now);
        } else {
            let found = items(path)?;
            let details: String =
                found.iter().map(|item| text::details(item, &shown.revocations, now)).collect();
            shown.add(found, details, now);
        }
    }
    Ok(shown.finish(args.json, now))
}

/// Lists all credentials of the directory, without duplicates.
pub(crate) fn list(args: &Args) -> Result<Report, CommandError> {
    let now = SystemTime::now();
    let folder = KeyFolder::find(args.folder.as_deref())?;
    let mut found: Vec<KeyItem> = read_folder(folder.path())?;
    let mut seen = BTreeSet::new();
    let certified: BTreeSet<_> = found
        .iter()
        .filter(|item| item.kind.is_certificate())
        .filter_map(|item| item.fingerprint.clone())
        .collect();
    found.retain(|item| {
        let once = item.fingerprint.clone().is_some_and(|fingerprint| seen.insert((item.kind, fingerprint)));
        // A key with a certificate is listed as the certificate.
        let bare = item.kind == ItemKind::SshKey
            && item.fingerprint.as_ref().is_some_and(|key| certified.contains(key));
        once && !bare && !item.kind.is_private()
    });
    if found.is_empty() && !args.json {
        return Err(CommandError::at(folder.path(), "no keys in this directory").with_hint(
            "create authorities with `portreeve keys ca`, or specify another directory with --dir",
        ));
    }
    let mut shown = ShowReport::new(args)?;
    let table = text::table(
        &found,
        folder.path(),
        &shown.revocations,
        now,
        portreeve_table::line_width(std::io::stdout()),
    );
    shown.add(found, table, now);
    Ok(shown.finish(args.json, now))
}

/// Formats a table of files just created, for standard error.
pub(crate) fn table(files: &[PathBuf], below: &Path) -> String {
    let found: Vec<KeyItem> = files.iter().filter_map(|file| items(file).ok()).flatten().collect();
    text::table(
        &found,
        below,
        &Revocations::default(),
        SystemTime::now(),
        portreeve_table::line_width(std::io::stderr()),
    )
}

/// Returns the first item of the given kinds in a file.
pub(crate) fn find_only(path: &Path, kinds: &[ItemKind]) -> Result<KeyItem, CommandError> {
    let found = items(path)?.into_iter().find(|item| kinds.contains(&item.kind));
    found.ok_or_else(|| {
        CommandError::at(
            path,
            format_args!("no {} in this file", kinds.first().map_or("key", |kind| kind.name())),
        )
    })
}

/// The items to display and their output.
struct ShowReport {
    items: Vec<KeyItem>,
    text: String,
    notes: String,
    revocations: Revocations,
}

impl ShowReport {
    fn new(args: &Args) -> Result<Self, CommandError> {
        // Files are displayed even without a key directory.
        let revocations = match KeyFolder::find(args.folder.as_deref()) {
            Ok(folder) => Revocations::load(&folder)?,
            Err(_) => Revocations::default(),
        };
        Ok(Self { items: Vec::new(), text: String::new(), notes: String::new(), revocations })
    }

    fn add(&mut self, found: Vec<KeyItem>, text: String, now: SystemTime) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text += &text;
        for item in &found {
            // The same hint is not repeated after every warning.
            let warning = text::warning(item, &self.revocations, now);
            for line in warning
                .lines()
                .filter(|line| !self.notes.contains(line))
                .map(str::to_owned)
                .collect::<Vec<_>>()
            {
                self.notes += &(line + "\n");
            }
        }
        self.items.extend(found);
    }

    fn finish(self, json: bool, now: SystemTime) -> Report {
        let data = if json { json::array(&self.items, &self.revocations, now) } else { self.text };
        Report { data, notes: self.notes, ..Report::default() }
    }
}

/// Returns all certificates, keys and lists in a directory and below it, sorted. Other files are
/// skipped.
fn read_folder(folder: &Path) -> Result<Vec<KeyItem>, CommandError> {
    let mut found = Vec::new();
    let mut folders = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|error| CommandError::io(&folder, &error))?;
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
            if metadata.is_dir() && depth < MAX_DEPTH {
                folders.push((path, depth + 1));
            } else if path.is_file() && found.len() < MAX_ITEMS {
                found.extend(items(&path).unwrap_or_default());
            }
        }
    }
    // Files at the top level come before their copies in subdirectories.
    found.sort_by_cached_key(|item| (item.kind.rank(), item.file.components().count(), item.file.clone()));
    Ok(found)
}

impl ItemKind {
    /// Returns the kinds of certificates for a role.
    pub(crate) fn certificate_of(role: HolderRole) -> [Self; 2] {
        match role {
            HolderRole::Host => [Self::X509Host, Self::X509Leaf],
            HolderRole::User => [Self::X509User, Self::X509Leaf],
        }
    }
}

/// Maximum depth of nested directories.
const MAX_DEPTH: usize = 4;
/// Maximum number of items from one directory.
const MAX_ITEMS: usize = 100_000;

#[cfg(test)]
mod tests;
