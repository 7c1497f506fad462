//! A role whose player is reached over HTTP.

use std::{net::TcpStream, sync::Arc};

use croupier_referee::{
    Failure, Header, Message, Reply,
    protocol::{ComposeError, WireForm, check_form, compose, http_request, reply_to_prefix},
};

use crate::{
    address::PlayerAddress,
    connection::{Connector, exchange},
    patience::Patience,
    response::Response,
    timed_seat::{TimedReply, TimedSeat},
};

/// A role whose player is an HTTP server.
///
/// ```
/// use std::sync::Arc;
/// use croupier_referee::{Clocks, Header, MatchSetup, Nonces, Substitution, protocol::WireForm};
/// use croupier_remote::{RemoteSeat, TimedSeat};
///
/// # use croupier_engine::{Strictness, game::PerceptReading};
/// # let rules = "(role ann) (role ben) (init begun) (legal ann left) (legal ann right) (legal ben wait)
/// #     (<= (next (went ?side)) (does ann ?side)) (<= (sees ben moved) (true begun)) (<= terminal (not (true begun)))
/// #     (<= (goal ann 100) (true (went left))) (<= (goal ann 0) (not (true (went left)))) (goal ben 50)";
/// # let setup = MatchSetup {
/// #     match_id: "friday.1".to_owned(),
/// #     series: None,
/// #     session: None,
/// #     rules: rules.to_owned(),
/// #     game_name: None,
/// #     players: ["ann", "ben"].map(|role| (role.to_owned(), "a person".to_owned())).to_vec(),
/// #     clocks: Clocks::of(10_000, 5_000),
/// #     percepts: PerceptReading::OldState,
/// #     strictness: Strictness::Compatible,
/// #     substitution: Substitution::Drawn,
/// #     turns_max: 100,
/// #     nonces: Nonces::Clear,
/// # };
/// # let header = Arc::new(Header::compile(setup)?);
/// // Nothing is sent yet, and nobody need listen there.
/// let seat = RemoteSeat::new(&header, "http://127.0.0.1:9147".parse()?, "gdl2".parse()?, "ann")?;
/// assert!(seat.connects());
/// // The messages of the first language have no percepts, and nobody sees everything here.
/// assert!(RemoteSeat::new(&header, "http://127.0.0.1:9147".parse()?, "gdl1".parse()?, "ann").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RemoteSeat {
    header: Arc<Header>,
    form: WireForm,
    receiver: String,
    connector: Connector,
    /// The connection for the next message, or the reason why there is none.
    connection: Option<Result<TcpStream, Failure>>,
    /// The first HTTP status that came instead of a reply.
    refused: Option<u16>,
}

impl RemoteSeat {
    /// A seat of one match. `receiver` is the name of the player in the headers of messages.
    ///
    /// Nothing is sent before the match begins, and the player need not be there yet.
    ///
    /// # Errors
    /// [`ComposeError`] if the match cannot be written in this form.
    pub fn new(
        header: &Arc<Header>,
        address: PlayerAddress,
        form: WireForm,
        receiver: &str,
    ) -> Result<Self, ComposeError> {
        check_form(header, form)?;
        Ok(Self {
            header: Arc::clone(header),
            form,
            receiver: receiver.to_owned(),
            connector: Connector::new(address),
            connection: None,
            refused: None,
        })
    }

    fn answer(&mut self, message: &Message, patience: &Patience) -> Result<String, Failure> {
        let connection = self.connection.take().unwrap_or(Err(Failure::ConnectError))?;
        // The constructor has shown that the form fits the game.
        let body = compose(&self.header, message, self.form).map_err(|_| Failure::Malformed)?;
        let request = http_request(&body, &self.receiver, self.form.headers);
        let mut response = Response::default();
        let reply = exchange(connection, &request, patience, &mut response);
        self.refused = self.refused.or(response.refused());
        reply
    }

    /// The first HTTP status that the player answered with instead of a reply.
    #[must_use]
    pub fn refused(&self) -> Option<u16> {
        self.refused
    }
}

impl TimedSeat for RemoteSeat {
    fn connects(&self) -> bool {
        true
    }

    fn connect(&mut self, message: &Message, patience: &Patience) -> Result<(), Failure> {
        let is_first = matches!(message, Message::Start { .. });
        let connection = self.connector.connect(is_first, patience);
        let result = connection.as_ref().map(|_| ()).map_err(|failure| *failure);
        self.connection = Some(connection);
        result
    }

    fn receive(&mut self, message: &Message, patience: &Patience) -> TimedReply {
        let reply = self.answer(message, patience).map_or_else(Reply::Failed, |body| {
            Reply::Text(reply_to_prefix(&body, self.form.notation, self.header.game().limits()))
        });
        TimedReply::Reply(reply)
    }
}
