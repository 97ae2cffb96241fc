//! Formats fields of comma-separated values.

use std::borrow::Cow;

/// Returns a text as a CSV field: quoted if necessary, and never a formula.
///
/// Spreadsheets evaluate cells that begin with `=`, `+`, `-` or `@`, even if they are quoted. Such
/// a text gets a leading apostrophe, unless it is a number.
///
/// ```
/// use portreeve_json::csv_field;
///
/// assert_eq!(csv_field("a, \"b\""), "\"a, \"\"b\"\"\"");
/// assert_eq!(csv_field("=HYPERLINK(A1)"), "'=HYPERLINK(A1)");
/// assert_eq!(csv_field("-12.5"), "-12.5");
/// ```
pub fn csv_field(text: &str) -> Cow<'_, str> {
    // Leading white space is skipped, because some spreadsheets evaluate a formula after it.
    let is_formula = text.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
        && text.parse::<f64>().is_err();
    let prefix = if is_formula { "'" } else { "" };
    if text.contains(['"', ',', ';', '\t', '\n', '\r']) {
        format!("\"{prefix}{}\"", text.replace('"', "\"\"")).into()
    } else if is_formula {
        format!("{prefix}{text}").into()
    } else {
        text.into()
    }
}
