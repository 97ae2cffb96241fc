//! What the system group says of this machine unless the configuration says otherwise (RFC 3418).

use rustix::system::uname;

/// sysDescr: the system's name, the host's, release, version and hardware, as `uname -a` has them.
pub fn sys_descr() -> String {
    let uname = uname();
    [uname.sysname(), uname.nodename(), uname.release(), uname.version(), uname.machine()]
        .map(|part| part.to_string_lossy().into_owned())
        .join(" ")
}

/// sysName: the host's name.
pub fn sys_name() -> String {
    uname().nodename().to_string_lossy().into_owned()
}
