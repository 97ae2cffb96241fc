//! x
use crate::failure::Result;
pub(crate) fn run(_a: &[String]) -> Result<()> {
    Ok(())
}
