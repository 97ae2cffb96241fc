//! `portreeve keys show` and `list`: what files are.

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

/// Says what each file is; what is in a folder is a table.
pub(crate) fn show(args: &Args) -> Result<Report, CommandError> {
    let now = SystemTime::now();
    let mut shown = ShowReport::new(args)?;
    for path in args.paths() {
        if path.is_dir() {
            let found = read_folder(path)?;
            if found.is_empty() {
                return Err(CommandError::at(path, "no certificates and no keys in it")
                    .with_hint("name another folder"));
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

/// Who has what, each thing once.
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
        // A key is told of by its certificate.
        let bare = item.kind == ItemKind::SshKey
            && item.fingerprint.as_ref().is_some_and(|key| certified.contains(key));
        once && !bare && !item.kind.is_private()
    });
    if found.is_empty() && !args.json {
        return Err(CommandError::at(folder.path(), "nothing here yet")
            .with_hint("`portreeve keys ca` makes authorities; --dir names another folder"));
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

/// A table of files that are there, for whoever has just made them, on standard error.
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

/// The first of a file that is a certificate or key of this kind; for lines that tell others of it.
pub(crate) fn find_only(path: &Path, kinds: &[ItemKind]) -> Result<KeyItem, CommandError> {
    let found = items(path)?.into_iter().find(|item| kinds.contains(&item.kind));
    found.ok_or_else(|| {
        CommandError::at(path, format_args!("no {} in it", kinds.first().map_or("key", |kind| kind.name())))
    })
}

/// What was found, and how it is told.
struct ShowReport {
    items: Vec<KeyItem>,
    text: String,
    notes: String,
    revocations: Revocations,
}

impl ShowReport {
    fn new(args: &Args) -> Result<Self, CommandError> {
        // Files are shown without a folder too.
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
            // The same advice need not follow every warning.
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

/// Everything in a folder that is a certificate, a key, or a list, by name. Other files are passed over.
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
    // What lies at the top before its copies further down.
    found.sort_by_cached_key(|item| (item.kind.rank(), item.file.components().count(), item.file.clone()));
    Ok(found)
}

impl ItemKind {
    /// What a certificate for this role is.
    pub(crate) fn certificate_of(role: HolderRole) -> [Self; 2] {
        match role {
            HolderRole::Host => [Self::X509Host, Self::X509Leaf],
            HolderRole::User => [Self::X509User, Self::X509Leaf],
        }
    }
}

/// Folders within folders.
const MAX_DEPTH: usize = 4;
/// Things that are shown of one folder.
const MAX_ITEMS: usize = 100_000;

#[cfg(test)]
mod tests;
