//! A finished answer, and how it is put together from a turn's events.

use crate::context::v1::{Citation, CitedSpan, Degraded, Outcome, Passage, PlacedImage, Reference, Timeline};
use crate::gateway::v1::event::Event as Part;
use crate::gateway::v1::{Event, UsageEvent};

/// What a turn came to.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The turn.
    pub turn_id: String,
    /// The session that stores the turn; empty if the client stores the conversation.
    pub session_id: String,
    /// The encoded conversation, if the client stores it.
    pub context: String,
    /// The question with what it leaves to the conversation filled in.
    pub standalone_question: String,
    /// CommonMark, with citation markers such as `[1]`.
    pub text: String,
    /// How the turn ended; unspecified until it has.
    pub outcome: Outcome,
    /// The passages that it may cite.
    pub references: Vec<Reference>,
    /// One for each checked sentence, in the order of the text.
    pub citations: Vec<Citation>,
    /// Pictures placed beside paragraphs.
    pub images: Vec<PlacedImage>,
    /// The timeline, if there is one.
    pub timeline: Option<Timeline>,
    /// Follow-up questions to propose.
    pub recommendations: Vec<String>,
    /// What was left out or done in a simpler way.
    pub degraded: Vec<Degraded>,
    /// Tokens, cost and time.
    pub usage: Option<UsageEvent>,
}

impl Answer {
    /// The passage that a citation's words are from; `None` if it is none of the references.
    pub fn passage(&self, span: &CitedSpan) -> Option<&Passage> {
        let mut passages = self.references.iter().filter_map(|each| each.evidence.as_ref()?.passage.as_ref());
        passages.find(|passage| passage.passage_id == span.passage_id)
    }

    /// Takes an event in; one of another turn than before, and a restart, begin the answer anew.
    pub fn add(&mut self, event: &Event) {
        if event.turn_id != self.turn_id || matches!(event.event, Some(Part::Restarted(_))) {
            *self = Self { turn_id: event.turn_id.clone(), ..Self::default() };
        }
        match &event.event {
            Some(Part::Condensed(record)) => self.standalone_question.clone_from(&record.standalone),
            Some(Part::References(found)) => self.references.clone_from(&found.references),
            Some(Part::Text(text)) => self.text.push_str(&text.delta),
            Some(Part::TextEnd(end)) => self.text.clone_from(&end.text),
            Some(Part::Citation(citation)) => self.cite(citation),
            Some(Part::Image(image)) => self.images.push(image.clone()),
            Some(Part::Timeline(timeline)) => self.timeline = Some(timeline.clone()),
            Some(Part::Recommendation(proposed)) => self.recommendations.clone_from(&proposed.questions),
            Some(Part::Degraded(degraded)) => self.degraded.push(degraded.clone()),
            Some(Part::Usage(usage)) => self.usage = Some(usage.clone()),
            Some(Part::Completed(end)) => {
                self.outcome = end.outcome();
                self.session_id.clone_from(&end.session_id);
                self.context.clone_from(&end.context);
            }
            _ => {}
        }
    }

    /// A later citation of a sentence replaces an earlier one.
    fn cite(&mut self, citation: &Citation) {
        match self.citations.binary_search_by_key(&citation.sentence, |each| each.sentence) {
            Ok(place) => self.citations[place] = citation.clone(),
            Err(place) => self.citations.insert(place, citation.clone()),
        }
    }
}
