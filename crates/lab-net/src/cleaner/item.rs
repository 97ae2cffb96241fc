//! Things to be removed, and their text form for the pipe to the clean-up process.

use std::io;
use std::path::{Path, PathBuf};

/// Something to be removed when the lab ends.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Item {
    /// A directory with its contents.
    Directory(PathBuf),
    /// A control group.
    Group(PathBuf),
    /// A `cgroup.subtree_control` file in which the lab has enabled the controller `cpu`.
    CpuController(PathBuf),
    /// The processes in a network namespace.
    Namespace(PathBuf),
    /// The processes with this text in the environment variable `PORTREEVE_LAB`.
    Marker(String),
}

impl Item {
    /// Returns the text form, one line without its end.
    ///
    /// # Errors
    /// `InvalidInput` if a name is not UTF-8 or contains a line break, or if a directory or group
    /// was not created by the lab.
    pub(crate) fn to_line(&self) -> io::Result<String> {
        let value = match self {
            Self::Directory(path) | Self::Group(path) | Self::CpuController(path) | Self::Namespace(path) => {
                path.to_str()
            }
            Self::Marker(text) => Some(text.as_str()),
        };
        let value = value.filter(|value| !value.contains('\n')).ok_or(io::ErrorKind::InvalidInput)?;
        let line = format!("{} {value}", self.keyword());
        // What the clean-up process would reject is rejected here.
        Self::parse(&line).ok_or(io::ErrorKind::InvalidInput)?;
        Ok(line)
    }

    /// Parses the text form. A directory or group must have the prefix of the lab's names, so that
    /// a mistake elsewhere cannot remove anything else.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let (keyword, value) = line.split_once(' ')?;
        let path = PathBuf::from(value);
        match keyword {
            "directory" if is_created_by_lab(&path) => Some(Self::Directory(path)),
            "group" if is_created_by_lab(&path) => Some(Self::Group(path)),
            "cpu-controller" if path.ends_with("cgroup.subtree_control") => Some(Self::CpuController(path)),
            "namespace" if path.is_absolute() => Some(Self::Namespace(path)),
            "marker" if !value.is_empty() => Some(Self::Marker(value.to_owned())),
            _ => None,
        }
    }

    fn keyword(&self) -> &'static str {
        match self {
            Self::Directory(_) => "directory",
            Self::Group(_) => "group",
            Self::CpuController(_) => "cpu-controller",
            Self::Namespace(_) => "namespace",
            Self::Marker(_) => "marker",
        }
    }
}

fn is_created_by_lab(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    path.is_absolute() && name.starts_with(NAME_PREFIX)
}

/// The beginning of the names of directories and control groups that the lab creates.
pub(crate) const NAME_PREFIX: &str = "portreeve-lab-";

#[cfg(test)]
mod tests;
