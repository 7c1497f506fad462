//! The files that pages load: compressed once, and kept by browsers for as long as they like.

use std::{io::Write as _, sync::LazyLock};

use actix_web::{
    HttpRequest, HttpResponse, get,
    http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, VARY},
    web::{Bytes, Path},
};
use croupier_pages::assets::ASSETS;
use flate2::{Compression, write::GzEncoder};

use super::{FOREVER, PageAnswer};
use crate::problem::Problem;

/// An asset as it is sent.
struct SentAsset {
    url: String,
    media_type: &'static str,
    plain: Bytes,
    /// Nothing that anybody sends is compressed together with it, so its length tells nothing.
    compressed: Bytes,
}

static SENT: LazyLock<Vec<SentAsset>> = LazyLock::new(|| {
    let sent = |asset: &croupier_pages::assets::Asset| SentAsset {
        url: asset.url(),
        media_type: asset.media_type,
        plain: Bytes::from_static(asset.bytes),
        compressed: compressed(asset.bytes).into(),
    };
    ASSETS.iter().map(sent).collect()
});

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.expect("a vector takes every byte")
}

#[get("/assets/{version}/{name}")]
pub(super) async fn send(request: HttpRequest, path: Path<(String, String)>) -> PageAnswer {
    let found = SENT.iter().find(|asset| asset.url == request.path());
    let found =
        found.ok_or_else(|| Problem::absent(format!("there is no file {} of this version", path.1)))?;
    let accepts = request.headers().get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let mut response = HttpResponse::Ok();
    response.content_type(found.media_type).insert_header((CACHE_CONTROL, FOREVER));
    response.insert_header((VARY, "Accept-Encoding"));
    if accepts.is_some_and(|accepts| accepts.contains("gzip")) {
        response.insert_header((CONTENT_ENCODING, "gzip"));
        return Ok(response.body(found.compressed.clone()));
    }
    Ok(response.body(found.plain.clone()))
}
