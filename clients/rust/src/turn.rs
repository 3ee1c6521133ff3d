//! A turn that outlasts a broken connection, the restart of a gateway or a stage, and a busy suite.

use std::time::Duration;

use futures_util::stream::{self, Stream};
use tokio::runtime::Handle;
use tokio::time::{sleep, timeout};
use tonic::{Status, Streaming};

use crate::answer::Answer;
use crate::attempts::{Attempts, NextCall, PATIENCE};
use crate::client::{Client, gateway_stub};
use crate::errors::Error;
use crate::gateway::v1::{AskRequest, AskResponse, CancelRequest, Event, ResumeResponse};

/// Greatest time of telling the suite that the user cancelled.
const CANCEL_TIME: Duration = Duration::from_secs(2);

impl From<&str> for AskRequest {
    /// The question alone.
    fn from(question: &str) -> Self {
        Self { question: question.into(), ..Self::default() }
    }
}

impl Client {
    /// Asks a question: a text, or an [`AskRequest`]. The turn begins when it is first polled.
    pub fn ask(&self, request: impl Into<AskRequest>) -> Turn {
        Turn {
            client: self.clone(),
            attempts: Attempts::new(request.into(), PATIENCE),
            answer: Answer::default(),
            events: None,
            place: 0,
            has_ended: false,
        }
    }
}

/// A turn. Call `next` for its events, `into_stream` for a [`Stream`] of them, or `answer` for the whole.
///
/// If the connection breaks, the turn is resumed, at any gateway that can be reached. If a stage restarts or the suite
/// is busy, it is asked again by the same request id, as long as nothing of an answer came; the events then have another
/// `turn_id`, and hold in place of those before. Dropping a turn that has not ended cancels it.
pub struct Turn {
    client: Client,
    attempts: Attempts,
    answer: Answer,
    events: Option<Events>,
    /// The gateway of the last call.
    place: usize,
    has_ended: bool,
}

enum Events {
    Asked(Streaming<AskResponse>),
    Resumed(Streaming<ResumeResponse>),
}

impl Events {
    async fn next(&mut self) -> Result<Option<Event>, Status> {
        match self {
            Self::Asked(responses) => Ok(responses.message().await?.map(|each| each.event.unwrap_or_default())),
            Self::Resumed(responses) => Ok(responses.message().await?.map(|each| each.event.unwrap_or_default())),
        }
    }
}

impl Turn {
    /// The next event, each once; `None` after the last.
    pub async fn next(&mut self) -> Result<Option<Event>, Error> {
        while !self.has_ended {
            match self.received().await {
                Ok(Some(event)) if self.attempts.is_new(&event) => {
                    self.answer.add(&event);
                    return Ok(Some(event));
                }
                Ok(Some(_)) => {}
                Ok(None) => self.has_ended = true,
                Err(status) => self.recover(status.into()).await?,
            }
        }
        Ok(None)
    }

    /// The events as a stream; it ends after an error.
    pub fn into_stream(self) -> impl Stream<Item = Result<Event, Error>> + Send {
        stream::unfold(self, |mut turn| async move { Some((turn.next().await.transpose()?, turn)) })
    }

    /// Waits for the end and returns the answer.
    pub async fn answer(mut self) -> Result<Answer, Error> {
        while self.next().await?.is_some() {}
        Ok(std::mem::take(&mut self.answer))
    }

    /// What has come until now.
    pub fn answer_so_far(&self) -> &Answer {
        &self.answer
    }

    /// Cancels the turn, and returns when the suite has been told.
    pub async fn cancel(mut self) {
        if let Some(turn_id) = self.leave() {
            cancel(self.client.clone(), turn_id).await;
        }
    }

    async fn received(&mut self) -> Result<Option<Event>, Status> {
        if self.events.is_none() {
            self.events = Some(self.open().await?);
        }
        match &mut self.events {
            Some(events) => events.next().await,
            None => Ok(None),
        }
    }

    async fn open(&mut self) -> Result<Events, Status> {
        let (place, caller) = self.client.current();
        self.place = place;
        let mut gateway = gateway_stub(caller);
        Ok(match self.attempts.next_call() {
            NextCall::Ask(request) => Events::Asked(gateway.ask(*request).await?.into_inner()),
            NextCall::Resume(request) => Events::Resumed(gateway.resume(request).await?.into_inner()),
        })
    }

    /// Waits until the turn can be continued.
    async fn recover(&mut self, error: Error) -> Result<(), Error> {
        self.events = None;
        if error.is_of_connection() {
            self.client.leave(self.place);
        }
        match self.attempts.pause_after(&error) {
            Some(pause) => sleep(pause).await,
            None => {
                self.has_ended = true;
                return Err(error);
            }
        }
        Ok(())
    }

    /// Ends the call; returns the turn if it still runs.
    fn leave(&mut self) -> Option<String> {
        let runs = !std::mem::replace(&mut self.has_ended, true);
        self.events = None;
        self.attempts.running_turn().filter(|_| runs).map(str::to_owned)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let (Some(turn_id), Ok(runtime)) = (self.leave(), Handle::try_current()) {
            runtime.spawn(cancel(self.client.clone(), turn_id));
        }
    }
}

async fn cancel(client: Client, turn_id: String) {
    let request = CancelRequest { turn_id };
    let call = client.call(|caller| {
        let request = request.clone();
        async move { gateway_stub(caller).cancel(request).await }
    });
    let _ = timeout(CANCEL_TIME, call).await; // the turn ends by itself when nobody resumes it
}
