//! Pointers into the memory of a context.

use std::{
    ffi::{CStr, c_char},
    fmt,
    marker::PhantomData,
    ptr::NonNull,
};

use super::Context;

/// A pointer to a structure that lives as long as its context.
pub(super) struct Pointer<'c, T> {
    raw: NonNull<T>,
    context: PhantomData<&'c Context>,
}

impl<'c, T> Pointer<'c, T> {
    /// Returns `None` for a null pointer.
    ///
    /// # Safety
    ///
    /// A pointer that is not null must point to a valid `T`, and to valid structures in turn, until
    /// the context is dropped.
    pub(super) unsafe fn new(raw: *const T) -> Option<Self> {
        NonNull::new(raw.cast_mut()).map(|raw| Self { raw, context: PhantomData })
    }

    /// Returns the pointer for calls of libyang.
    pub(super) fn raw(self) -> *mut T {
        self.raw.as_ptr()
    }

    /// Copies the structure.
    pub(super) fn read(self) -> T
    where
        T: Copy,
    {
        // SAFETY: the pointer is valid, see `new`; libyang runs on this thread only, so that
        // nothing changes the structure during the copy.
        unsafe { self.raw.read() }
    }

    /// Interprets the structure as one that begins with the same fields.
    ///
    /// # Safety
    ///
    /// The pointer must point to a valid `U`.
    pub(super) unsafe fn cast<U>(self) -> Pointer<'c, U> {
        Pointer { raw: self.raw.cast(), context: PhantomData }
    }
}

impl<T> Clone for Pointer<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Pointer<'_, T> {}

impl<T> PartialEq for Pointer<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}

impl<T> Eq for Pointer<'_, T> {}

impl<T> fmt::Debug for Pointer<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:p}", self.raw)
    }
}

/// Returns a text of libyang's dictionary, which never changes while its context exists.
///
/// All texts come from modules that were checked to be UTF-8, so none is lost here.
///
/// # Safety
///
/// A pointer that is not null must point to a text that ends with NUL and lives as long as the
/// context.
pub(super) unsafe fn text<'c>(raw: *const c_char) -> Option<&'c str> {
    if raw.is_null() {
        return None;
    }
    // SAFETY: the caller guarantees a text with NUL that lives long enough.
    unsafe { CStr::from_ptr(raw) }.to_str().ok()
}

/// Returns pointers to the elements of a sized array, in which the number of elements is stored in
/// front of the first one. Null is an empty array.
///
/// # Safety
///
/// A pointer that is not null must point to the first element of a sized array of valid structures
/// that lives as long as the context.
pub(super) unsafe fn elements<'c, T: 'c>(
    first: *const T,
) -> impl ExactSizeIterator<Item = Pointer<'c, T>> + use<'c, T> {
    let count = if first.is_null() {
        0
    } else {
        // SAFETY: a sized array has its count directly in front of the first element.
        unsafe { first.cast::<u64>().sub(1).read() }
    };
    let count = usize::try_from(count).unwrap_or(0);
    (0..count).map(move |at| {
        // SAFETY: `at` is below the number of elements, which are all valid; `first` is not null.
        let raw = unsafe { NonNull::new_unchecked(first.add(at).cast_mut()) };
        Pointer { raw, context: PhantomData }
    })
}

/// Returns the targets of a sized array of pointers.
///
/// # Safety
///
/// As for [`elements`], and each pointer in the array must be null or point to a valid structure.
pub(super) unsafe fn targets<'c, T: 'c>(
    first: *const *mut T,
) -> impl Iterator<Item = Pointer<'c, T>> + use<'c, T> {
    // SAFETY: the caller guarantees a sized array of pointers that are null or valid.
    unsafe { elements(first) }.filter_map(|element| unsafe { Pointer::new(element.read()) })
}
