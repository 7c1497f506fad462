//! A tournament as a picture: everybody's mean goal with its interval.

use std::{error::Error, fs, path::Path};

use croupier_results::{Mean, Standings};
use plotters::prelude::*;

use super::entrants::Entrant;
use crate::output::{
    failure::Failure,
    summary::{GoalBounds, goal_interval},
};

/// Width of the picture, and height of a row and of all the rest.
const WIDTH: u32 = 720;
const ROW: u32 = 36;
const REST: u32 = 96;

/// Blue that stands out for everybody (M. Okabe and K. Ito, "Color Universal Design", 2008).
const BLUE: RGBColor = RGBColor(0, 114, 178);

/// Writes the picture to a file.
///
/// # Errors
/// If that fails.
pub(super) fn draw(
    path: &Path,
    title: &str,
    entrants: &[Entrant],
    standings: &Standings,
    bounds: GoalBounds,
) -> Result<(), Failure> {
    let text = picture(title, entrants, standings, bounds)
        .map_err(|error| Failure::refuse("no-plot", format!("the picture cannot be drawn: {error}")))?;
    fs::write(path, text).map_err(|error| Failure::file("unwritable-file", path, &error))
}

fn picture(
    title: &str,
    entrants: &[Entrant],
    standings: &Standings,
    bounds: GoalBounds,
) -> Result<String, Box<dyn Error>> {
    let rows: Vec<(&str, Mean)> = standings
        .rows
        .iter()
        .filter_map(|row| Some((entrants[row.entrant].name.as_str(), row.mean?)))
        .collect();
    let ends = rows.iter().flat_map(|(_, mean)| goal_interval(*mean, bounds).unwrap_or([mean.mean; 2]));
    let (low, high) = ends.fold((100.0_f64, 0.0_f64), |(low, high), end| (low.min(end), high.max(end)));
    let room = ((high - low) * 0.1).max(0.5);
    let count = u32::try_from(rows.len())?;
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, (WIDTH, ROW * count + REST)).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .margin(12)
            .caption(title, ("sans-serif", 18))
            .x_label_area_size(40)
            .y_label_area_size(8)
            .build_cartesian_2d(low - room..high + room, 0.0..f64::from(count.max(1)))?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .light_line_style(TRANSPARENT)
            .x_desc("mean goal, 95 % interval")
            .draw()?;
        for (place, (name, mean)) in (0..count).rev().zip(&rows) {
            let height = f64::from(place) + 0.35;
            let [from, to] = goal_interval(*mean, bounds).unwrap_or([mean.mean; 2]);
            chart.draw_series([PathElement::new([(from, height), (to, height)], BLUE.stroke_width(2))])?;
            chart.draw_series([Circle::new((mean.mean, height), 4, BLUE.filled())])?;
            // Names have room from the left edge on, however long they are.
            let label = format!("{name}  {:.2}", mean.mean);
            chart.draw_series([
                EmptyElement::at((low - room, height)) + Text::new(label, (4, -18), ("sans-serif", 13))
            ])?;
        }
        root.present()?;
    }
    Ok(text)
}
