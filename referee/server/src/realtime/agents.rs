//! Agents of this server in one real-time match: they plan on the threads of agents, while game time goes on.

use std::{future::pending, mem, sync::Arc};

use croupier_engine::RoleId;
use croupier_referee::realtime::{Notice, Plan, RealTimeEvent, RealTimeSeat};
use tokio::{
    sync::Semaphore,
    task::{JoinSet, spawn_blocking},
};

/// An agent with its role.
pub(super) struct SeatedAgent {
    pub(super) role: RoleId,
    pub(super) seat: Box<dyn RealTimeSeat + Send>,
}

/// An agent that has planned.
pub(super) struct Planned {
    agent: SeatedAgent,
    plan: Plan,
}

/// The agents of a match.
pub(super) struct RealTimeAgents {
    agents: Vec<RealTimeAgent>,
    thoughts: JoinSet<Option<Planned>>,
    threads: Arc<Semaphore>,
    /// Game time between two moves of an agent, at least: nobody can fill the record.
    gap_us: u64,
}

struct RealTimeAgent {
    role: RoleId,
    /// The agent; `None` while it plans, and after a panic.
    seat: Option<Box<dyn RealTimeSeat + Send>>,
    /// What it was not told yet.
    untold: Vec<Notice>,
    plan: Plan,
    /// When it acts again at the earliest.
    free_us: u64,
    /// The number of its next move: behind those that were judged before the server was interrupted.
    next_id: u64,
}

impl RealTimeAgents {
    /// Agents that were told nothing yet, and plan on these threads; each waits for `gap_us` microseconds of game time between
    /// its moves.
    pub(super) fn new(agents: Vec<SeatedAgent>, threads: Arc<Semaphore>, gap_us: u64) -> Self {
        let seated = |agent: SeatedAgent| {
            let SeatedAgent { role, seat } = agent;
            let (untold, plan) = (Vec::new(), Plan::Wait);
            RealTimeAgent { role, seat: Some(seat), untold, plan, free_us: 0, next_id: 0 }
        };
        Self { agents: agents.into_iter().map(seated).collect(), thoughts: JoinSet::new(), threads, gap_us }
    }

    /// The roles of agents.
    pub(super) fn roles(&self) -> Vec<RoleId> {
        self.agents.iter().map(|agent| agent.role).collect()
    }

    /// Takes in what a role is told, for the next time that its agent [plans](Self::consider).
    pub(super) fn tell(&mut self, role: RoleId, notice: &Notice) {
        let Some(agent) = self.agents.iter_mut().find(|agent| agent.role == role) else { return };
        if let Notice::Received { id, .. } = notice {
            agent.next_id = agent.next_id.max(id + 1);
        }
        agent.untold.push(notice.clone());
        // Whatever it planned, it did not know this.
        agent.plan = Plan::Wait;
    }

    /// Lets those plan who were told something, at an instant of game time in microseconds.
    pub(super) fn consider(&mut self, now_us: u64) {
        for agent in self.agents.iter_mut().filter(|agent| !agent.untold.is_empty()) {
            let Some(seat) = agent.seat.take() else { continue };
            let (role, untold) = (agent.role, mem::take(&mut agent.untold));
            let thought = think(Arc::clone(&self.threads), SeatedAgent { role, seat }, untold, now_us);
            self.thoughts.spawn(thought);
        }
    }

    /// The next instant at which one of them acts, in microseconds of game time.
    pub(super) fn due_us(&self) -> Option<u64> {
        self.agents.iter().filter_map(|agent| agent.plan.at_us()).min()
    }

    /// The moves whose instants have come; whoever wants to think then does.
    pub(super) fn act(&mut self, now_us: u64) -> Vec<RealTimeEvent> {
        let mut moves = Vec::new();
        for agent in self.agents.iter_mut().filter(|agent| agent.plan.at_us().is_some_and(|at| at <= now_us))
        {
            let role = agent.role;
            match mem::replace(&mut agent.plan, Plan::Wait) {
                Plan::Move { text, at_us } => {
                    let id = agent.next_id;
                    agent.next_id += 1;
                    agent.free_us = at_us.saturating_add(self.gap_us);
                    moves.push(RealTimeEvent::Move { role, id, text, at_us, not_before_us: None });
                }
                Plan::Think { .. } => {
                    if let Some(seat) = agent.seat.take() {
                        let agent = SeatedAgent { role, seat };
                        self.thoughts.spawn(think(Arc::clone(&self.threads), agent, Vec::new(), now_us));
                    }
                }
                Plan::Wait | Plan::Leave => {}
            }
        }
        moves
    }

    /// The agent that has planned next, with its plan; never, if nobody plans.
    pub(super) async fn planned(&mut self) -> Planned {
        loop {
            match self.thoughts.join_next().await {
                None => return pending().await,
                Some(Ok(Some(planned))) => return planned,
                // A panic ends the agent, which moves no more; the match continues.
                Some(Ok(None) | Err(_)) => {}
            }
        }
    }

    /// Takes an agent back. It cannot act before the instant at which it has planned, however long that took.
    pub(super) fn take_back(&mut self, planned: Planned, now_us: u64) {
        let Planned { agent: SeatedAgent { role, seat }, plan } = planned;
        let Some(agent) = self.agents.iter_mut().find(|agent| agent.role == role) else { return };
        agent.seat = Some(seat);
        let free_us = now_us.max(agent.free_us);
        agent.plan = if agent.untold.is_empty() { plan.after(free_us) } else { Plan::Wait };
    }
}

/// Lets an agent plan, as soon as one of the threads is free.
async fn think(
    threads: Arc<Semaphore>,
    mut agent: SeatedAgent,
    untold: Vec<Notice>,
    now_us: u64,
) -> Option<Planned> {
    let _permit = threads.acquire_owned().await.ok()?;
    let thought = spawn_blocking(move || {
        let mut plan = if untold.is_empty() { agent.seat.plan(now_us, None) } else { Plan::Wait };
        for notice in &untold {
            plan = agent.seat.plan(now_us, Some(notice));
        }
        Planned { agent, plan }
    });
    thought.await.ok()
}
