//! Default values of the system group, taken from this machine (RFC 3418).

use rustix::system::uname;

/// Returns the default value of sysDescr: the system name, host name, release, version and
/// hardware, like `uname -a`.
pub fn sys_descr() -> String {
    let uname = uname();
    [uname.sysname(), uname.nodename(), uname.release(), uname.version(), uname.machine()]
        .map(|part| part.to_string_lossy().into_owned())
        .join(" ")
}

/// Returns the host name as the default value of sysName.
pub fn sys_name() -> String {
    uname().nodename().to_string_lossy().into_owned()
}
