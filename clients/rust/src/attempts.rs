//! Decides what becomes of a turn whose call failed: it is resumed, asked again, or lost. Knows no channel.

use std::time::{Duration, Instant};

use tonic::Code;

use crate::errors::Error;
use crate::gateway::v1::{AskRequest, Event, ResumeRequest, event};

/// How long a turn is resumed without a further event, or asked again: a gateway's turns are taken over after 5 s.
pub(crate) const PATIENCE: Duration = Duration::from_secs(15);
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// Before a turn is asked again where the suite names no time.
const PAUSE: Duration = Duration::from_millis(500);
/// Greatest factor by which a named time is drawn out, so that callers do not come back all at once.
const SPREAD: f64 = 1.25;
/// Further calls of a turn that no gateway has answered.
const UNANSWERED: u32 = 3;

/// The call that begins or continues a turn.
pub(crate) enum NextCall {
    Ask(Box<AskRequest>),
    Resume(ResumeRequest),
}

/// One turn over all its calls.
pub(crate) struct Attempts {
    request: AskRequest,
    patience: Duration,
    turn_id: String,
    seq: u32,
    /// Something of an answer came: the turn is not asked again.
    is_shown: bool,
    is_complete: bool,
    /// An event came in the last call.
    has_answered: bool,
    /// The last call resumed the turn.
    is_resumed: bool,
    fails_since: Option<Instant>,
    /// Failed calls in a row without an event.
    breaks: u32,
}

impl Attempts {
    /// Makes the request one that can be resumed and asked again.
    pub(crate) fn new(mut request: AskRequest, patience: Duration) -> Self {
        if request.request_id.is_empty() {
            request.request_id = format!("{:032x}", rand::random::<u128>());
        }
        request.options.get_or_insert_default().resumable = true;
        Self {
            request,
            patience,
            turn_id: String::new(),
            seq: 0,
            is_shown: false,
            is_complete: false,
            has_answered: false,
            is_resumed: false,
            fails_since: None,
            breaks: 0,
        }
    }

    /// Notes an event; false if the caller has it already.
    pub(crate) fn is_new(&mut self, event: &Event) -> bool {
        self.has_answered = true;
        if !event.turn_id.is_empty() && event.turn_id == self.turn_id && event.seq <= self.seq {
            return false;
        }
        self.turn_id.clone_from(&event.turn_id);
        self.seq = event.seq;
        self.is_complete = matches!(event.event, Some(event::Event::Completed(_)));
        self.is_shown |= self.is_complete
            || matches!(
                event.event,
                Some(event::Event::References(_) | event::Event::Text(_) | event::Event::TextEnd(_))
            );
        if self.is_resumed {
            (self.fails_since, self.breaks) = (None, 0);
        }
        true
    }

    /// The time before the call that continues the turn after this failure; `None` if the turn is lost.
    pub(crate) fn pause_after(&mut self, error: &Error) -> Option<Duration> {
        let since = *self.fails_since.get_or_insert_with(Instant::now);
        self.is_resumed = !self.turn_id.is_empty() && is_broken(error);
        let pause = if self.is_resumed {
            Some(self.next_pause())
        } else if self.is_shown {
            None
        } else {
            self.pause_before_retry(error)
        };
        self.has_answered = false;
        pause.filter(|pause| since.elapsed() + *pause <= self.patience)
    }

    /// The call that is made next.
    pub(crate) fn next_call(&self) -> NextCall {
        if self.is_resumed {
            NextCall::Resume(ResumeRequest { turn_id: self.turn_id.clone(), after_seq: self.seq })
        } else {
            NextCall::Ask(Box::new(self.request.clone()))
        }
    }

    /// The turn to cancel when nobody wants it any more; `None` if it never began, or has ended.
    pub(crate) fn running_turn(&self) -> Option<&str> {
        (!self.turn_id.is_empty() && !self.is_complete).then_some(self.turn_id.as_str())
    }

    fn next_pause(&mut self) -> Duration {
        self.breaks += 1;
        LONGEST_PAUSE.min(FIRST_PAUSE * 2_u32.pow((self.breaks - 1).min(8)))
    }

    fn pause_before_retry(&mut self, error: &Error) -> Option<Duration> {
        if error.is_of_connection() && error.code() == Code::Cancelled {
            return Some(PAUSE); // a gateway that stops cancels calls that it has accepted but not begun
        }
        if let (Code::Unavailable | Code::ResourceExhausted, Some(named)) = (error.code(), error.pushback()) {
            return Some(named.mul_f64(1.0 + rand::random::<f64>() * (SPREAD - 1.0)));
        }
        if error.code() != Code::Unavailable {
            return None;
        }
        if self.has_answered {
            return Some(PAUSE);
        }
        (error.is_of_connection() && self.breaks < UNANSWERED).then(|| self.next_pause())
    }
}

/// A connection broke, or a gateway stopped. The transport gives `Unknown` for a body that ends early.
fn is_broken(error: &Error) -> bool {
    let codes = [Code::Unavailable, Code::Cancelled, Code::Internal, Code::Unknown];
    error.is_of_connection() && codes.contains(&error.code())
}

#[cfg(test)]
mod tests {
    use tonic::Status;

    use super::*;
    use crate::context::v1::TextDelta;
    use crate::gateway::v1::StateEvent;

    fn event(seq: u32, part: event::Event) -> Event {
        Event { turn_id: "q-1".into(), seq, event: Some(part) }
    }

    fn state(seq: u32) -> Event {
        event(seq, event::Event::State(StateEvent::default()))
    }

    fn text(seq: u32) -> Event {
        event(seq, event::Event::Text(TextDelta::default()))
    }

    fn broken(code: Code) -> Error {
        Status::new(code, "broken").into()
    }

    fn failed(code: Code) -> Error {
        Status::with_details(code, "failed", b"\x08\x0e".to_vec().into()).into()
    }

    fn turn() -> Attempts {
        Attempts::new(AskRequest::default(), PATIENCE)
    }

    #[test]
    fn a_broken_turn_is_resumed_after_its_last_event() {
        for code in [Code::Unavailable, Code::Cancelled, Code::Internal, Code::Unknown] {
            let mut turn = turn();
            assert!(turn.is_new(&text(1)) && turn.is_new(&text(2)));
            assert_eq!(turn.pause_after(&broken(code)), Some(FIRST_PAUSE));
            let NextCall::Resume(request) = turn.next_call() else { panic!("it is asked again") };
            assert_eq!((request.turn_id.as_str(), request.after_seq), ("q-1", 2));
            assert!(!turn.is_new(&text(2)) && turn.is_new(&text(3)));
        }
    }

    #[test]
    fn a_turn_that_the_suite_failed_is_lost() {
        let mut turn = turn();
        turn.is_new(&text(1));
        assert_eq!(turn.pause_after(&failed(Code::Internal)), None);
    }

    #[test]
    fn a_turn_without_an_answer_is_asked_again_by_the_same_id_when_the_suite_says_when() {
        let mut turn = turn();
        turn.is_new(&state(1));
        let mut status = Status::with_details(Code::ResourceExhausted, "busy", b"\x08\x08".to_vec().into());
        status.metadata_mut().insert("grpc-retry-pushback-ms", "200".parse().unwrap());
        let pause = turn.pause_after(&status.into()).unwrap();
        assert!(Duration::from_millis(200) <= pause && pause <= Duration::from_millis(250));
        let NextCall::Ask(request) = turn.next_call() else { panic!("it is resumed") };
        assert_eq!(request.request_id.len(), 32);
        assert_eq!(request.request_id, turn.request.request_id);
        assert!(request.options.unwrap().resumable);
    }

    #[test]
    fn a_suite_that_cannot_be_reached_is_asked_four_times() {
        let mut turn = turn();
        for _ in 0..UNANSWERED {
            assert!(turn.pause_after(&broken(Code::Unavailable)).is_some());
        }
        assert_eq!(turn.pause_after(&broken(Code::Unavailable)), None);
    }

    #[test]
    fn resuming_ends_after_the_patience() {
        let mut turn = Attempts::new(AskRequest::default(), Duration::ZERO);
        turn.is_new(&text(1));
        assert_eq!(turn.pause_after(&broken(Code::Unavailable)), None);
    }

    #[test]
    fn a_turn_is_cancelled_while_it_runs_only() {
        let mut turn = turn();
        assert_eq!(turn.running_turn(), None);
        turn.is_new(&text(1));
        assert_eq!(turn.running_turn(), Some("q-1"));
        turn.is_new(&event(2, event::Event::Completed(Default::default())));
        assert_eq!(turn.running_turn(), None);
    }
}
