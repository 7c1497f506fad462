//! Drawings with their sizes, put beside and above each other.

use super::pen::Pen;

/// A drawing with its upper left corner at the origin, and its size.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) svg: String,
}

impl Block {
    /// Whether there is nothing to see.
    pub(crate) fn is_empty(&self) -> bool {
        self.svg.is_empty()
    }

    /// Blocks from left to right, their middles on one line.
    pub(crate) fn beside(blocks: &[Self], gap: f64) -> Self {
        let blocks: Vec<&Self> = blocks.iter().filter(|block| !block.is_empty()).collect();
        let height = blocks.iter().map(|block| block.height).fold(0.0, f64::max);
        let (mut pen, mut x) = (Pen::default(), 0.0);
        for block in blocks {
            pen.at(x, (height - block.height) / 2.0, 1.0, |pen| pen.svg.push_str(&block.svg));
            x += block.width + gap;
        }
        Self { width: (x - gap).max(0.0), height, svg: pen.svg }
    }

    /// Blocks from top to bottom, each in the middle.
    pub(crate) fn above(blocks: &[Self], gap: f64) -> Self {
        let blocks: Vec<&Self> = blocks.iter().filter(|block| !block.is_empty()).collect();
        let width = blocks.iter().map(|block| block.width).fold(0.0, f64::max);
        let (mut pen, mut y) = (Pen::default(), 0.0);
        for block in blocks {
            pen.at((width - block.width) / 2.0, y, 1.0, |pen| pen.svg.push_str(&block.svg));
            y += block.height + gap;
        }
        Self { width, height: (y - gap).max(0.0), svg: pen.svg }
    }

    /// Blocks from left to right in lines that are no wider than this, where a block is not.
    pub(crate) fn flow(blocks: Vec<Self>, width_max: f64, gap: f64) -> Self {
        let mut lines: Vec<Vec<Self>> = Vec::new();
        let mut width = 0.0;
        for block in blocks.into_iter().filter(|block| !block.is_empty()) {
            match lines.last_mut() {
                Some(line) if width + gap + block.width <= width_max => {
                    width += gap + block.width;
                    line.push(block);
                }
                _ => {
                    width = block.width;
                    lines.push(vec![block]);
                }
            }
        }
        let lines: Vec<Self> = lines.iter().map(|line| Self::beside(line, gap)).collect();
        Self::above(&lines, gap)
    }

    /// The same in another size.
    pub(crate) fn scaled(self, scale: f64) -> Self {
        let mut pen = Pen::default();
        pen.at(0.0, 0.0, scale, |pen| pen.svg.push_str(&self.svg));
        Self { width: self.width * scale, height: self.height * scale, svg: pen.svg }
    }
}

#[cfg(test)]
mod tests {
    use super::Block;

    fn block(width: f64, height: f64) -> Block {
        Block { width, height, svg: "<g/>".to_owned() }
    }

    #[test]
    fn blocks_flow_into_lines() {
        let flown = Block::flow(vec![block(40.0, 10.0), block(40.0, 20.0), block(40.0, 5.0)], 100.0, 10.0);
        assert_eq!((flown.width, flown.height), (90.0, 35.0));
        // What is too wide stands alone, and what is empty nowhere.
        let flown = Block::flow(vec![block(140.0, 10.0), Block::default(), block(40.0, 20.0)], 100.0, 10.0);
        assert_eq!((flown.width, flown.height), (140.0, 40.0));
    }
}
