//! The settings of a variation module: `key=value,key=value`.

/// Settings that have not been taken yet.
#[derive(Debug)]
pub(super) struct Settings<'t>(Vec<(&'t str, &'t str)>);

impl<'t> Settings<'t> {
    /// Parses settings; `None` if a part has no equals sign or a key is repeated.
    pub(super) fn read(text: &'t str) -> Option<Self> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let mut settings = Vec::new();
        for part in parts {
            let (key, value) = part.split_once('=')?;
            if settings.iter().any(|(known, _)| *known == key) {
                return None;
            }
            settings.push((key, value));
        }
        Some(Self(settings))
    }

    /// Removes the setting `key` and returns its value.
    pub(super) fn take(&mut self, key: &str) -> Option<&'t str> {
        let position = self.0.iter().position(|(known, _)| *known == key)?;
        Some(self.0.swap_remove(position).1)
    }

    /// Removes the setting `key` and returns its number, or `default` if it is missing; `None` if
    /// it is invalid.
    pub(super) fn number(&mut self, key: &str, default: f64) -> Option<f64> {
        let Some(text) = self.take(key) else { return Some(default) };
        text.parse().ok().filter(|number: &f64| number.abs() <= MAX_MAGNITUDE)
    }

    /// Removes the setting `key` like [`Self::number`], and returns an integer with full precision.
    pub(super) fn integer(&mut self, key: &str, default: i128) -> Option<i128> {
        let Some(text) = self.take(key) else { return Some(default) };
        let rounded = || text.parse().ok().filter(|number: &f64| number.abs() <= MAX_MAGNITUDE);
        // The conversion does not truncate, because the limit is far within the type's range.
        text.parse::<i64>()
            .map(i128::from)
            .ok()
            .or_else(|| text.parse::<u64>().map(i128::from).ok())
            .or_else(|| rounded().map(|number| number as i128))
    }

    /// Removes the setting `key` and returns its number as a truth value, or `default` if it is
    /// missing.
    pub(super) fn flag(&mut self, key: &str, default: bool) -> Option<bool> {
        Some(self.number(key, f64::from(u8::from(default)))? != 0.0)
    }

    /// Returns true if no settings remain.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The maximum magnitude of a setting. It is larger than any SNMP number.
const MAX_MAGNITUDE: f64 = 1e24;
