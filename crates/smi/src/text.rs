//! Characters that must not be printed on a terminal if they come from a peer.

/// Returns true if a character can change how a terminal shows other text: a control character, or
/// one that embeds, overrides or isolates the direction of writing (Unicode Standard Annex 9).
///
/// ```
/// use portreeve_smi::controls_display;
///
/// assert!(controls_display('\u{1b}') && controls_display('\u{202e}'));
/// assert!(!controls_display('é') && !controls_display('ש'));
/// ```
pub fn controls_display(character: char) -> bool {
    character.is_control() || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
