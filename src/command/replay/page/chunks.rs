//! Frames of a replay as lists of chunks: most of a picture is what it was a turn ago, and stands in the file once.

use std::collections::BTreeMap;

/// Where markup is cut: before each of these.
const CUTS: [&str; 7] = ["<g id=", "<section", "<span class=", "<div class=", "<ul", "<li", "<figure"];

/// Pieces of markup, each once.
#[derive(Debug, Default)]
pub(super) struct Chunks {
    all: Vec<String>,
    places: BTreeMap<String, usize>,
}

impl Chunks {
    /// The numbers of the chunks that this markup consists of.
    pub(super) fn cut(&mut self, markup: &str) -> Vec<usize> {
        let starts = CUTS.iter().flat_map(|cut| markup.match_indices(cut).map(|(place, _)| place));
        let mut starts: Vec<usize> = starts.chain([0, markup.len()]).collect();
        starts.sort_unstable();
        starts.dedup();
        starts.windows(2).map(|pair| self.place(&markup[pair[0]..pair[1]])).collect()
    }

    fn place(&mut self, chunk: &str) -> usize {
        if let Some(&place) = self.places.get(chunk) {
            return place;
        }
        self.all.push(chunk.to_owned());
        self.places.insert(chunk.to_owned(), self.all.len() - 1);
        self.all.len() - 1
    }

    /// All of them, by their numbers.
    pub(super) fn into_all(self) -> Vec<String> {
        self.all
    }
}

#[cfg(test)]
mod tests {
    use super::Chunks;

    #[test]
    fn chunks_joined_are_the_markup_and_what_repeats_stands_once() {
        let mut chunks = Chunks::default();
        let texts = [
            "<div class=\"a\"><ul><li>1</li><li>2</li></ul></div>",
            "<div class=\"a\"><ul><li>1</li><li>3</li></ul></div>",
            "",
        ];
        let cut: Vec<Vec<usize>> = texts.iter().map(|text| chunks.cut(text)).collect();
        let all = chunks.into_all();
        for (text, numbers) in texts.iter().zip(&cut) {
            assert_eq!(numbers.iter().map(|&number| all[number].as_str()).collect::<String>(), *text);
        }
        assert_eq!(all.len(), 5);
    }
}
