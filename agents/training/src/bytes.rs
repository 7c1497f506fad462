//! Bits written as bytes.

use croupier_engine::batch::Plane;

use crate::size::W;

/// Writes a byte for each lane, `stride` apart.
pub(crate) fn write_plane(plane: Plane<W>, stride: usize, bytes: &mut [u8]) {
    for (word, lanes) in plane.0.into_iter().zip(bytes.chunks_mut(64 * stride)) {
        for (lane, byte) in lanes.iter_mut().step_by(stride).enumerate() {
            *byte = (word >> lane & 1) as u8;
        }
    }
}

/// Writes a byte for each bit of the players' rows, lane by lane and in it player by player, `size` bytes for each.
///
/// Eight bytes are written at once. The bytes after a player's last one are written next, so they may be overwritten.
pub(crate) fn write_bits(rows: &[Vec<u64>], size: usize, bytes: &mut [u8]) {
    let lanes = bytes.len().checked_div(size * rows.len()).unwrap_or(0);
    if lanes == 0 {
        return;
    }
    if rows.iter().all(|rows| rows.len() == lanes) {
        // A row length that is known when this is compiled needs no inner loop.
        match size.div_ceil(8) {
            1 => return write_words::<1>(rows, size, bytes),
            2 => return write_words::<2>(rows, size, bytes),
            3 => return write_words::<3>(rows, size, bytes),
            4 => return write_words::<4>(rows, size, bytes),
            5 => return write_words::<5>(rows, size, bytes),
            6 => return write_words::<6>(rows, size, bytes),
            7 => return write_words::<7>(rows, size, bytes),
            8 => return write_words::<8>(rows, size, bytes),
            _ => {}
        }
    }
    let words: Vec<usize> = rows.iter().map(|rows| rows.len() / lanes).collect();
    let mut last = vec![0; size.next_multiple_of(8)];
    let mut start = 0;
    for lane in 0..lanes {
        for (rows, &words) in rows.iter().zip(&words) {
            let row = &rows[lane * words..(lane + 1) * words];
            if let Some(seat) = bytes.get_mut(start..start + last.len()) {
                write_row(row, seat);
            } else {
                write_row(row, &mut last);
                bytes[start..start + size].copy_from_slice(&last[..size]);
            }
            start += size;
        }
    }
}

/// The same for rows of one word each, of which `EIGHTS` groups of eight bits are written.
fn write_words<const EIGHTS: usize>(rows: &[Vec<u64>], size: usize, bytes: &mut [u8]) {
    let mut start = 0;
    for lane in 0..rows[0].len() {
        for rows in rows {
            let word = rows[lane].to_le_bytes();
            if let Some(seat) = bytes.get_mut(start..start + 8 * EIGHTS) {
                let (eights, _) = seat.as_chunks_mut::<8>();
                for place in 0..EIGHTS {
                    eights[place] = SPREAD[usize::from(word[place])];
                }
            } else {
                let mut last = [0; 64];
                write_row(&[rows[lane]], &mut last);
                bytes[start..start + size].copy_from_slice(&last[..size]);
            }
            start += size;
        }
    }
}

/// Writes a byte for each bit of a row, followed by zeros.
#[inline]
fn write_row(row: &[u64], bytes: &mut [u8]) {
    let (eights, _) = bytes.as_chunks_mut::<8>();
    let mut words = eights.chunks_mut(8);
    for (&word, eights) in row.iter().zip(&mut words) {
        for (eight, byte) in eights.iter_mut().zip(word.to_le_bytes()) {
            *eight = SPREAD[usize::from(byte)];
        }
    }
    words.flatten().for_each(|eight| *eight = [0; 8]);
}

/// The bits of a byte, a byte for each, the lowest first.
static SPREAD: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte][bit] = (byte >> bit & 1) as u8;
            bit += 1;
        }
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with the definition, for every size around word boundaries, with players whose rows are shorter.
    #[test]
    fn a_byte_is_written_for_every_bit() {
        write_bits(&[], 5, &mut []);
        let mut word = 1_u64;
        let mut draw = || {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            word
        };
        for size in 1..=140_usize {
            for widths in [vec![size], vec![size, size.div_ceil(2)], vec![1, size, size]] {
                for lanes in [1, 2, 9] {
                    let row = |width: usize, draw: &mut dyn FnMut() -> u64| -> Vec<u64> {
                        (0..width.div_ceil(64))
                            .map(|word| draw() & u64::MAX >> (64 - (width - 64 * word).min(64)))
                            .collect()
                    };
                    let rows: Vec<Vec<u64>> = widths
                        .iter()
                        .map(|&width| (0..lanes).flat_map(|_| row(width, &mut draw)).collect())
                        .collect();
                    let mut bytes = vec![7; lanes * widths.len() * size];
                    write_bits(&rows, size, &mut bytes);
                    let wanted = (0..lanes).flat_map(|lane| {
                        rows.iter().zip(&widths).flat_map(move |(rows, &width)| {
                            let words = width.div_ceil(64);
                            (0..size).map(move |bit| {
                                let has = bit < width && rows[lane * words + bit / 64] >> (bit % 64) & 1 == 1;
                                u8::from(has)
                            })
                        })
                    });
                    assert!(bytes.iter().copied().eq(wanted), "{size} for {widths:?}, {lanes} lanes");
                }
            }
        }
    }
}
