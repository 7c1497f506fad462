//! Damaged rule files, and everything the fuzzer ever found: no bytes make the reader, the converter,
//! the checks or the engine panic.

use std::{env, fs};

use croupier_tests::{
    corpus::{catalogue, shared, workspace},
    property, size,
};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

/// A property of any bytes, and its folder of regressions.
type Property = (&'static str, fn(&[u8]));

const PROPERTIES: [Property; 3] =
    [("parse", property::parse), ("convert", property::convert), ("simulate", property::simulate)];

#[test]
fn regressions_stay_mended() {
    for (name, holds) in PROPERTIES {
        let folder = workspace().join("tests/fuzz/regressions").join(name);
        for entry in fs::read_dir(&folder).expect("a folder of regressions") {
            let path = entry.expect("a readable folder").path();
            holds(&fs::read(&path).expect("a readable regression"));
        }
    }
}

/// `CROUPIER_DAMAGE` sets how many damaged texts are tried for each property.
#[test]
fn damaged_rules_are_read_converted_checked_and_played_without_a_panic() {
    let count: u64 =
        env::var("CROUPIER_DAMAGE").map_or_else(|_| size(600, 3_000), |text| text.parse().expect("a number"));
    let mut texts: Vec<_> = ["gdl", "gdl2", "infix"].into_iter().flat_map(shared).collect();
    texts.extend(catalogue());
    texts.retain(|file| file.text.len() < 8_000);
    for seed in 0..count {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let file = &texts[usize::try_from(seed).expect("a small number") % texts.len()];
        let damaged = property::damage(file.text.as_bytes(), &mut rng);
        for (name, holds) in PROPERTIES {
            let result = std::panic::catch_unwind(|| holds(&damaged));
            if result.is_err() {
                let kept = env::temp_dir().join(format!("croupier-{name}-{seed}.gdl"));
                fs::write(&kept, &damaged).expect("a writable folder for temporary files");
                panic!("{name} fails for {} damaged with seed {seed}: {}", file.name, kept.display());
            }
        }
    }
}
