//! A disk in memory that simulates failures.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

use super::{AppendFile, Content, Disk};

/// A directory in memory. Clones share the files.
#[derive(Clone, Default)]
pub(crate) struct MemoryDisk {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    files: Files,
    operations: usize,
    power_cut_at: Option<usize>,
    capacity: Option<usize>,
    failing_syncs: usize,
}

pub(crate) type Files = BTreeMap<String, Vec<u8>>;

impl MemoryDisk {
    pub(crate) fn with(files: Files) -> Self {
        let disk = Self::default();
        disk.state().files = files;
        disk
    }

    pub(crate) fn boxed(&self) -> Box<dyn Disk> {
        Box::new(self.clone())
    }

    pub(crate) fn files(&self) -> Files {
        self.state().files.clone()
    }

    /// Returns the number of changes so far.
    pub(crate) fn operations(&self) -> usize {
        self.state().operations
    }

    /// Performs the change with this number only partially, and fails all later changes.
    pub(crate) fn cut_power_at(&self, operation: usize) {
        self.state().power_cut_at = Some(operation);
    }

    /// Limits the total size of all files; `None` removes the limit.
    pub(crate) fn set_capacity(&self, capacity: Option<usize>) {
        self.state().capacity = capacity;
    }

    /// Makes the next `count` syncs of a log fail.
    pub(crate) fn fail_syncs(&self, count: usize) {
        self.state().failing_syncs = count;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }
}

impl State {
    /// Counts a change and returns the part of it that is performed.
    fn start_operation(&mut self) -> io::Result<Extent> {
        let number = self.operations;
        self.operations += 1;
        match self.power_cut_at {
            Some(cut) if number > cut => Err(io::Error::other("no power")),
            Some(cut) if number == cut => Ok(Extent::Half),
            _ => Ok(Extent::Whole),
        }
    }

    fn put(&mut self, name: &str, offset: usize, content: &[u8]) -> io::Result<()> {
        let extent = self.start_operation()?;
        let others: usize =
            self.files.iter().filter(|(other, _)| *other != name).map(|(_, file)| file.len()).sum();
        let file = self.files.entry(name.into()).or_default();
        file.truncate(offset);
        let mut written = content.len();
        if extent == Extent::Half {
            written /= 2;
        }
        if let Some(capacity) = self.capacity {
            written = written.min(capacity.saturating_sub(others + offset));
        }
        file.extend_from_slice(&content[..written]);
        if extent == Extent::Half {
            Err(io::Error::other("power cut"))
        } else if written < content.len() {
            Err(io::ErrorKind::StorageFull.into())
        } else {
            Ok(())
        }
    }
}

#[derive(PartialEq)]
enum Extent {
    Half,
    Whole,
}

impl Disk for MemoryDisk {
    fn read(&self, name: &str) -> io::Result<Option<Content>> {
        Ok(self.state().files.get(name).cloned().map(Content::new))
    }

    fn write(&mut self, name: &str, content: &[u8]) -> io::Result<()> {
        self.state().put(name, 0, content)
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        let mut state = self.state();
        // An atomic change is performed completely or not at all.
        if state.start_operation()? == Extent::Half {
            return Err(io::Error::other("power cut"));
        }
        let file = state.files.remove(from).ok_or(io::ErrorKind::NotFound)?;
        state.files.insert(to.into(), file);
        Ok(())
    }

    fn remove(&mut self, name: &str) -> io::Result<()> {
        let mut state = self.state();
        if state.start_operation()? == Extent::Half {
            return Err(io::Error::other("power cut"));
        }
        state.files.remove(name);
        Ok(())
    }

    fn open(&mut self, name: &str) -> io::Result<Box<dyn AppendFile>> {
        Ok(Box::new(MemoryFile { disk: self.clone(), name: name.into() }))
    }
}

struct MemoryFile {
    disk: MemoryDisk,
    name: String,
}

impl AppendFile for MemoryFile {
    fn write_at(&mut self, offset: u64, content: &[u8]) -> io::Result<()> {
        self.disk.state().put(&self.name, offset as usize, content)
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut state = self.disk.state();
        if state.start_operation()? == Extent::Half {
            return Err(io::Error::other("power cut"));
        }
        if state.failing_syncs > 0 {
            state.failing_syncs -= 1;
            return Err(io::Error::other("sync failed"));
        }
        Ok(())
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        let mut state = self.disk.state();
        if state.start_operation()? == Extent::Half {
            return Err(io::Error::other("power cut"));
        }
        let file = state.files.get_mut(&self.name).ok_or(io::ErrorKind::NotFound)?;
        file.truncate(length as usize);
        Ok(())
    }
}
