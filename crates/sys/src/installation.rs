//! The places of our own programs and files.

use std::env;
use std::path::{Path, PathBuf};

/// Returns the path of one of our programs or files, if it exists: beside this program, as in a
/// build, or in another directory of the installation that this program belongs to.
#[must_use]
pub fn find_own_file(name: &str) -> Option<PathBuf> {
    let own = env::current_exe().ok()?;
    directories(own.parent()?).into_iter().map(|directory| directory.join(name)).find(|path| path.is_file())
}

/// Returns the directories that may contain our files, if `own` contains this program.
fn directories(own: &Path) -> Vec<PathBuf> {
    let prefix = DIRECTORIES.iter().find(|directory| own.ends_with(directory));
    let prefix = prefix.and_then(|directory| own.ancestors().nth(Path::new(directory).components().count()));
    let installed = prefix.into_iter().flat_map(|prefix| DIRECTORIES.map(|directory| prefix.join(directory)));
    std::iter::once(own.to_owned()).chain(installed).collect()
}

/// The directories of an installation, relative to its prefix.
const DIRECTORIES: [&str; 3] = ["libexec/portreeve", "bin", "sbin"];

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{DIRECTORIES, directories};

    #[test]
    fn program_of_an_installation_searches_all_its_directories() {
        for own in DIRECTORIES {
            let found = directories(&Path::new("/opt/p").join(own));
            for directory in DIRECTORIES {
                assert!(found.contains(&Path::new("/opt/p").join(directory)), "{own}: {found:?}");
            }
            assert_eq!(found[0], Path::new("/opt/p").join(own), "its own directory is the first");
        }
    }

    #[test]
    fn program_of_a_build_searches_its_own_directory_only() {
        assert_eq!(directories(Path::new("/src/target/debug")), [PathBuf::from("/src/target/debug")]);
        // "libexec" alone is not a directory of an installation.
        assert_eq!(directories(Path::new("/opt/libexec")), [PathBuf::from("/opt/libexec")]);
    }
}
