//! Parses a player's response piece by piece, without a socket.

use croupier_referee::{Failure, match_state::REPLY_BYTES_MAX};

/// Longest head of a response, in bytes.
pub(crate) const HEAD_BYTES_MAX: usize = 16 << 10;

/// Most headers of a response.
const HEADERS_MAX: usize = 64;

/// A response that has been received in part.
#[derive(Debug, Default)]
pub struct Response {
    bytes: Vec<u8>,
    head: Option<Head>,
    /// The status, if it is not the one of an answer.
    refused: Option<u16>,
}

#[derive(Clone, Copy, Debug)]
struct Head {
    /// The start of the body.
    end: usize,
    /// `None` if the body ends with the connection.
    body_bytes: Option<usize>,
}

impl Response {
    /// Takes in some more bytes; the body, once it is all there.
    ///
    /// # Errors
    /// [`Failure::TooLarge`] and [`Failure::Malformed`], as soon as that is sure.
    pub fn take(&mut self, bytes: &[u8]) -> Result<Option<String>, Failure> {
        self.bytes.extend_from_slice(bytes);
        let Some(head) = self.head()? else { return Ok(None) };
        let body = &self.bytes[head.end..];
        match head.body_bytes {
            Some(length) if length > REPLY_BYTES_MAX => Err(Failure::TooLarge),
            Some(length) if body.len() >= length => Ok(Some(text(&body[..length]))),
            None if body.len() > REPLY_BYTES_MAX => Err(Failure::TooLarge),
            Some(_) | None => Ok(None),
        }
    }

    /// The body of a connection that has ended.
    ///
    /// # Errors
    /// [`Failure::Closed`] if it ended too early.
    pub fn end(&mut self) -> Result<String, Failure> {
        match self.head()? {
            Some(Head { end, body_bytes: None }) => Ok(text(&self.bytes[end..])),
            Some(Head { body_bytes: Some(_), .. }) | None => Err(Failure::Closed),
        }
    }

    /// The HTTP status, if that is why there is no reply.
    #[must_use]
    pub fn refused(&self) -> Option<u16> {
        self.refused
    }

    fn head(&mut self) -> Result<Option<Head>, Failure> {
        if self.head.is_none() {
            self.head = read_head(&self.bytes, &mut self.refused)?;
            let head_bytes = self.head.map_or(self.bytes.len(), |head| head.end);
            if head_bytes > HEAD_BYTES_MAX {
                return Err(Failure::TooLarge);
            }
        }
        Ok(self.head)
    }
}

fn read_head(bytes: &[u8], refused: &mut Option<u16>) -> Result<Option<Head>, Failure> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut response = httparse::Response::new(&mut headers);
    let end = match response.parse(bytes) {
        Ok(httparse::Status::Complete(end)) => end,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => return Err(Failure::TooLarge),
        Err(_) => return Err(Failure::Malformed),
    };
    // Redirects, interim responses and refusals alike: no move came.
    if response.code != Some(200) {
        *refused = response.code;
        return Err(Failure::Malformed);
    }
    let value = |name: &str| response.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
    if value("transfer-encoding").is_some() {
        // A request of HTTP/1.0 must not be answered in chunks.
        return Err(Failure::Malformed);
    }
    let body_bytes = match value("content-length") {
        None => None,
        Some(header) => {
            let text = std::str::from_utf8(header.value).ok().map(str::trim);
            let is_number = |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let digits = text.filter(is_number).ok_or(Failure::Malformed)?;
            // More digits than a number can have are too many bytes.
            Some(digits.parse().unwrap_or(usize::MAX))
        }
    };
    Ok(Some(Head { end, body_bytes }))
}

/// Text that is not UTF-8 cannot be part of a legal move, but an explanation may follow one.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HEAD: &str = "HTTP/1.0 200 OK\r\nContent-type: text/acl\r\n";

    /// The result for a connection that delivers these bytes and ends.
    fn read(bytes: &[u8], piece: usize) -> Result<String, Failure> {
        let mut response = Response::default();
        for bytes in bytes.chunks(piece) {
            if let Some(body) = response.take(bytes)? {
                return Ok(body);
            }
        }
        response.end()
    }

    #[test]
    fn responses_are_read_and_told_apart() {
        let with = |length: &str, body: &str| format!("{HEAD}Content-length: {length}\r\n\r\n{body}");
        let body = |text: &str| Ok(text.to_owned());
        for (bytes, result) in [
            (with("5", "READY"), body("READY")),
            (with("5", "READY and more"), body("READY")),
            (with(" 4 ", "DONE"), body("DONE")),
            (format!("{HEAD}\r\n(mark 1 2)"), body("(mark 1 2)")),
            ("HTTP/1.1 200\nX: y\n\nnoop".to_owned(), body("noop")),
            (with("9", "READY"), Err(Failure::Closed)),
            (String::new(), Err(Failure::Closed)),
            (HEAD.to_owned(), Err(Failure::Closed)),
            (with("-5", "READY"), Err(Failure::Malformed)),
            (with("five", "READY"), Err(Failure::Malformed)),
            (with("99999999999999999999999999", ""), Err(Failure::TooLarge)),
            (with("2147483647", ""), Err(Failure::TooLarge)),
            (format!("{HEAD}\r\n{}", "x".repeat(REPLY_BYTES_MAX + 1)), Err(Failure::TooLarge)),
            (format!("HTTP/1.0 200 OK\r\nX: {}", "y".repeat(HEAD_BYTES_MAX)), Err(Failure::TooLarge)),
            (format!("HTTP/1.0 200 OK\r\n{}", "X: y\r\n".repeat(HEADERS_MAX + 1)), Err(Failure::TooLarge)),
            ("HTTP/1.0 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n".to_owned(), Err(Failure::Malformed)),
            ("HTTP/1.0 100 Continue\r\n\r\n".to_owned(), Err(Failure::Malformed)),
            ("HTTP/1.0 500 Oh\r\n\r\nnoop".to_owned(), Err(Failure::Malformed)),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n".to_owned(),
                Err(Failure::Malformed),
            ),
            ("noop\r\n\r\n".to_owned(), Err(Failure::Malformed)),
        ] {
            for piece in [1, 7, 1 << 20] {
                assert_eq!(read(bytes.as_bytes(), piece), result, "{bytes:.80} in pieces of {piece}");
            }
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_alike_in_any_pieces(
            bytes in prop_oneof![
                prop::collection::vec(any::<u8>(), 0..300),
                "HTTP/1.[01] [0-9]{3} ?[a-z]{0,4}\r\n((Content-length: [0-9]{1,2}|X: y)\r\n){0,3}\r\n[a-z( )]{0,40}"
                    .prop_map(String::into_bytes),
            ],
            piece in 1_usize..50,
        ) {
            prop_assert_eq!(read(&bytes, piece), read(&bytes, 1));
        }
    }
}
