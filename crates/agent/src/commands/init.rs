//! `portreeved init DIR`: a commented configuration with strong defaults and fresh secrets.

use std::path::Path;

use portreeve_config::{
    options,
    template::{Template, quoted},
};

use crate::{failure::Failure, files::write_private, random};

/// Writes `DIR/portreeved.toml`; never over one that is there.
pub(crate) fn init(directory: &Path) -> Result<(), Failure> {
    let file = directory.join("portreeved.toml");
    let text = Template::new()
        .section(&options::LISTEN, [("transport", quoted("udp")), ("address", quoted("0.0.0.0:161"))])
        .section(&options::LISTEN, [("transport", quoted("udp")), ("address", quoted("[::]:161"))])
        .section(
            &options::USER,
            [
                ("name", quoted("ops")),
                ("auth", quoted("SHA-256")),
                ("auth-pass", quoted(&random::pass_phrase(PASS_PHRASE))),
                ("priv", quoted("AES")),
                ("priv-pass", quoted(&random::pass_phrase(PASS_PHRASE))),
                ("level", quoted("authPriv")),
                ("access", quoted("read")),
            ],
        )
        .text();
    write_private(&file, &text)?;
    println!("{}: written; its secrets are readable by you alone", file.display());
    println!("hint: its user ops, with pass phrases of its own, and every key that may be added stand in it");
    println!("hint: `portreeved run --config {}` serves it", file.display());
    Ok(())
}

/// Characters of a pass phrase: over 120 bits.
const PASS_PHRASE: usize = 24;
