//! A browser without scripts: it keeps cookies, and sends forms.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use std::collections::BTreeMap;

use ureq::http::Request;

use crate::server::Server;

/// A browser with its cookies.
pub(crate) struct Browser<'s> {
    server: &'s Server,
    cookies: BTreeMap<String, String>,
}

/// A page, as the browser has it.
pub(crate) struct BrowserPage {
    pub(crate) status: u16,
    pub(crate) html: String,
}

impl<'s> Browser<'s> {
    pub(crate) fn new(server: &'s Server) -> Self {
        Self { server, cookies: BTreeMap::new() }
    }

    pub(crate) fn go(&mut self, path: &str) -> BrowserPage {
        self.ask("GET", path, String::new())
    }

    pub(crate) fn send(&mut self, path: &str, fields: &[(&str, &str)]) -> BrowserPage {
        let written = fields.iter().map(|(name, value)| format!("{name}={}", encoded(value)));
        self.ask("POST", path, written.collect::<Vec<_>>().join("&"))
    }

    fn ask(&mut self, method: &str, path: &str, body: String) -> BrowserPage {
        let cookies = self.cookies.iter().map(|(name, value)| format!("{name}={value}"));
        let request = Request::builder()
            .method(method)
            .uri(self.server.url(path))
            .header("Accept", "text/html")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Cookie", cookies.collect::<Vec<_>>().join("; "));
        let mut response = self.server.agent.run(request.body(body).unwrap()).unwrap();
        for cookie in response.headers().get_all("Set-Cookie") {
            let cookie = cookie.to_str().unwrap().split(';').next().unwrap();
            let (name, value) = cookie.split_once('=').unwrap();
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
        let html = response.body_mut().with_config().limit(64 << 20).read_to_string().unwrap();
        BrowserPage { status: response.status().as_u16(), html }
    }
}

impl BrowserPage {
    /// The value of a hidden field of its form.
    pub(crate) fn field(&self, name: &str) -> String {
        let at = format!("name=\"{name}\" value=\"");
        let (_, rest) = self.html.split_once(&at).unwrap_or_else(|| panic!("no {name} in {}", self.html));
        rest.split_once('"').unwrap().0.to_owned()
    }
}

/// A value of a form, as browsers send it.
fn encoded(value: &str) -> String {
    let lines = value.replace('\n', "\r\n");
    lines.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
