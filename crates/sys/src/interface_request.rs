//! The argument of ioctl(2) calls that concern a network interface.

use std::ffi::c_char;
use std::io;
use std::mem;

/// The kernel's `ifreq`: the name of an interface, and a value that depends on the call.
#[repr(transparent)]
pub(crate) struct InterfaceRequest(libc::ifreq);

impl InterfaceRequest {
    /// Returns a request for the interface `name`, whose value is all zeros.
    ///
    /// # Errors
    /// `InvalidInput` if the name is empty, longer than 15 octets, or contains a zero octet.
    pub(crate) fn new(name: &str) -> io::Result<Self> {
        // SAFETY: ifreq consists of integers, and of pointers for which null is valid.
        let mut request: libc::ifreq = unsafe { mem::zeroed() };
        // The last octet stays zero.
        if name.is_empty() || name.len() >= request.ifr_name.len() || name.contains('\0') {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        for (target, octet) in request.ifr_name.iter_mut().zip(name.bytes()) {
            *target = octet as c_char;
        }
        Ok(Self(request))
    }

    /// Sets the value to flags, of which the kernel reads 16 bits.
    pub(crate) fn set_flags(&mut self, flags: libc::c_int) {
        self.0.ifr_ifru.ifru_flags = flags as libc::c_short;
    }

    /// Sets the value to a pointer.
    pub(crate) fn set_data<T>(&mut self, data: *mut T) {
        self.0.ifr_ifru.ifru_data = data.cast();
    }

    /// Returns a pointer for ioctl(2).
    pub(crate) fn as_mut_ptr(&mut self) -> *mut libc::ifreq {
        &raw mut self.0
    }
}
