use super::{ColdCaches, MAX_BUFFER, MIN_BUFFER, size};

#[test]
fn sizes_of_the_kernel_are_understood() {
    assert_eq!(size("48K"), Some(48 << 10));
    assert_eq!(size("32M"), Some(32 << 20));
    assert_eq!(size("512"), Some(512));
    assert_eq!(size("K"), None);
    assert_eq!(size(&format!("{}M", usize::MAX)), None);
}

#[test]
fn eviction_touches_the_whole_buffer() {
    let mut caches = ColdCaches::new();
    assert!((MIN_BUFFER..=MAX_BUFFER).contains(&caches.octets()));
    caches.evict().unwrap();
    assert!(caches.buffer.iter().step_by(super::LINE).all(|octet| *octet > 0));
}
