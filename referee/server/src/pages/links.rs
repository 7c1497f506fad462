//! The links of a table as its host is shown them: the code of a link is drawn once, and not with every change of the table.

use std::sync::Arc;

use croupier_pages::{SharedLink, code};

use crate::session::SessionLinks;

/// The links that a page shows.
#[derive(Debug, Default)]
pub(super) struct ShownLinks(Arc<[SharedLink]>);

impl ShownLinks {
    /// The links as they are now; `origin` is where links of this server begin.
    pub(super) fn of(&mut self, links: &SessionLinks, origin: &str) -> Arc<[SharedLink]> {
        let link = |name: String, label: String, token: &str| {
            let url = format!("{origin}/i/{token}");
            let known = self.0.iter().find(|known| known.url == url);
            let code = known.map_or_else(|| code(&url), |known| known.code.clone());
            SharedLink { name, label, code, url }
        };
        let seats = links.invitations.iter();
        let seats = seats
            .map(|(place, token)| link(format!("seat-{place}"), format!("The link for seat {place}"), token));
        let watch = link("watch".to_owned(), "The link for those who watch".to_owned(), &links.watch);
        let shown: Arc<[SharedLink]> = seats.chain([watch]).collect();
        self.0 = Arc::clone(&shown);
        shown
    }
}
