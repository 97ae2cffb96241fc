//! Parts of the notification receiver that need no socket.
//!
//! [`HandlerTable`] selects the handlers of a notification, as `traphandle` and `forward` of
//! `snmptrapd.conf` do. [`LineFormat`] is the format language of `-F` and of the directives
//! `format1` and `format2`. There is no program yet that uses them.

mod handlers;
mod line_format;
mod notification;

pub use handlers::{HandlerTable, OidPattern, OidPatternError};
pub use line_format::{LineFormat, LineFormatError};
pub use notification::{CalendarTime, Notification, NotificationKind, ReceptionTime, Security, Source};
