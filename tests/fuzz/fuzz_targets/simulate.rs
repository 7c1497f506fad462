//! Searches for bytes that break [`croupier_tests::property::simulate`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| croupier_tests::property::simulate(bytes));
