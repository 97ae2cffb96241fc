//! The state directory of the receiver.

use std::path::Path;

use portreeve_store::Store;

use super::sender_clocks::SenderClockStore;

/// Opens the state, which must not be open in another process.
pub(super) fn open_store(directory: &Path) -> Result<Store, String> {
    Store::open(directory).map(|(store, _)| store).map_err(|error| error.to_string())
}

/// Removes the clocks of the senders of traps, and keeps the engine of the receiver.
pub(super) fn forget_senders(directory: &Path) -> Result<(), String> {
    let count = SenderClockStore::remove_all(&mut open_store(directory)?);
    println!("forgotten senders: {}", count.map_err(|error| error.to_string())?);
    Ok(())
}
