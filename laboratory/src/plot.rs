//! Plots of what was measured, as SVG.

use std::{fs, ops::Range, path::Path};

use plotters::{
    coord::combinators::{LogCoord, WithKeyPoints},
    prelude::*,
};

use crate::{
    Outcome,
    bench::{Bench, NetworkFigures},
    sweep::{Curve, Sweep},
};

/// Width and height of a plot.
const SIZE: (u32, u32) = (720, 420);

/// Colours that stay apart for everybody (M. Okabe and K. Ito, "Color Universal Design", 2008).
const COLOURS: [RGBColor; 5] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
];

/// What a plot says of its axes.
struct Labels {
    across: &'static str,
    up: &'static str,
}

/// Draws `lanes.svg`, `gates.svg` and `threads.svg`.
///
/// # Errors
/// If a file cannot be written.
pub(crate) fn draw(folder: &Path, bench: &Bench, sweep: &Sweep) -> Outcome<()> {
    let cost = |(game, network): (&str, &NetworkFigures)| {
        (game.to_owned(), network.ops_per_turn, 1e9 / network.turns_per_second.best)
    };
    let points: Vec<_> = bench.networks().map(cost).collect();
    fs::write(folder.join("lanes.svg"), curves(&sweep.lanes, &LANES)?)?;
    fs::write(folder.join("gates.svg"), named_points(&points, &GATES)?)?;
    Ok(fs::write(folder.join("threads.svg"), curves(&sweep.threads, &THREADS)?)?)
}

const LANES: Labels = Labels { across: "games at once", up: "ns for a turn of one game" };
const GATES: Labels = Labels { across: "operations for a turn", up: "ns for a turn of one game" };
const THREADS: Labels = Labels { across: "threads", up: "playouts/s" };

/// A line for each game, with its name at the end.
fn curves(curves: &[Curve], labels: &Labels) -> Outcome<String> {
    let all: Vec<(f64, f64)> = curves.iter().flat_map(|curve| curve.points.iter().copied()).collect();
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let (across, up) = ranges(&all);
        // The names have the right margin for themselves. Every value that was tried has its own mark below the axis.
        let tried: Vec<f64> =
            curves.first().map_or_else(Vec::new, |curve| curve.points.iter().map(|point| point.0).collect());
        let mut chart = ChartBuilder::on(&root)
            .margin(16)
            .x_label_area_size(44)
            .y_label_area_size(72)
            .build_cartesian_2d(
                (across.start..across.end * 2.0).log_scale().with_key_points(tried),
                marked(up),
            )?;
        chart
            .configure_mesh()
            .x_desc(labels.across)
            .y_desc(labels.up)
            .x_label_formatter(&|value| format!("{value:.0}"))
            .y_label_formatter(&|value| figure(*value))
            .light_line_style(TRANSPARENT)
            .draw()?;
        for (curve, colour) in curves.iter().zip(COLOURS.iter().cycle()) {
            chart
                .draw_series(LineSeries::new(curve.points.iter().copied(), colour.stroke_width(2)))?
                .label(curve.game.clone())
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
            chart.draw_series(curve.points.iter().map(|&point| Circle::new(point, 3, colour.filled())))?;
        }
        chart.configure_series_labels().border_style(BLACK.mix(0.2)).background_style(WHITE).draw()?;
        root.present()?;
    }
    Ok(text)
}

/// A point for each game, with its name beside it.
fn named_points(points: &[(String, f64, f64)], labels: &Labels) -> Outcome<String> {
    let all: Vec<(f64, f64)> = points.iter().map(|(_, across, up)| (*across, *up)).collect();
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let (across, up) = ranges(&all);
        let mut chart = ChartBuilder::on(&root)
            .margin(16)
            .x_label_area_size(44)
            .y_label_area_size(72)
            .build_cartesian_2d(marked(across.start..across.end * 2.0), marked(up))?;
        chart
            .configure_mesh()
            .x_desc(labels.across)
            .y_desc(labels.up)
            .x_label_formatter(&|value| figure(*value))
            .y_label_formatter(&|value| figure(*value))
            .light_line_style(TRANSPARENT)
            .draw()?;
        chart.draw_series(points.iter().map(|(name, across, up)| {
            EmptyElement::at((*across, *up))
                + Circle::new((0, 0), 4, COLOURS[0].filled())
                + Text::new(name.clone(), (8, -6), ("sans-serif", 14))
        }))?;
        root.present()?;
    }
    Ok(text)
}

/// The ranges that hold all points, with some room around them.
fn ranges(points: &[(f64, f64)]) -> (Range<f64>, Range<f64>) {
    let range = |of: fn(&(f64, f64)) -> f64| {
        let low = points.iter().map(of).fold(f64::INFINITY, f64::min);
        let high = points.iter().map(of).fold(0.0, f64::max);
        if high > 0.0 { low / 1.5..high * 1.5 } else { 1.0..10.0 }
    };
    (range(|point| point.0), range(|point| point.1))
}

/// A logarithmic axis with marks at 1, 2 and 5 of each power of ten.
fn marked(range: Range<f64>) -> WithKeyPoints<LogCoord<f64>> {
    let marks = (-9..15).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(power)));
    let marks = marks.filter(|mark| range.contains(mark)).collect();
    range.log_scale().with_key_points(marks)
}

/// A short figure for an axis, such as 0.05, 20 or 5 M.
fn figure(value: f64) -> String {
    let (value, unit) = match value {
        large if large >= 0.999e9 => (large / 1e9, " G"),
        large if large >= 0.999e6 => (large / 1e6, " M"),
        large if large >= 0.999e3 => (large / 1e3, " k"),
        small => (small, ""),
    };
    // Powers of ten are not exact; their first digits are.
    let text = format!("{value:.9}");
    format!("{}{unit}", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::{curves, figure, named_points};
    use crate::{plot::LANES, sweep::Curve};

    #[test]
    fn figures_are_short() {
        let shown = [0.05, 1.0, 20.0, 5e3, 2e6, 1e9].map(figure);
        assert_eq!(shown, ["0.05", "1", "20", "5 k", "2 M", "1 G"]);
    }

    #[test]
    fn plots_name_every_game() {
        let curve =
            |name: &str, height| Curve { game: name.into(), points: vec![(64.0, height), (128.0, 1.5)] };
        let drawn = curves(&[curve("kuhn", 3.0), curve("leduc", 9.0)], &LANES).expect("a plot");
        let points = named_points(&[("kuhn".into(), 50.0, 2.0), ("leduc".into(), 187.0, 5.0)], &LANES);
        for plot in [drawn, points.expect("a plot")] {
            assert!(plot.contains("kuhn") && plot.contains("leduc") && !plot.contains("NaN"), "{plot}");
        }
    }

    #[test]
    fn a_plot_of_nothing_is_a_plot() {
        assert!(curves(&[], &LANES).is_ok());
        assert!(named_points(&[], &LANES).is_ok());
    }
}
