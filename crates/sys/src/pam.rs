//! The PAM library's application side: one transaction, whose questions a function answers.
//!
//! ```text
//! PamTransaction::start ─▶ authenticate ─▶ check_account ─▶ drop
//!                  └──────┬─────────┘
//!                         └─▶ converse (C calls it) ─▶ the Answerer ─▶ answers, on C's heap
//! ```
//! Layouts and numbers are Linux-PAM's. Answers are copied once, for the module that asked, which wipes and frees its copy;
//! what does not reach it is wiped here. A panic of the function ends at C's border and answers nothing.

mod error;

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{self, NonNull};

use portreeve_secret::Secret;

pub use error::PamError;

/// Answers what modules ask: one answer for each message that asks something, in order. `None` breaks the transaction off.
pub type ConversationFn<'a> = dyn FnMut(&[PamMessage]) -> Option<Vec<Secret>> + 'a;

/// What a module asks or tells.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PamMessage {
    /// What kind it is of.
    pub style: PamStyle,
    /// Its text, as far as it is UTF-8.
    pub text: String,
}

/// What a message is for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum PamStyle {
    /// A question whose answer must not be seen.
    PromptEchoOff,
    /// A question whose answer may be seen.
    PromptEchoOn,
    /// Something went wrong.
    ErrorMsg,
    /// Something to know.
    TextInfo,
}

impl PamStyle {
    /// Whether an answer is wanted.
    pub fn is_prompt(self) -> bool {
        matches!(self, Self::PromptEchoOff | Self::PromptEchoOn)
    }
}

/// A transaction in progress. Its calls block for as long as the modules like.
pub struct PamTransaction<'a> {
    handle: NonNull<c_void>,
    /// What C holds: freed after the handle.
    conversation: NonNull<&'a mut ConversationFn<'a>>,
    last_code: c_int,
}

impl<'a> PamTransaction<'a> {
    /// Begins a transaction about `user` by the rules of `service`.
    ///
    /// # Errors
    /// When the library cannot read its rules.
    pub fn start(
        service: &CStr,
        user: &CStr,
        answerer: &'a mut ConversationFn<'a>,
    ) -> Result<Self, PamError> {
        let answerer = NonNull::from(Box::leak(Box::new(answerer)));
        let conversation = RawConversation { call: converse, data: answerer.as_ptr().cast() };
        let mut handle = ptr::null_mut();
        // SAFETY: the strings end in NUL and are copied, as the conversation is; the handle's place is ours. What `data`
        // points to lives until after `pam_end`.
        let code =
            unsafe { pam_start(service.as_ptr(), user.as_ptr(), &raw const conversation, &raw mut handle) };
        match NonNull::new(handle) {
            Some(handle) if code == PamError::SUCCESS => {
                Ok(Self { handle, conversation: answerer, last_code: code })
            }
            _ => {
                // SAFETY: it was leaked above, and nothing that could use it exists.
                drop(unsafe { Box::from_raw(answerer.as_ptr()) });
                Err(PamError::from_code(code).unwrap_or(PamError::ABORT))
            }
        }
    }

    /// Says from where the user comes.
    ///
    /// # Errors
    /// When memory is short.
    pub fn set_remote_host(&mut self, host: &CStr) -> Result<(), PamError> {
        self.set_item(REMOTE_HOST, host)
    }

    /// Says at what terminal the user sits, or what stands for one.
    ///
    /// # Errors
    /// When memory is short.
    pub fn set_terminal(&mut self, name: &CStr) -> Result<(), PamError> {
        self.set_item(TERMINAL, name)
    }

    /// Has the user prove to be that; an empty password proves nothing. Where it fails, modules may have this take seconds.
    ///
    /// # Errors
    /// What the modules say together.
    pub fn authenticate(&mut self) -> Result<(), PamError> {
        // SAFETY: the handle is alive and used by this call alone.
        let code = unsafe { pam_authenticate(self.handle.as_ptr(), DISALLOW_NULL_AUTHTOK) };
        self.record_result(code)
    }

    /// Whether the user may come in now.
    ///
    /// # Errors
    /// What the modules say together.
    pub fn check_account(&mut self) -> Result<(), PamError> {
        // SAFETY: the handle is alive and used by this call alone.
        let code = unsafe { pam_acct_mgmt(self.handle.as_ptr(), DISALLOW_NULL_AUTHTOK) };
        self.record_result(code)
    }

    /// The user, whom a module may have given another name.
    pub fn user(&mut self) -> Option<CString> {
        let mut item = ptr::null();
        // SAFETY: the handle is alive; the item is the library's, and is copied before the next call.
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
        // SAFETY: the handle is alive and not used after this; nobody calls back then, so the answerer can go too.
        unsafe {
            pam_end(self.handle.as_ptr(), self.last_code);
            drop(Box::from_raw(self.conversation.as_ptr()));
        }
    }
}

/// What modules call. `data` is an [`ConversationFn`]'s.
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
        // SAFETY: the library hands over `count` pointers to messages that live as long as this call.
        let asked: Vec<_> = (0..count).map(|index| unsafe { read_message(*messages.add(index)) }).collect();
        let asked: Vec<_> = asked.into_iter().collect::<Option<_>>()?;
        // SAFETY: `data` is what `PamTransaction::start` has leaked; the calls that lead here borrow it exclusively and leave it alone.
        let answerer = unsafe { &mut **data.cast::<&mut ConversationFn<'_>>() };
        let answers = answerer(&asked)?;
        let wanted = asked.iter().map(|message| message.style.is_prompt());
        let fits = wanted.clone().filter(|asks| *asks).count() == answers.len();
        // What has no end of its own would be cut.
        let are_texts = answers.iter().all(|answer| !answer.expose().contains(&0));
        if fits && are_texts { ResponseArray::new(count)?.fill(wanted, &answers) } else { None }
    }));
    match answered {
        Ok(Some(filled)) => {
            // SAFETY: the place is the caller's, who frees what is put there.
            unsafe { *responses = filled.into_raw() };
            PamError::SUCCESS
        }
        _ => PamError::CONVERSATION_FAILED.code(),
    }
}

/// # Safety
/// `message` is null, or points to a message whose text is null or ends in NUL.
unsafe fn read_message(message: *const RawMessage) -> Option<PamMessage> {
    // SAFETY: as the caller says.
    let message = unsafe { message.as_ref()? };
    let style = match message.style {
        1 => PamStyle::PromptEchoOff,
        2 => PamStyle::PromptEchoOn,
        3 => PamStyle::ErrorMsg,
        4 => PamStyle::TextInfo,
        // Octets for programs, and what may come.
        _ => return None,
    };
    if message.text.is_null() {
        return Some(PamMessage { style, text: String::new() });
    }
    // SAFETY: as the caller says.
    let text = unsafe { CStr::from_ptr(message.text) };
    Some(PamMessage { style, text: text.to_string_lossy().into_owned() })
}

/// Responses on C's heap, wiped and freed unless they are handed over.
struct ResponseArray {
    first: NonNull<RawResponse>,
    count: usize,
}

impl ResponseArray {
    fn new(count: usize) -> Option<Self> {
        // SAFETY: only allocates; zeros are valid responses.
        let first = unsafe { libc::calloc(count, size_of::<RawResponse>()) };
        NonNull::new(first.cast()).map(|first| Self { first, count })
    }

    /// Copies answers to where they are wanted.
    fn fill(self, wanted: impl Iterator<Item = bool>, answers: &[Secret]) -> Option<Self> {
        let mut answers = answers.iter();
        for (index, _) in wanted.enumerate().filter(|(_, asks)| *asks).take(self.count) {
            let answer = answers.next()?.expose();
            // SAFETY: the new memory has room for the answer and a NUL, and the response is one of ours.
            unsafe {
                let copy = libc::calloc(answer.len() + 1, 1).cast::<u8>();
                if copy.is_null() {
                    return None;
                }
                ptr::copy_nonoverlapping(answer.as_ptr(), copy, answer.len());
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
            // SAFETY: each text is null, or ours and ends in NUL; `explicit_bzero` is not optimised away.
            unsafe {
                let text = (*self.first.add(index).as_ptr()).text;
                if !text.is_null() {
                    libc::explicit_bzero(text.cast(), libc::strlen(text));
                    libc::free(text.cast());
                }
            }
        }
        // SAFETY: it is ours, and not used after this.
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
    /// Not used; zero.
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
/// `PAM_DISALLOW_NULL_AUTHTOK`
const DISALLOW_NULL_AUTHTOK: c_int = 1;
/// `PAM_MAX_NUM_MSG`
const MAX_MESSAGES: usize = 32;

#[cfg(test)]
mod tests;
