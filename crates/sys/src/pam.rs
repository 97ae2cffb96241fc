//! The application side of the PAM library: one transaction, with a callback for the prompts of the
//! modules.
//!
//! ```text
//! PamTransaction::start ─▶ authenticate ─▶ check_account ─▶ drop
//!                               └───────┬────────┘
//!                                       └─▶ converse (called by C) ─▶ ConversationFn
//! ```
//! Layouts and numbers are those of Linux-PAM. Responses are copied once to the C heap; the module
//! that prompted wipes and frees its copy. Copies that are not passed to the module are wiped here.
//! A panic of the callback is caught before it reaches C, and the conversation fails.

mod error;

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{self, NonNull};

use portreeve_secret::Secret;

pub use error::PamError;

/// Answers the prompts of modules: returns one response for each prompt, in order. `None` aborts
/// the transaction.
pub type ConversationFn<'a> = dyn FnMut(&[PamMessage]) -> Option<Vec<Secret>> + 'a;

/// A message of a module to the user.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PamMessage {
    /// The kind of message.
    pub style: PamStyle,
    /// The text; invalid UTF-8 is replaced.
    pub text: String,
}

/// The purpose of a PAM message.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum PamStyle {
    /// A prompt whose input must be hidden (PAM_PROMPT_ECHO_OFF).
    PromptEchoOff,
    /// A prompt whose input may be shown (PAM_PROMPT_ECHO_ON).
    PromptEchoOn,
    /// An error message (PAM_ERROR_MSG).
    ErrorMsg,
    /// An informational message (PAM_TEXT_INFO).
    TextInfo,
}

impl PamStyle {
    /// Returns whether the message expects a response.
    pub fn is_prompt(self) -> bool {
        matches!(self, Self::PromptEchoOff | Self::PromptEchoOn)
    }
}

/// A PAM transaction. Its functions block while the PAM modules block.
pub struct PamTransaction<'a> {
    handle: NonNull<c_void>,
    /// The pointer that is stored in the C library; freed after the handle.
    conversation: NonNull<&'a mut ConversationFn<'a>>,
    last_code: c_int,
}

impl<'a> PamTransaction<'a> {
    /// Starts a transaction for `user` with the rules of `service`.
    ///
    /// # Errors
    /// The library's error, for example if it cannot read the rules.
    pub fn start(
        service: &CStr,
        user: &CStr,
        conversation: &'a mut ConversationFn<'a>,
    ) -> Result<Self, PamError> {
        let callback = NonNull::from(Box::leak(Box::new(conversation)));
        let conversation = RawConversation { call: converse, data: callback.as_ptr().cast() };
        let mut handle = ptr::null_mut();
        // SAFETY: the strings end in NUL and are copied, as is the conversation structure; `handle`
        // is a local variable. The target of `data` lives until after `pam_end`.
        let code =
            unsafe { pam_start(service.as_ptr(), user.as_ptr(), &raw const conversation, &raw mut handle) };
        match NonNull::new(handle) {
            Some(handle) if code == PamError::SUCCESS => {
                Ok(Self { handle, conversation: callback, last_code: code })
            }
            _ => {
                // SAFETY: the callback was leaked above, and no other code can use it.
                drop(unsafe { Box::from_raw(callback.as_ptr()) });
                Err(PamError::from_code(code).unwrap_or(PamError::ABORT))
            }
        }
    }

    /// Sets the host that the user connects from (PAM_RHOST).
    ///
    /// # Errors
    /// The library's error, for example if memory is exhausted.
    pub fn set_remote_host(&mut self, host: &CStr) -> Result<(), PamError> {
        self.set_item(REMOTE_HOST, host)
    }

    /// Sets the user's terminal or a substitute for it (PAM_TTY).
    ///
    /// # Errors
    /// The library's error, for example if memory is exhausted.
    pub fn set_terminal(&mut self, name: &CStr) -> Result<(), PamError> {
        self.set_item(TERMINAL, name)
    }

    /// Authenticates the user; an empty password is rejected. On failure, modules may delay the
    /// return by seconds.
    ///
    /// # Errors
    /// The combined result of the modules.
    pub fn authenticate(&mut self) -> Result<(), PamError> {
        // SAFETY: the handle is alive and only used by this call.
        let code = unsafe { pam_authenticate(self.handle.as_ptr(), DISALLOW_NULL_AUTHTOK) };
        self.record_result(code)
    }

    /// Checks whether the account may be used now, for example that it has not expired.
    ///
    /// # Errors
    /// The combined result of the modules.
    pub fn check_account(&mut self) -> Result<(), PamError> {
        // SAFETY: the handle is alive and only used by this call.
        let code = unsafe { pam_acct_mgmt(self.handle.as_ptr(), DISALLOW_NULL_AUTHTOK) };
        self.record_result(code)
    }

    /// Returns the user name, which a module may have changed.
    pub fn user(&mut self) -> Option<CString> {
        let mut item = ptr::null();
        // SAFETY: the handle is alive; the item belongs to the library and is copied before the
        // next call.
        unsafe {
            let code = pam_get_item(self.handle.as_ptr(), USER, &raw mut item);
            let is_there = code == PamError::SUCCESS && !item.is_null();
            is_there.then(|| CStr::from_ptr(item.cast()).to_owned())
        }
    }

    fn set_item(&mut self, item: c_int, value: &CStr) -> Result<(), PamError> {
        // SAFETY: the handle is alive; the string ends in NUL and is copied.
        let code = unsafe { pam_set_item(self.handle.as_ptr(), item, value.as_ptr().cast()) };
        PamError::from_code(code).map_or(Ok(()), Err)
    }

    fn record_result(&mut self, code: c_int) -> Result<(), PamError> {
        self.last_code = code;
        PamError::from_code(code).map_or(Ok(()), Err)
    }
}

impl Drop for PamTransaction<'_> {
    fn drop(&mut self) {
        // SAFETY: the handle is alive and not used after this. The library makes no callback after
        // `pam_end`, so the callback can also be freed.
        unsafe {
            pam_end(self.handle.as_ptr(), self.last_code);
            drop(Box::from_raw(self.conversation.as_ptr()));
        }
    }
}

/// The conversation function that modules call. `data` points to a [`ConversationFn`].
extern "C" fn converse(
    count: c_int,
    messages: *const *const RawMessage,
    responses: *mut *mut RawResponse,
    data: *mut c_void,
) -> c_int {
    let Ok(count) = usize::try_from(count) else { return PamError::CONVERSATION_FAILED.code() };
    if count == 0 || count > MAX_MESSAGES || messages.is_null() || responses.is_null() || data.is_null() {
        return PamError::CONVERSATION_FAILED.code();
    }
    let answered = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the library passes `count` pointers to messages that live until this call
        // returns.
        let parsed: Vec<_> = (0..count).map(|index| unsafe { read_message(*messages.add(index)) }).collect();
        let parsed: Vec<_> = parsed.into_iter().collect::<Option<_>>()?;
        // SAFETY: `data` is the pointer that `PamTransaction::start` leaked. The functions of the
        // transaction that lead to this call borrow the callback exclusively and do not use it
        // themselves.
        let conversation = unsafe { &mut **data.cast::<&mut ConversationFn<'_>>() };
        let answers = conversation(&parsed)?;
        let prompts = parsed.iter().map(|message| message.style.is_prompt());
        let fits = prompts.clone().filter(|is_prompt| *is_prompt).count() == answers.len();
        // C would truncate a response that contains NUL.
        let are_texts = answers.iter().all(|answer| !answer.expose().contains(&0));
        if fits && are_texts { ResponseArray::new(count)?.fill(prompts, &answers) } else { None }
    }));
    match answered {
        Ok(Some(filled)) => {
            // SAFETY: the location belongs to the caller, which frees the responses stored there.
            unsafe { *responses = filled.into_raw() };
            PamError::SUCCESS
        }
        _ => PamError::CONVERSATION_FAILED.code(),
    }
}

/// # Safety
/// `message` is null, or points to a message whose text is null or ends in NUL.
unsafe fn read_message(message: *const RawMessage) -> Option<PamMessage> {
    // SAFETY: the caller guarantees that `message` is null or points to a message.
    let message = unsafe { message.as_ref()? };
    let style = match message.style {
        1 => PamStyle::PromptEchoOff,
        2 => PamStyle::PromptEchoOn,
        3 => PamStyle::ErrorMsg,
        4 => PamStyle::TextInfo,
        // Binary prompts and unknown kinds of messages are not supported.
        _ => return None,
    };
    if message.text.is_null() {
        return Some(PamMessage { style, text: String::new() });
    }
    // SAFETY: the caller guarantees that the text ends in NUL if it is not null.
    let text = unsafe { CStr::from_ptr(message.text) };
    Some(PamMessage { style, text: text.to_string_lossy().into_owned() })
}

/// Responses on the C heap, wiped and freed on drop unless passed to C with
/// [`into_raw`](Self::into_raw).
struct ResponseArray {
    first: NonNull<RawResponse>,
    count: usize,
}

impl ResponseArray {
    fn new(count: usize) -> Option<Self> {
        // SAFETY: the call only allocates; zeros are valid responses.
        let first = unsafe { libc::calloc(count, size_of::<RawResponse>()) };
        NonNull::new(first.cast()).map(|first| Self { first, count })
    }

    /// Copies `responses` to the positions of the prompts.
    fn fill(self, prompts: impl Iterator<Item = bool>, responses: &[Secret]) -> Option<Self> {
        let mut responses = responses.iter();
        for (index, _) in prompts.enumerate().filter(|(_, is_prompt)| *is_prompt).take(self.count) {
            let response = responses.next()?.expose();
            // SAFETY: the new memory has room for the response and a NUL, and `index` is below
            // `count`.
            unsafe {
                let copy = libc::calloc(response.len() + 1, 1).cast::<u8>();
                if copy.is_null() {
                    return None;
                }
                ptr::copy_nonoverlapping(response.as_ptr(), copy, response.len());
                (*self.first.add(index).as_ptr()).text = copy.cast();
            }
        }
        Some(self)
    }

    fn into_raw(self) -> *mut RawResponse {
        let first = self.first.as_ptr();
        std::mem::forget(self);
        first
    }
}

impl Drop for ResponseArray {
    fn drop(&mut self) {
        for index in 0..self.count {
            // SAFETY: each text is null, or allocated by `fill` and ends in NUL; `explicit_bzero`
            // is not optimized away.
            unsafe {
                let text = (*self.first.add(index).as_ptr()).text;
                if !text.is_null() {
                    libc::explicit_bzero(text.cast(), libc::strlen(text));
                    libc::free(text.cast());
                }
            }
        }
        // SAFETY: the array was allocated in `new` and is not used after this.
        unsafe { libc::free(self.first.as_ptr().cast()) };
    }
}

#[repr(C)]
struct RawMessage {
    style: c_int,
    text: *const c_char,
}

#[repr(C)]
struct RawResponse {
    text: *mut c_char,
    /// The result code in the C structure. PAM does not use it; it is always zero.
    code: c_int,
}

#[repr(C)]
struct RawConversation {
    call: extern "C" fn(c_int, *const *const RawMessage, *mut *mut RawResponse, *mut c_void) -> c_int,
    data: *mut c_void,
}

#[link(name = "pam")]
unsafe extern "C" {
    fn pam_start(
        service: *const c_char,
        user: *const c_char,
        conversation: *const RawConversation,
        handle: *mut *mut c_void,
    ) -> c_int;
    fn pam_end(handle: *mut c_void, status: c_int) -> c_int;
    fn pam_authenticate(handle: *mut c_void, flags: c_int) -> c_int;
    fn pam_acct_mgmt(handle: *mut c_void, flags: c_int) -> c_int;
    fn pam_set_item(handle: *mut c_void, item: c_int, value: *const c_void) -> c_int;
    fn pam_get_item(handle: *const c_void, item: c_int, value: *mut *const c_void) -> c_int;
}

const USER: c_int = 2;
const TERMINAL: c_int = 3;
const REMOTE_HOST: c_int = 4;
/// The flag `PAM_DISALLOW_NULL_AUTHTOK`, with which empty passwords are rejected.
const DISALLOW_NULL_AUTHTOK: c_int = 1;
/// The maximum number of messages in one call of a module (`PAM_MAX_NUM_MSG`).
const MAX_MESSAGES: usize = 32;

#[cfg(test)]
mod tests;
