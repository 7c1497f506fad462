//! The events of stored lines for spectators: each event is serialised once, however many spectators read it.

use std::borrow::Cow;

use actix_web::web::Bytes;
use serde::Deserialize;
use serde_json::{Value, json};

/// An event as spectators get it: the same bytes for all of them.
#[derive(Clone, Debug)]
pub(crate) struct FeedEvent {
    /// As a server-sent event.
    pub(crate) sent: Bytes,
    /// As a line of JSON.
    pub(crate) line: Bytes,
    /// Whether nothing follows it.
    pub(crate) is_last: bool,
}

impl FeedEvent {
    pub(crate) fn new(event: &Value, is_last: bool) -> Self {
        let text = event.to_string();
        let sent = Bytes::from(format!("data: {text}\n\n"));
        Self { sent, line: Bytes::from(text + "\n"), is_last }
    }
}

/// The part of a record line that spectators may know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// The match has begun.
    Begun,
    /// That many turns were played.
    Played(u32),
    /// That many updates of a real-time match were computed.
    Updated(u32),
    /// It is over.
    Over,
}

/// The part of a line that says which one it is.
#[derive(Deserialize)]
struct LineKind<'l> {
    #[serde(borrow)]
    event: Cow<'l, str>,
    turn: Option<u32>,
    update: Option<u32>,
}

impl Known {
    /// The event of a line; `None` if it has none for spectators.
    pub(crate) fn of(line: &str) -> Option<Self> {
        let kind: LineKind<'_> = serde_json::from_str(line).ok()?;
        match &*kind.event {
            "genesis" => Some(Self::Begun),
            "turn" => kind.turn.map(|turn| Self::Played(turn.saturating_add(1))),
            "update" => kind.update.map(|update| Self::Updated(update.saturating_add(1))),
            "end" => Some(Self::Over),
            _ => None,
        }
    }

    /// The event of a line that says this; with moves if spectators may see them, and without goals if others hold the same
    /// cards.
    pub(crate) fn event(&self, line: &str, is_open: bool, shares_deal: bool) -> Option<FeedEvent> {
        let line: Value = serde_json::from_str(line).ok()?;
        let event = match self {
            Self::Begun => json!({ "event": "begin", "commitment": line["commitment"] }),
            Self::Played(_) if is_open => {
                json!({ "event": "turn", "turn": line["turn"], "moves": line["moves"] })
            }
            Self::Played(_) => json!({ "event": "turn", "turn": line["turn"] }),
            // When something happens tells who moved: where moves are not shown, neither is this.
            Self::Updated(_) if !is_open => return None,
            Self::Updated(_) => {
                json!({ "event": "update", "update": line["update"], "at_us": line["at_us"], "moves": line["moves"] })
            }
            Self::Over if !line["at_us"].is_null() => json!({
                "event": "end", "updates": line["updates"], "at_us": line["at_us"],
                "status": line["status"], "goals": line["goals"],
            }),
            // Who won tells of cards that others hold.
            Self::Over if shares_deal => {
                json!({ "event": "end", "turns": line["turns"], "status": line["status"] })
            }
            Self::Over => {
                json!({ "event": "end", "turns": line["turns"], "status": line["status"], "goals": line["goals"] })
            }
        };
        #[cfg(feature = "mutants")]
        let event = crate::leaks::event(event, &line);
        Some(FeedEvent::new(&event, *self == Self::Over))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_beginning_turns_and_the_end_are_told_and_moves_only_where_they_are_open() {
        let turn = r#"{"event":"turn","moves":{"alice":"(bet 1)"},"percepts":{"alice":"9e45"},"prev":"ce","state":"65","turn":3}"#;
        let known = Known::of(turn).expect("a turn");
        assert_eq!(known, Known::Played(4));
        let told = |is_open| known.event(turn, is_open, false).expect("an event");
        assert_eq!(told(false).line, "{\"event\":\"turn\",\"turn\":3}\n");
        assert_eq!(told(true).line, "{\"event\":\"turn\",\"moves\":{\"alice\":\"(bet 1)\"},\"turn\":3}\n");
        assert_eq!(told(false).sent, "data: {\"event\":\"turn\",\"turn\":3}\n\n");
        assert!(!told(true).is_last);
        for line in [
            r#"{"elapsed_ms":4,"event":"reply","move":"(bet 1)","prev":"","role":"alice","status":"ok","turn":3}"#,
            r#"{"event":"draw","index":4,"n":6,"turn":3}"#,
            r#"{"event":"reveal","nonce":"00","seed":"11"}"#,
            r#"{"event":"seal","head":"00"}"#,
            "nonsense",
        ] {
            assert_eq!(Known::of(line), None, "{line}");
        }
        let update = r#"{"at_us":700,"event":"update","moves":{"ann":"take"},"percepts":{"ann":"9e"},"prev":"ce","state":"65","update":3}"#;
        let known = Known::of(update).expect("an update");
        assert!(known.event(update, false, false).is_none());
        let shown = known.event(update, true, false).expect("an event").line;
        assert_eq!(shown, "{\"at_us\":700,\"event\":\"update\",\"moves\":{\"ann\":\"take\"},\"update\":3}\n");
        let end = r#"{"error":null,"event":"end","goals":{"alice":100},"prev":"b1","role":null,"status":"terminal","turns":4}"#;
        let over = Known::of(end).and_then(|known| known.event(end, false, false)).expect("an event");
        assert!(over.is_last && over.line.starts_with(b"{\"event\":\"end\",\"goals\":{\"alice\":100}"));
    }
}
