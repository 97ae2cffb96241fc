//! Files that are opened without waiting.

use std::{
    fs::{File, OpenOptions},
    io,
    os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt},
    path::Path,
};

/// Opens a file for reading. Never waits for the writer of a named pipe, and never takes a terminal
/// as the controlling terminal.
///
/// # Errors
/// Fails if the file cannot be opened, and if it is neither a regular file nor `/dev/null`.
pub fn open_file(path: &Path) -> io::Result<File> {
    let flags = libc::O_NONBLOCK | libc::O_NOCTTY;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    let metadata = file.metadata()?;
    let is_null = || metadata.file_type().is_char_device() && metadata.rdev() == NULL_DEVICE;
    if metadata.is_file() || is_null() { Ok(file) } else { Err(io::Error::other("not a regular file")) }
}

/// The device number of `/dev/null`, which users name for an empty file.
const NULL_DEVICE: u64 = libc::makedev(1, 3);

#[cfg(test)]
mod tests {
    use std::{ffi::CString, fs, io::Read, os::unix::ffi::OsStrExt};

    use super::*;

    #[test]
    fn only_regular_files_and_null_device_are_opened() {
        let name = format!("portreeve-open-file-{}", std::process::id());
        let directory = std::env::temp_dir().join(name);
        fs::create_dir(&directory).unwrap();
        let (file, pipe, link) = (directory.join("file"), directory.join("pipe"), directory.join("link"));
        fs::write(&file, "text").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let pipe_name = CString::new(pipe.as_os_str().as_bytes()).unwrap();
        // SAFETY: the name is a string that ends with a zero byte and outlives the call.
        assert_eq!(unsafe { libc::mkfifo(pipe_name.as_ptr(), 0o600) }, 0);
        let read = |path: &Path| {
            let mut text = String::new();
            open_file(path).map_err(|error| error.to_string())?.read_to_string(&mut text).unwrap();
            Ok(text)
        };
        let rejected = || Err("not a regular file".to_owned());
        assert_eq!(read(&file), Ok("text".to_owned()));
        assert_eq!(read(&link), Ok("text".to_owned()));
        assert_eq!(read(Path::new("/dev/null")), Ok(String::new()));
        assert_eq!(read(Path::new("/dev/zero")), rejected());
        assert_eq!(read(&directory), rejected());
        assert_eq!(read(&pipe), rejected(), "without waiting for a writer");
        assert_eq!(open_file(&directory.join("none")).unwrap_err().kind(), io::ErrorKind::NotFound);
        fs::remove_dir_all(&directory).unwrap();
    }
}
