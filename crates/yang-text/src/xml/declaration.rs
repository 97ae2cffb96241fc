//! Checks the XML declaration (XML 1.0 §2.8).

use super::XmlErrorReason;
use super::start_tag::TagReader;

/// Checks a declaration, which begins with `<?xml` and a white space, and ends with `>`.
pub(crate) fn check(declaration: &str) -> Result<(), XmlErrorReason> {
    parse(declaration)
        .filter(|is_supported| *is_supported)
        .map(|_| ())
        .ok_or(XmlErrorReason::InvalidDeclaration)
}

/// Returns true if the version and the encoding are supported, and `None` if it is malformed.
fn parse(declaration: &str) -> Option<bool> {
    let inner = declaration.strip_prefix("<?xml")?.strip_suffix("?>")?;
    let mut reader = TagReader::new(inner, 0);
    let version = reader.attribute().ok()??;
    // A processor of XML 1.0 accepts documents of each version 1.x (XML 1.0 §2.8).
    let minor = version.value.strip_prefix("1.")?;
    let is_version = !minor.is_empty() && minor.bytes().all(|octet| octet.is_ascii_digit());
    let mut next = reader.attribute().ok()?;
    let mut is_utf8 = true;
    if let Some(encoding) = &next
        && encoding.name == "encoding"
    {
        is_utf8 = encoding.value.eq_ignore_ascii_case("UTF-8");
        next = reader.attribute().ok()?;
    }
    if let Some(standalone) = &next {
        let is_standalone = standalone.name == "standalone" && matches!(standalone.value, "yes" | "no");
        is_standalone.then_some(())?;
        next = reader.attribute().ok()?;
    }
    (version.name == "version" && is_version && next.is_none()).then_some(is_utf8)
}
