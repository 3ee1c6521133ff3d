//! Runs the scenarios of `clients/scenarios`, given as JSON, and prints a line for each.

use std::collections::HashMap;
use std::error::Error;
use std::process::ExitCode;
use std::{env, fs};

use parley::context::v1::Outcome;
use parley::gateway::v1::{AskRequest, CancelRequest, Event, RequestOptions, TurnState, event};
use parley::retrieve::v1::{Document, IngestStatus};
use parley::{Answer, Client};
use serde::Deserialize;
use tokio_stream as stream;

type Failure = Box<dyn Error>;

#[derive(Deserialize)]
struct Plan {
    address: String,
    proxy: String,
    several: String,
    scenarios: Vec<Scenario>,
}

#[derive(Deserialize)]
struct Scenario {
    name: String,
    steps: Vec<HashMap<String, Step>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Step {
    collection: String,
    principals: Vec<String>,
    documents: Vec<StoredDocument>,
    document_id: String,
    query: String,
    question: String,
    session: String,
    through: String,
    leave_after: String,
    expect: Expected,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct StoredDocument {
    document_id: String,
    title: String,
    text: String,
    principals: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Expected {
    statuses: Vec<String>,
    documents: Vec<String>,
    outcome: String,
    text: Vec<String>,
    not_text: Vec<String>,
    standalone: Vec<String>,
    order: Vec<String>,
    contiguous: bool,
    cited: bool,
    cancelled: bool,
    error: Option<ExpectedError>,
}

#[derive(Deserialize)]
struct ExpectedError {
    code: String,
    reason: String,
    #[serde(default)]
    field: String,
}

#[tokio::main]
async fn main() -> Result<ExitCode, Failure> {
    let file = env::args().nth(1).ok_or("scenario FILE")?;
    let plan: Plan = serde_json::from_slice(&fs::read(file)?)?;
    let mut failures = 0;
    for scenario in &plan.scenarios {
        match run(&plan, scenario).await {
            Ok(()) => println!("{}: ok", scenario.name),
            Err(failure) => {
                failures += 1;
                println!("{}: {failure}", scenario.name);
            }
        }
    }
    Ok(ExitCode::from(failures))
}

async fn run(plan: &Plan, scenario: &Scenario) -> Result<(), Failure> {
    let mut sessions = HashMap::new();
    for (place, each) in scenario.steps.iter().enumerate() {
        for (kind, step) in each {
            let address = match step.through.as_str() {
                "proxy" => &plan.proxy,
                "several" => &plan.several,
                _ => &plan.address,
            };
            let client = Client::builder(address).principals(step.principals.clone()).build()?;
            let outcome = match kind.as_str() {
                "ingest" => ingest(&client, step).await,
                "search" => search(&client, step).await,
                "document" => document(&client, step).await,
                "ask" => ask(&client, step, &mut sessions).await,
                _ => Err("there is no such step".into()),
            };
            check_outcome(outcome, step).map_err(|failure| format!("step {} ({kind}): {failure}", place + 1))?;
        }
    }
    Ok(())
}

/// What a step came to, beside the error that it expects.
fn check_outcome(outcome: Result<(), Failure>, step: &Step) -> Result<(), Failure> {
    let Some(expected) = &step.expect.error else { return outcome };
    let failure = outcome.err().ok_or("an error was expected")?;
    let error = failure.downcast::<parley::Error>()?;
    let field = error.violations().first().map_or("", |violation| violation.field.as_str());
    let code = screaming(&format!("{:?}", error.code()));
    condition(
        &format!("the error is {code} {} {field}", error.reason()),
        code == expected.code && error.reason() == expected.reason && field == expected.field,
    )
}

async fn ingest(client: &Client, step: &Step) -> Result<(), Failure> {
    let documents: Vec<Document> = step.documents.iter().map(StoredDocument::message).collect();
    let mut receipts = client.ingest(&step.collection, stream::iter(documents)).await?;
    let mut statuses = Vec::new();
    while let Some(receipt) = receipts.next().await? {
        statuses.push(name_of(IngestStatus::as_str_name(&receipt.status()), "INGEST_STATUS_"));
    }
    condition(&format!("the statuses are {statuses:?}"), statuses == step.expect.statuses)
}

impl StoredDocument {
    fn message(&self) -> Document {
        Document {
            document_id: self.document_id.clone(),
            title: self.title.clone(),
            text: self.text.clone(),
            principals: self.principals.clone(),
            ..Document::default()
        }
    }
}

async fn search(client: &Client, step: &Step) -> Result<(), Failure> {
    let passages = client.search(&step.query, &step.collection, 0).await?;
    let ids: Vec<&str> = passages.iter().map(|passage| passage.document_id.as_str()).collect();
    let expected = &step.expect.documents;
    condition(&format!("the documents are {ids:?}"), ids.len() >= expected.len() && ids[..expected.len()] == *expected)
}

async fn document(client: &Client, step: &Step) -> Result<(), Failure> {
    let document = client.document(&step.document_id, &step.collection).await?;
    contains("document", &document.text, &step.expect.text)
}

async fn ask(client: &Client, step: &Step, sessions: &mut HashMap<String, String>) -> Result<(), Failure> {
    let request = AskRequest {
        question: step.question.clone(),
        session_id: sessions.get(&step.session).cloned().unwrap_or_default(),
        options: Some(RequestOptions { collection: step.collection.clone(), ..RequestOptions::default() }),
        ..AskRequest::default()
    };
    let mut turn = client.ask(request);
    let (mut kinds, mut sequence) = (Vec::new(), Vec::new());
    while let Some(event) = turn.next().await? {
        kinds.push(kind_of(&event));
        sequence.push(event.seq);
        if kind_of(&event) == step.leave_after {
            break;
        }
    }
    let answer = turn.answer_so_far().clone();
    turn.cancel().await;
    if step.expect.cancelled {
        return is_cancelled(client, answer.turn_id).await;
    }
    if !step.session.is_empty() {
        sessions.insert(step.session.clone(), answer.session_id.clone());
    }
    check_answer(&answer, &kinds, &sequence, &step.expect)
}

async fn is_cancelled(client: &Client, turn_id: String) -> Result<(), Failure> {
    let response = client.gateway().cancel(CancelRequest { turn_id }).await?;
    let state = response.into_inner().state();
    condition(&format!("the turn is {state:?}"), state == TurnState::Cancelled)
}

fn check_answer(answer: &Answer, kinds: &[&str], sequence: &[u32], expect: &Expected) -> Result<(), Failure> {
    let outcome = name_of(Outcome::as_str_name(&answer.outcome), "OUTCOME_");
    condition(&format!("the outcome is {outcome}"), expect.outcome.is_empty() || outcome == expect.outcome)?;
    contains("text", &answer.text, &expect.text)?;
    contains("standalone question", &answer.standalone_question, &expect.standalone)?;
    condition(
        &format!("the text holds what it must not: {}", answer.text),
        !expect.not_text.iter().any(|part| answer.text.contains(part)),
    )?;
    let mut rest = kinds.iter();
    condition(&format!("the events came as {kinds:?}"), expect.order.iter().all(|kind| rest.any(|each| each == kind)))?;
    condition(
        &format!("seq is {sequence:?}"),
        !expect.contiguous || sequence.iter().copied().eq(1..=sequence.len() as u32),
    )?;
    condition("a quote is not the text of its passage", !expect.cited || is_cited(answer))
}

/// Places are counted in characters, not in bytes.
fn is_cited(answer: &Answer) -> bool {
    let mut spans = answer.citations.iter().flat_map(|citation| &citation.references).peekable();
    spans.peek().is_some()
        && spans.all(|each| {
            let place = each.span.unwrap_or_default();
            let (start, end) = (place.start as usize, place.end as usize);
            let text = answer.passage(each).map_or("", |passage| &passage.text);
            text.chars().skip(start).take(end - start).eq(each.quote.chars())
        })
}

fn kind_of(event: &Event) -> &'static str {
    match event.event {
        Some(event::Event::State(_)) => "state",
        Some(event::Event::Understanding(_)) => "understanding",
        Some(event::Event::Condensed(_)) => "condensed",
        Some(event::Event::Plan(_)) => "plan",
        Some(event::Event::SubQuery(_)) => "sub_query",
        Some(event::Event::References(_)) => "references",
        Some(event::Event::Text(_)) => "text",
        Some(event::Event::Citation(_)) => "citation",
        Some(event::Event::Image(_)) => "image",
        Some(event::Event::Timeline(_)) => "timeline",
        Some(event::Event::TextEnd(_)) => "text_end",
        Some(event::Event::Recommendation(_)) => "recommendation",
        Some(event::Event::Degraded(_)) => "degraded",
        Some(event::Event::Usage(_)) => "usage",
        Some(event::Event::Completed(_)) => "completed",
        Some(event::Event::Restarted(_)) => "restarted",
        None => "",
    }
}

fn name_of(value: &str, prefix: &str) -> String {
    value.trim_start_matches(prefix).to_lowercase()
}

/// `INVALID_ARGUMENT` for `InvalidArgument`.
fn screaming(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push('_');
        }
        words.extend(letter.to_uppercase());
    }
    words
}

fn contains(what: &str, text: &str, parts: &[String]) -> Result<(), Failure> {
    match parts.iter().find(|part| !text.contains(part.as_str())) {
        Some(part) => Err(format!("{what}: {part:?} is not in {text:?}").into()),
        None => Ok(()),
    }
}

fn condition(otherwise: &str, holds: bool) -> Result<(), Failure> {
    if holds { Ok(()) } else { Err(otherwise.into()) }
}
