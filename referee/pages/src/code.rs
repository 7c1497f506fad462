//! A link as a picture that a phone reads.

use qrcode::{Color, QrCode};

use crate::markup::Markup;

/// Modules of white around a code, which readers need.
const QUIET: usize = 4;

/// A text as a QR code in SVG; `None` if it is too long for one.
///
/// ```
/// let code = croupier_pages::code("http://192.168.1.5:8080/i/0123456789abcdef").ok_or("a short text")?;
/// assert!(code.as_str().starts_with("<svg"));
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn code(text: &str) -> Option<Markup> {
    let code = QrCode::new(text.as_bytes()).ok()?;
    let (width, colours) = (code.width(), code.to_colors());
    let side = width + 2 * QUIET;
    let dark = colours.iter().enumerate().filter(|(_, colour)| **colour == Color::Dark);
    let squares: String =
        dark.map(|(at, _)| format!("M{} {}h1v1h-1z", at % width + QUIET, at / width + QUIET)).collect();
    Some(Markup::trusted(format!(
        "<svg class=\"code\" viewBox=\"0 0 {side} {side}\" role=\"img\" aria-label=\"The link as a QR code\" shape-rendering=\"crispEdges\">\
         <rect width=\"{side}\" height=\"{side}\" fill=\"#fff\"/><path d=\"{squares}\" fill=\"#000\"/></svg>"
    )))
}
