//! Chance against vectors and a cipher that were made elsewhere.

use proptest::prelude::*;

use super::*;

fn hex_key(seed: &Seed, domain: &str) -> String {
    hex::encode(seed.key(domain))
}

fn role(index: usize) -> RoleId {
    RoleId::new(index).unwrap()
}

fn first_word(key: &[u8; 32], number: u64) -> u64 {
    stream(key, number).next_u64()
}

/// The golden vectors were computed by another implementation, in another language.
#[test]
fn draws_of_chance_are_those_of_the_specification() {
    let seed = Seed::from_text("42").unwrap();
    assert_eq!(hex_key(&seed, CHANCE), "03f45eb540d66c22cf71d5220f46134298fa2ffc742b3612c8afba9e65e1c668");
    let chance = Chance::new(&seed);
    let expected = [
        (0, 0xbf83_8403_cd32_7310, [1, 2, 4, 38, 748]),
        (1, 0xf9cf_fbf0_0b2b_d7aa, [1, 2, 5, 50, 975]),
        (2, 0x082b_1134_4ecc_3c0d, [0, 0, 0, 1, 31]),
        (3, 0xc093_a525_4e08_c6e1, [1, 2, 4, 39, 752]),
    ];
    for (turn, word, draws) in expected {
        assert_eq!(first_word(&seed.key(CHANCE), u64::from(turn)), word, "turn {turn}");
        assert_eq!([2, 3, 6, 52, 1000].map(|n| chance.draw(turn, n)), draws, "turn {turn}");
    }
}

#[test]
fn substitutes_are_those_of_the_specification() {
    let seed = Seed::from_text("42").unwrap();
    assert_eq!(
        hex_key(&seed, SUBSTITUTE),
        "da4c6ca90df9a37118f1257b419c32b4c4d34e105ba8c8b82cd8bf174769b243"
    );
    let chance = Chance::new(&seed);
    let expected = [
        (0, 0, 0x9485_599a_826f_0021, [1, 1, 3, 30, 580]),
        (0, 1, 0x8b40_0ec8_0f62_c8a9, [1, 1, 3, 28, 543]),
        (3, 1, 0x7c3a_057d_5305_d87a, [0, 1, 2, 25, 485]),
    ];
    for (turn, index, word, draws) in expected {
        let number = u64::from(turn) * 65_536 + index as u64;
        assert_eq!(first_word(&seed.key(SUBSTITUTE), number), word, "turn {turn} role {index}");
        assert_eq!([2, 3, 6, 52, 1000].map(|n| chance.substitute(turn, role(index), n)), draws);
    }
}

#[test]
fn draws_of_another_seed_are_those_of_the_specification() {
    let bytes: [u8; 32] = std::array::from_fn(|index| u8::try_from(index).unwrap());
    let seed = Seed::from_bytes(bytes);
    assert_eq!(hex_key(&seed, CHANCE), "47dff7ae6e9fd7c134633b5a723d227048153ebdc78bb6050f66fde0f406bad8");
    let draws: Vec<u64> = (0..6).map(|turn| Chance::new(&seed).draw(turn, 52)).collect();
    assert_eq!(draws, [23, 2, 32, 11, 19, 20]);
}

/// `ChaCha20` from its definition (Bernstein 2008; quarter round of RFC 8439, section 2.1), 64-bit counter and stream.
fn block(key: &[u8; 32], counter: u64, number: u64) -> [u32; 16] {
    let low_high =
        |number: u64| [u32::try_from(number & 0xffff_ffff).unwrap(), u32::try_from(number >> 32).unwrap()];
    let mut start = [0_u32; 16];
    start[..4].copy_from_slice(&[0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]);
    for (word, bytes) in start[4..12].iter_mut().zip(key.chunks(4)) {
        *word = u32::from_le_bytes(bytes.try_into().unwrap());
    }
    start[12..14].copy_from_slice(&low_high(counter));
    start[14..].copy_from_slice(&low_high(number));
    let mut x = start;
    let mut quarter = |a: usize, b: usize, c: usize, d: usize| {
        for (p, q, r, bits) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
            x[p] = x[p].wrapping_add(x[q]);
            x[r] = (x[r] ^ x[p]).rotate_left(bits);
        }
    };
    for _ in 0..10 {
        for i in 0..4 {
            quarter(i, 4 + i, 8 + i, 12 + i);
        }
        for i in 0..4 {
            quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
        }
    }
    std::array::from_fn(|index| x[index].wrapping_add(start[index]))
}

#[test]
fn the_block_function_of_this_test_agrees_with_a_published_vector() {
    assert_eq!(block(&[0; 32], 0, 0)[..2], [0xade0_b876, 0x903d_f1a0]);
}

#[test]
fn a_hundred_thousand_words_are_those_of_chacha20_by_its_definition() {
    let key = Seed::from_text("7").unwrap().key(CHANCE);
    for number in [0, 1, 65_537, u64::MAX] {
        let mut words = stream(&key, number);
        for counter in 0..12_500 {
            let block = block(&key, counter, number);
            for pair in block.chunks(2) {
                assert_eq!(words.next_u64(), u64::from(pair[0]) | u64::from(pair[1]) << 32);
            }
        }
    }
}

#[test]
fn seeds_are_read_from_text_as_the_command_line_says() {
    let digits = "00".repeat(31) + "ff";
    assert_eq!(Seed::from_text(&digits).unwrap().reveal(), digits);
    assert_eq!(Seed::from_text("258").unwrap().reveal(), "0201".to_owned() + &"00".repeat(30));
    assert_eq!(Seed::from_text(&"AB".repeat(32)).unwrap().reveal(), "ab".repeat(32));
    let largest = u128::MAX.to_string();
    assert_eq!(Seed::from_text(&largest).unwrap().reveal(), "ff".repeat(16) + &"00".repeat(16));
    for text in ["", "-1", "+5", "0x2a", "4 2", "abc", &"0g".repeat(32), &"ab".repeat(31)] {
        assert_eq!(Seed::from_text(text), Err(SeedError::Malformed), "{text:?}");
    }
    assert_eq!(Seed::from_text("340282366920938463463374607431768211456"), Err(SeedError::TooLarge));
}

#[test]
fn no_secret_is_in_debug_output() {
    let seed = Seed::from_text("42").unwrap();
    assert_eq!(format!("{seed:?} {:?}", Chance::new(&seed)), "Seed(..) Chance(..)");
}

#[test]
fn a_series_begins_with_its_own_seed_and_no_two_of_its_matches_share_one() {
    let seed = Seed::from_text("42").unwrap();
    assert_eq!(seed.for_match(0), seed);
    let mut texts: Vec<String> = (0..1000).map(|index| seed.for_match(index).reveal()).collect();
    texts.push(hex::encode(seed.agent("match/1")));
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), 1001);
}

proptest! {
    #[test]
    fn draws_are_in_range_and_depend_on_nothing_else(bytes: [u8; 32], turn: u32, index in 0_usize..100, n in 1_u64..) {
        let seed = Seed::from_bytes(bytes);
        let chance = Chance::new(&seed);
        let (drawn, substitute) = (chance.draw(turn, n), chance.substitute(turn, role(index), n));
        prop_assert!(drawn < n && substitute < n);
        prop_assert_eq!(drawn, Chance::new(&seed).draw(turn, n));
        prop_assert_eq!(substitute, Chance::new(&seed).substitute(turn, role(index), n));
    }
}
