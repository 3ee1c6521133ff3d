//! Asks a question and a follow-up of a suite: `cargo run --example ask -- 127.0.0.1:50051`.

use std::env;
use std::error::Error;
use std::io::{Write, stdout};

use parley::Client;
use parley::gateway::v1::{AskRequest, event};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = env::args().nth(1).unwrap_or_else(|| "127.0.0.1:50051".into());
    let client = Client::connect(&address)?;
    let mut session_id = String::new();
    for question in ["When did Phoenix land on Mars?", "And Spirit?"] {
        let mut turn =
            client.ask(AskRequest { question: question.into(), session_id: session_id.clone(), ..Default::default() });
        while let Some(event) = turn.next().await? {
            if let Some(event::Event::Text(text)) = event.event {
                print!("{}", text.delta);
                stdout().flush()?;
            }
        }
        println!();
        let answer = turn.answer_so_far();
        for citation in &answer.citations {
            for span in &citation.references {
                let title = answer.passage(span).map_or("", |passage| &passage.title);
                println!("  {:?}: {:?}, {title}", citation.verdict(), span.quote);
            }
        }
        session_id.clone_from(&answer.session_id);
    }
    Ok(())
}
