//! Drawings with their sizes, put beside and above each other.

use super::pen::Pen;

/// A drawing with its upper left corner at the origin, and its size.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawing {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) svg: String,
}

impl Drawing {
    /// Whether there is nothing to see.
    pub(crate) fn is_empty(&self) -> bool {
        self.svg.is_empty()
    }

    /// Drawings from left to right, their middles on one line.
    pub(crate) fn beside(drawings: &[Self], gap: f64) -> Self {
        let drawings: Vec<&Self> = drawings.iter().filter(|drawing| !drawing.is_empty()).collect();
        let height = drawings.iter().map(|drawing| drawing.height).fold(0.0, f64::max);
        let (mut pen, mut x) = (Pen::default(), 0.0);
        for drawing in drawings {
            pen.at(x, (height - drawing.height) / 2.0, 1.0, |pen| pen.svg.push_str(&drawing.svg));
            x += drawing.width + gap;
        }
        Self { width: (x - gap).max(0.0), height, svg: pen.svg }
    }

    /// Drawings from top to bottom, each in the middle.
    pub(crate) fn above(drawings: &[Self], gap: f64) -> Self {
        let drawings: Vec<&Self> = drawings.iter().filter(|drawing| !drawing.is_empty()).collect();
        let width = drawings.iter().map(|drawing| drawing.width).fold(0.0, f64::max);
        let (mut pen, mut y) = (Pen::default(), 0.0);
        for drawing in drawings {
            pen.at((width - drawing.width) / 2.0, y, 1.0, |pen| pen.svg.push_str(&drawing.svg));
            y += drawing.height + gap;
        }
        Self { width, height: (y - gap).max(0.0), svg: pen.svg }
    }

    /// Drawings from left to right in lines that are no wider than this, where a drawing is not.
    pub(crate) fn flow(drawings: Vec<Self>, width_max: f64, gap: f64) -> Self {
        let mut lines: Vec<Vec<Self>> = Vec::new();
        let mut width = 0.0;
        for drawing in drawings.into_iter().filter(|drawing| !drawing.is_empty()) {
            match lines.last_mut() {
                Some(line) if width + gap + drawing.width <= width_max => {
                    width += gap + drawing.width;
                    line.push(drawing);
                }
                _ => {
                    width = drawing.width;
                    lines.push(vec![drawing]);
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
    use super::Drawing;

    fn drawing(width: f64, height: f64) -> Drawing {
        Drawing { width, height, svg: "<g/>".to_owned() }
    }

    #[test]
    fn blocks_flow_into_lines() {
        let flown =
            Drawing::flow(vec![drawing(40.0, 10.0), drawing(40.0, 20.0), drawing(40.0, 5.0)], 100.0, 10.0);
        assert_eq!((flown.width, flown.height), (90.0, 35.0));
        // What is too wide stands alone, and what is empty nowhere.
        let flown =
            Drawing::flow(vec![drawing(140.0, 10.0), Drawing::default(), drawing(40.0, 20.0)], 100.0, 10.0);
        assert_eq!((flown.width, flown.height), (140.0, 40.0));
    }
}
