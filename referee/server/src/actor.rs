//! One match between its events, without a clock and without a socket: decides what is stored before what is sent.

use croupier_engine::{RoleId, Scratch};
use croupier_referee::{Effect, Event, Failure, MatchState, Message, Outcome, Reply, Request, Timer};

use crate::outbox::{Gathering, Lines, Outbox};

/// An instruction to carry out for a match now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// Store these lines, and call [`MatchActor::stored`] once they are durable. Nothing that follows from them is told to
    /// anybody before.
    Store {
        /// The number of the first line, from 0.
        first: u64,
        /// The lines.
        lines: Vec<String>,
    },
    /// Send this to a player.
    Send {
        /// The receiver.
        role: RoleId,
        /// The message.
        message: Message,
    },
    /// Wake the match at this time.
    Wake {
        /// For which request.
        of: Request,
        /// On the clock that [`MatchActor::step`] is given.
        at_ms: u64,
    },
    /// The match is over, and all of its record is stored.
    Finish {
        /// How it ended.
        outcome: Outcome,
    },
}

/// How a match resumes after its referee was interrupted.
#[derive(Clone, Copy)]
pub struct Resumption<'r> {
    /// How many lines of its record are stored.
    pub lines: u64,
    /// The number of the referee that resumes it.
    pub epoch: u64,
    /// Whether the player of a role takes a message that comes again for the same one.
    pub is_idempotent: &'r dyn Fn(RoleId) -> bool,
}

/// A match whose record is stored line by line, and that tells nobody anything before.
#[derive(Debug)]
pub struct MatchActor {
    state: MatchState,
    outbox: Outbox<Instruction>,
}

impl MatchActor {
    /// A match that has not begun.
    #[must_use]
    pub fn new(state: MatchState) -> Self {
        Self { state, outbox: Outbox::behind(0, Gathering::Neighbours) }
    }

    /// A match as [`resume`](croupier_referee::resume) returned it, and the instructions to carry out first.
    ///
    /// Players whose replies are pending are asked again in the same words, unless a player may have been asked before and would take the
    /// repetition for another turn: then a move is substituted, with [`Failure::Interrupted`] as the reason.
    pub fn go_on_with(
        state: MatchState,
        effects: Vec<Effect>,
        resumption: &Resumption<'_>,
        scratch: &mut Scratch,
    ) -> (Self, Vec<Instruction>) {
        let Resumption { lines, epoch, is_idempotent } = *resumption;
        let mut actor = Self { state, outbox: Outbox::behind(lines, Gathering::Neighbours) };
        // What stands before the next line may have been done; what stands behind it was not.
        let certain = effects.iter().position(|effect| matches!(effect, Effect::Append(_)));
        let (before, behind) = {
            let mut before = effects;
            let behind = before.split_off(certain.unwrap_or(before.len()));
            (before, behind)
        };
        let receiver = |effect: &Effect| match effect {
            Effect::Send { role, message } => Request::of(message).map(|_| *role),
            _ => None,
        };
        let unasked: Vec<RoleId> = behind.iter().filter_map(receiver).collect();
        // Its clock begins when it is asked again, behind the line of the interruption.
        let is_over = |effect: &Effect| receiver(effect).is_none() && !matches!(effect, Effect::Signal(_));
        actor.take_in(before.into_iter().filter(is_over).collect());
        actor.take_in(behind);
        let now_ms = actor.state.now_ms();
        let effects = actor.state.step_with(now_ms, Event::Resume { epoch }, scratch);
        actor.take_in(effects);
        let (mut interrupted, request) = (Vec::new(), actor.state.request());
        for role in actor.state.awaited().into_iter().filter(|role| !unasked.contains(role)) {
            let Some(message) = actor.state.asked(role) else { continue };
            match request {
                Some((to @ Request::Play { .. }, _)) if !is_idempotent(role) => interrupted.push((role, to)),
                _ => actor.outbox.follow(Instruction::Send { role, message }),
            }
        }
        // Behind the messages: who is asked again does not wait for these lines, while its clock runs.
        for (role, to) in interrupted {
            let event = Event::Reply { role, to, reply: Reply::Failed(Failure::Interrupted) };
            let effects = actor.state.step_with(now_ms, event, scratch);
            actor.take_in(effects);
        }
        let instructions = actor.go_on();
        (actor, instructions)
    }

    /// The match.
    #[must_use]
    pub fn state(&self) -> &MatchState {
        &self.state
    }

    /// How many lines of the record are written, durable or not.
    #[must_use]
    pub fn written(&self) -> u64 {
        self.outbox.written()
    }

    /// How many lines of the record are durable.
    #[must_use]
    pub fn durable(&self) -> u64 {
        self.outbox.durable()
    }

    /// The instructions that follow from an event.
    pub fn step(&mut self, now_ms: u64, event: Event, scratch: &mut Scratch) -> Vec<Instruction> {
        let effects = self.state.step_with(now_ms, event, scratch);
        self.take_in(effects);
        self.go_on()
    }

    /// The instructions that follow once the stored lines are durable. The clock of players who are only asked now starts now.
    pub fn stored(&mut self, now_ms: u64) -> Vec<Instruction> {
        self.outbox.stored();
        let mut instructions = self.go_on();
        let request = self.state.request().map(|(request, _)| request);
        let asks = |instruction: &Instruction| matches!(instruction, Instruction::Send { message, .. } if Request::of(message) == request);
        if request.is_some()
            && instructions.iter().any(asks)
            && let Some((sent, deadline_ms)) = self.state.sent_at(now_ms)
        {
            for instruction in &mut instructions {
                if let Instruction::Wake { of, at_ms } = instruction
                    && *of == sent
                {
                    *at_ms = deadline_ms;
                }
            }
        }
        instructions
    }

    fn take_in(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            let instruction = match effect {
                Effect::Append(line) => {
                    self.outbox.append(line);
                    continue;
                }
                Effect::Send { role, message } => Instruction::Send { role, message },
                Effect::Signal(Timer { of, at_ms }) => Instruction::Wake { of, at_ms },
                Effect::Finish { outcome } => Instruction::Finish { outcome },
            };
            self.outbox.follow(instruction);
        }
    }

    /// The instructions that need not wait, and the next lines to store.
    fn go_on(&mut self) -> Vec<Instruction> {
        let (mut instructions, lines) = self.outbox.advance();
        instructions.extend(lines.map(|Lines { first, lines }| Instruction::Store { first, lines }));
        instructions
    }
}

#[cfg(test)]
mod tests;
