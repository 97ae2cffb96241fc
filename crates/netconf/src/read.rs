//! The content of replies: data that a filter selects, and the texts of modules.
//!
//! ```text
//! DataView (trees, rights) ─▶ FilterWalk ─▶ TreeWriter ─▶ `data` element, in pieces
//! ```

mod reply;
mod schema_text;
mod view;

pub(crate) use reply::ReplyData;
pub(crate) use schema_text::find_schema;
pub(crate) use view::DataView;
