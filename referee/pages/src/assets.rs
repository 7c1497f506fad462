//! The files that pages load: part of the program, each at an address that changes with its content.

/// A file that pages load.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Its name.
    pub name: &'static str,
    /// Its media type.
    pub media_type: &'static str,
    /// What is in it.
    pub bytes: &'static [u8],
    /// What tells it from other versions of the same name.
    version: u64,
}

macro_rules! asset {
    ($name:literal, $file:literal, $media_type:literal) => {{
        const BYTES: &[u8] = include_bytes!(concat!("../assets/", $file));
        Asset { name: $name, media_type: $media_type, bytes: BYTES, version: fnv(BYTES) }
    }};
}

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// All of them. The licences of what others wrote are beside it, and each of these files says whose it is.
pub static ASSETS: &[Asset] = &[
    asset!("page.css", "page.css", "text/css; charset=utf-8"),
    Asset {
        name: "picture.css",
        media_type: "text/css; charset=utf-8",
        bytes: croupier_picture::STYLE.as_bytes(),
        version: fnv(croupier_picture::STYLE.as_bytes()),
    },
    asset!("icon.svg", "icon.svg", "image/svg+xml"),
    Asset { media_type: SCRIPT, ..asset!("table.js", "table.js", "") },
    Asset { media_type: SCRIPT, ..asset!("rules.js", "rules.js", "") },
    Asset { media_type: SCRIPT, ..asset!("htmx.js", "vendor/htmx-2.0.11.min.js", "") },
    Asset { media_type: SCRIPT, ..asset!("htmx-sse.js", "vendor/htmx-ext-sse-2.2.4.min.js", "") },
    Asset { media_type: SCRIPT, ..asset!("idiomorph.js", "vendor/idiomorph-ext-0.8.0.min.js", "") },
    asset!("htmx.LICENSE", "vendor/htmx.LICENSE", "text/plain; charset=utf-8"),
    asset!("htmx-sse.LICENSE", "vendor/htmx-ext-sse.LICENSE", "text/plain; charset=utf-8"),
    asset!("idiomorph.LICENSE", "vendor/idiomorph.LICENSE", "text/plain; charset=utf-8"),
];

impl Asset {
    /// Its address on the server.
    #[must_use]
    pub fn url(&self) -> String {
        format!("/assets/{:016x}/{}", self.version, self.name)
    }
}

/// The asset with this name.
#[must_use]
pub fn find_asset(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
}

/// The address of the asset with this name; one that is not there has the address of the icon, which a test excludes.
#[must_use]
pub fn url(name: &str) -> String {
    find_asset(name).unwrap_or(&ASSETS[2]).url()
}

/// FNV-1a: two versions of a file differ in it.
const fn fnv(bytes: &[u8]) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut index = 0;
    while index < bytes.len() {
        hash = (hash ^ bytes[index] as u64).wrapping_mul(0x0100_0000_01b3);
        index += 1;
    }
    hash
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_asset_has_an_address_of_its_own() {
        let urls: BTreeSet<String> = ASSETS.iter().map(Asset::url).collect();
        assert_eq!(urls.len(), ASSETS.len());
    }

    #[test]
    fn fnv_is_that_of_its_definition() {
        // The vectors of its authors.
        assert_eq!(fnv(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn what_is_ours_and_what_is_not_fits_on_a_first_page() {
        let bytes: usize = ASSETS
            .iter()
            .filter(|asset| !asset.name.ends_with("LICENSE"))
            .map(|asset| asset.bytes.len())
            .sum();
        assert!(bytes < 130_000, "{bytes} bytes before compression");
    }
}
