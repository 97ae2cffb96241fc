//! The files of modules: finds them in directories, and keeps the texts that were read.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    ffi::CString,
    fs::{self, OpenOptions},
    io::Read,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    rc::Rc,
};

use rustix::fs::OFlags;

use crate::{
    Problem,
    libyang::{ModuleRequest, ModuleSource},
    statement::Statements,
};

/// The directories in which modules are, and the files that were read.
#[derive(Debug, Default)]
pub(crate) struct ModuleFiles {
    directories: Vec<PathBuf>,
    /// Modules that are part of this program.
    own: Vec<Rc<ModuleFile>>,
    /// Files that were given by their paths, by the names of their modules.
    given: BTreeMap<String, PathBuf>,
    /// The directories that come after all others, or before them.
    shipped: ShippedDirectories,
    read: RefCell<Reads>,
}

/// The directories with the modules of the agent.
#[derive(Debug, Default)]
struct ShippedDirectories {
    directories: Vec<PathBuf>,
    come_first: bool,
}

#[derive(Debug, Default)]
struct Reads {
    /// The files, in the order in which they were requested last.
    files: Vec<Rc<ModuleFile>>,
    /// All files that were read, with or without success.
    known: BTreeMap<PathBuf, Result<Rc<ModuleFile>, Problem>>,
    problems: Vec<Problem>,
    /// The modules and submodules that are in none of the directories.
    missing: Vec<String>,
}

/// A file that contains a module or submodule.
#[derive(Debug)]
pub(crate) struct ModuleFile {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) statements: Statements,
}

impl ModuleFile {
    /// Reads a file.
    pub(crate) fn read(path: &Path) -> Result<Self, Problem> {
        let problem = |text: String| Problem::in_file(path, text);
        let mut octets = Vec::new();
        // Without this flag, a named pipe would be waited for.
        let file = OpenOptions::new().read(true).custom_flags(NO_WAIT).open(path);
        let file = file.map_err(|error| problem(format!("cannot be opened: {error}")))?;
        if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
            return Err(problem("not a regular file".to_owned()));
        }
        file.take(MAX_TEXT + 1)
            .read_to_end(&mut octets)
            .map_err(|error| problem(format!("cannot be read: {error}")))?;
        if octets.len() as u64 > MAX_TEXT {
            return Err(problem(format!("longer than {MAX_TEXT} octets")));
        }
        let text = String::from_utf8(octets).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let line = error.as_bytes().iter().take(valid).filter(|octet| **octet == b'\n').count();
            Problem::at_line(path, u32::try_from(line + 1).unwrap_or(0), "not UTF-8 text".to_owned())
        })?;
        if let Some(before) = text.split_once('\0').map(|(before, _)| before) {
            let line = before.bytes().filter(|octet| *octet == b'\n').count();
            let text = "contains a NUL character".to_owned();
            return Err(Problem::at_line(path, u32::try_from(line + 1).unwrap_or(0), text));
        }
        let statements = Statements::parse(&text);
        Ok(Self { path: path.to_owned(), text, statements })
    }

    /// Returns the name of the module or submodule.
    pub(crate) fn name(&self) -> Option<&str> {
        self.statements.root().map(|root| &*root.argument)
    }

    /// Returns the newest revision; empty if there is none.
    pub(crate) fn revision(&self) -> &str {
        self.statements.revision().unwrap_or_default()
    }

    /// Returns the name of the file without its directory.
    pub(crate) fn file_name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

impl ModuleFiles {
    /// Creates the files of these directories. Earlier directories take precedence.
    pub(crate) fn new(directories: Vec<PathBuf>) -> Self {
        Self { directories, ..Self::default() }
    }

    /// Sets the directories with the modules of the agent, which come after all others, or before
    /// them.
    pub(crate) fn set_shipped(&mut self, directories: Vec<PathBuf>, come_first: bool) {
        self.shipped = ShippedDirectories { directories, come_first };
    }

    /// Returns the directories in their order.
    pub(crate) fn directories(&self) -> impl Iterator<Item = &Path> {
        let ShippedDirectories { directories: shipped, come_first } = &self.shipped;
        let (first, last) = if *come_first { (shipped, &[][..]) } else { (&EMPTY, &shipped[..]) };
        first.iter().chain(&self.directories).chain(last).map(PathBuf::as_path)
    }

    /// Adds a module that is part of this program. It takes precedence over files. If it is known
    /// already, nothing happens.
    pub(crate) fn add_own(&mut self, text: &str) {
        let statements = Statements::parse(text);
        let name = statements.root().map(|root| &*root.argument).unwrap_or_default();
        if self.own.iter().any(|own| own.name() == Some(name)) {
            return;
        }
        let path = PathBuf::from(format!("{name}.yang"));
        self.own.push(Rc::new(ModuleFile { path, text: text.to_owned(), statements }));
    }

    /// Adds a module's file, and the file's directory. Returns the name of the module.
    pub(crate) fn add_file(&mut self, path: &Path) -> Result<String, Problem> {
        let file = self.read(path)?;
        let name = match file.statements.root() {
            Some(root) if root.keyword == "module" && !root.argument.is_empty() => root.argument.clone(),
            Some(root) if root.keyword == "submodule" => {
                let text = "a submodule: specify the module that includes it".to_owned();
                return Err(Problem::at_line(path, root.line, text));
            }
            root => {
                let line = root.map_or(1, |root| root.line);
                return Err(Problem::at_line(path, line, "not a YANG module".to_owned()));
            }
        };
        let directory = path.parent().unwrap_or(Path::new("")).to_owned();
        if !self.directories.contains(&directory) {
            self.directories.push(directory);
        }
        if let Some(other) = self.given.insert(name.clone(), path.to_owned())
            && other != path
        {
            let text = format!("the module {name} is in {} as well", other.display());
            return Err(Problem::in_file(path, text));
        }
        Ok(name)
    }

    /// Returns the files that were read, in the order in which they were requested last.
    pub(crate) fn files(&self) -> Vec<Rc<ModuleFile>> {
        self.read.borrow().files.clone()
    }

    /// Removes and returns what has prevented files from being read, and a problem for each module
    /// that was not found.
    pub(crate) fn take_problems(&self) -> Vec<Problem> {
        let mut read = self.read.borrow_mut();
        let Reads { problems, missing, .. } = &mut *read;
        let directories: Vec<_> = self.directories().map(|it| shown(it).display().to_string()).collect();
        let places = match &directories[..] {
            [] => "the directories to search are missing: add one with `--path`".to_owned(),
            _ => format!("it is not in {}; add a directory with `--path`", directories.join(", ")),
        };
        let missing = std::mem::take(missing).into_iter();
        let missing = missing.map(|name| Problem::new(format!("the module {name:?} is not found: {places}")));
        std::mem::take(problems).into_iter().chain(missing).collect()
    }

    /// Returns the file of a module or submodule with exactly this revision; an empty one stands
    /// for none.
    pub(crate) fn find(
        &self,
        name: &str,
        revision: &str,
        submodule_of: Option<&str>,
    ) -> Option<Rc<ModuleFile>> {
        let is_it = |file: &&Rc<ModuleFile>| file.name() == Some(name) && file.revision() == revision;
        let known = self.read.borrow().files.iter().find(is_it).cloned();
        known.or_else(|| {
            let request = ModuleRequest { name, revision: Some(revision), submodule_of };
            self.load(request).filter(|file| is_it(&file))
        })
    }

    /// Keeps a text that comes from no file. Its path is the name that its file would have.
    pub(crate) fn add_text(&self, name: &str, revision: &str, text: String) -> Rc<ModuleFile> {
        let path = match revision {
            "" => format!("{name}.yang"),
            _ => format!("{name}@{revision}.yang"),
        };
        let statements = Statements::parse(&text);
        let file = Rc::new(ModuleFile { path: path.into(), text, statements });
        self.read.borrow_mut().files.push(Rc::clone(&file));
        file
    }

    /// Finds, reads and keeps a file.
    fn load(&self, request: ModuleRequest<'_>) -> Option<Rc<ModuleFile>> {
        let is_own = |file: &&Rc<ModuleFile>| {
            let revision = request.revision.is_none_or(|revision| revision == file.revision());
            file.name() == Some(request.name) && request.submodule_of.is_none() && revision
        };
        if let Some(own) = self.own.iter().find(is_own) {
            let files = &mut self.read.borrow_mut().files;
            files.retain(|file| !Rc::ptr_eq(file, own));
            files.push(Rc::clone(own));
            return Some(Rc::clone(own));
        }
        let Some(path) = self.path(request) else {
            let missing = &mut self.read.borrow_mut().missing;
            if !missing.iter().any(|name| name == request.name) {
                missing.push(request.name.to_owned());
            }
            return None;
        };
        let file = self.read(&path);
        let mut read = self.read.borrow_mut();
        match file {
            Ok(file) => {
                read.files.retain(|known| !Rc::ptr_eq(known, &file));
                read.files.push(Rc::clone(&file));
                Some(file)
            }
            Err(problem) => {
                if !read.problems.contains(&problem) {
                    read.problems.push(problem);
                }
                None
            }
        }
    }

    /// Reads a file, or returns the result of reading it before.
    fn read(&self, path: &Path) -> Result<Rc<ModuleFile>, Problem> {
        let known = &mut self.read.borrow_mut().known;
        known.entry(path.to_owned()).or_insert_with(|| ModuleFile::read(path).map(Rc::new)).clone()
    }

    /// Returns the path of the best file: the one that was given, or else, in the first directory
    /// that has the module, the one with the requested or the newest revision.
    fn path(&self, request: ModuleRequest<'_>) -> Option<PathBuf> {
        let revision = request.revision.filter(|revision| !revision.is_empty());
        let given = self.given.get(request.name).filter(|_| request.submodule_of.is_none());
        if let Some(path) = given {
            let fits = |wanted| self.read(path).is_ok_and(|file| file.revision() == wanted);
            if revision.is_none_or(fits) {
                return Some(path.clone());
            }
        }
        self.directories().find_map(|directory| {
            let mut found = self.revisions(directory, request.name);
            match revision {
                Some(wanted) => found.into_iter().find(|(known, _)| known == wanted).map(|(_, path)| path),
                None => {
                    found.sort();
                    found.pop().map(|(_, path)| path)
                }
            }
        })
    }
}

impl ModuleFiles {
    /// Returns the revisions of a module in a directory, with their files: `name.yang` and
    /// `name@revision.yang` (RFC 7950 section 5.2).
    fn revisions(&self, directory: &Path, name: &str) -> Vec<(String, PathBuf)> {
        let directory = shown(directory);
        let mut found = Vec::new();
        let plain = directory.join(format!("{name}.yang"));
        if plain.exists() {
            // Errors are reported when the file is read to be used.
            let revision = self.read(&plain).map(|file| file.revision().to_owned());
            found.push((revision.unwrap_or_default(), plain));
        }
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let file_name = entry.file_name();
            let revision = file_name
                .to_str()
                .and_then(|file| file.strip_prefix(name)?.strip_prefix('@')?.strip_suffix(".yang"));
            if let Some(revision) = revision {
                found.push((revision.to_owned(), entry.path()));
            }
        }
        found
    }
}

impl ModuleSource for ModuleFiles {
    fn text(&self, request: ModuleRequest<'_>) -> Option<CString> {
        CString::new(self.load(request)?.text.as_str()).ok()
    }
}

/// Returns a directory as it can be opened and shown: the empty path is the current directory.
fn shown(directory: &Path) -> &Path {
    if directory.as_os_str().is_empty() { Path::new(".") } else { directory }
}

/// No directories.
static EMPTY: Vec<PathBuf> = Vec::new();

/// Opening a named pipe does not wait for a writer.
const NO_WAIT: i32 = OFlags::NONBLOCK.bits().cast_signed();

/// Maximum length of a module's text, in octets.
const MAX_TEXT: u64 = portreeve_yang::MAX_MODULE_TEXT as u64;

#[cfg(test)]
mod tests;
