//! Messages to the player of one seat, and its replies.

use std::{sync::Arc, time::Instant};

use croupier_engine::RoleId;
use croupier_referee::{
    Failure, Header, Message, OwnHistory, Reply, Request, Seed,
    protocol::{WireForm, compose, http_request, reply_to_prefix},
};
use croupier_remote::PlayerAddress;
use futures_util::future::BoxFuture;
use tokio::{sync::mpsc, task::spawn_blocking};

use crate::{
    agent::{SeatedAgent, think},
    context::ServerContext,
    handle::Command,
    metrics::{Counted, metrics},
    push::exchange,
};

/// A serialised message to a player that is called or runs in this process.
pub(crate) struct Call {
    /// The role.
    #[cfg(feature = "mutants")]
    pub(crate) role: RoleId,
    /// Says it, and brings the reply to the match.
    pub(crate) exchange: BoxFuture<'static, ()>,
}

/// The receiver of a message, its match, and the deadline of the reply.
pub(crate) struct Receiver<'m> {
    pub(crate) context: &'m Arc<ServerContext>,
    pub(crate) header: &'m Arc<Header>,
    pub(crate) role: RoleId,
    pub(crate) deadline: Instant,
    /// The seed of the match, from which those of its agents follow.
    pub(crate) seed: &'m Seed,
    /// Where its reply goes.
    pub(crate) replies: mpsc::Sender<Command>,
}

impl Receiver<'_> {
    fn call(&self, exchange: BoxFuture<'static, ()>) -> Call {
        Call {
            #[cfg(feature = "mutants")]
            role: self.role,
            exchange,
        }
    }

    /// A message to a player that is called, written down before anybody is.
    pub(crate) fn push(&self, message: &Message, address: &PlayerAddress, form: WireForm) -> Option<Call> {
        let Self { role, deadline, .. } = *self;
        let (header, reach, replies) = (Arc::clone(self.header), self.context.reach, self.replies.clone());
        let (request, address) = (Request::of(message), address.clone());
        let body = compose(&header, message, form).ok()?;
        let bytes = http_request(&body, header.role_name(role), form.headers);
        #[cfg(feature = "mutants")]
        let bytes = crate::leaks::request(bytes);
        Some(self.call(Box::pin(async move {
            #[cfg(feature = "mutants")]
            crate::leaks::depart();
            let _counted = Counted::in_gauge(&metrics().push_connections);
            let reply = match exchange(&address, reach, &bytes, deadline).await {
                Ok(text) => Reply::Text(reply_to_prefix(&text, form.notation, header.game().limits())),
                Err(failure) => Reply::Failed(failure),
            };
            if let Some(to) = request {
                // A match that is over needs no reply.
                let _ = replies.send(Command::Reply { role, to, reply, owed: None }).await;
            }
            #[cfg(feature = "mutants")]
            if crate::leaks::arrive(role).await {
                let _ = exchange(&address, reach, &bytes, deadline).await;
            }
        })))
    }

    /// A message to an agent of this server, which is seated from what it was told if necessary; `None` if nothing is requested.
    pub(crate) fn think(
        &self,
        message: Message,
        agent: &Arc<str>,
        seated: Option<SeatedAgent>,
        known: Option<OwnHistory>,
    ) -> Option<Call> {
        let to = Request::of(&message)?;
        let Self { role, deadline, .. } = *self;
        let (seed, agent) = (self.seed.agent(self.header.role_name(role)), Arc::clone(agent));
        let (context, replies) = (Arc::clone(self.context), self.replies.clone());
        let rules = Arc::clone(self.header.rules_line());
        Some(self.call(Box::pin(async move {
            let ready = match (seated, known) {
                (Some(seated), _) => Some(seated),
                (None, Some(known)) => {
                    let context = Arc::clone(&context);
                    let make = move || context.library.seat(&agent, &rules, &known, seed);
                    spawn_blocking(make).await.ok().and_then(Result::ok)
                }
                (None, None) => None,
            };
            let (seated, reply) = match ready {
                Some(seated) => think(seated, message, deadline, Arc::clone(&context.threads)).await,
                None => (None, Reply::Failed(Failure::PlayerError)),
            };
            let _ = replies.send(Command::Thought { role, to, reply, seated }).await;
        })))
    }
}
