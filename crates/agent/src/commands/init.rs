//! `portreeved init DIR`: writes a commented configuration with strong defaults and new secrets.

use std::path::Path;

use portreeve_config::{
    options,
    template::{Template, quoted},
};

use crate::{error::CommandError, files::write_private, random};

/// Writes `DIR/portreeved.toml`; never overwrites an existing file.
pub(crate) fn init(directory: &Path) -> Result<(), CommandError> {
    let file = directory.join("portreeved.toml");
    let text = Template::new()
        .section(&options::LISTEN, [("transport", quoted("udp")), ("address", quoted("0.0.0.0:161"))])
        .section(&options::LISTEN, [("transport", quoted("udp")), ("address", quoted("[::]:161"))])
        .section(
            &options::USER,
            [
                ("name", quoted("ops")),
                ("auth", quoted("SHA-256")),
                ("auth-pass", quoted(&random::pass_phrase(PASS_PHRASE_LEN))),
                ("priv", quoted("AES")),
                ("priv-pass", quoted(&random::pass_phrase(PASS_PHRASE_LEN))),
                ("level", quoted("authPriv")),
                ("access", quoted("read")),
                ("view", quoted("restricted")),
            ],
        )
        .text();
    write_private(&file, &text)?;
    println!("{}: written; only you can read its secrets", file.display());
    println!("hint: the file contains the user ops with new pass phrases, and all other options as comments");
    println!("hint: start the agent with `portreeved run --config {}`", file.display());
    Ok(())
}

/// Length of a pass phrase in characters, which have about 140 bits of entropy.
const PASS_PHRASE_LEN: usize = 24;
