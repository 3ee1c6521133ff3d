//! Times turns by the generated stub and by the client, in turn: `overhead ADDRESS TURNS`. It prints the seconds of each
//! as JSON.

use std::env;
use std::error::Error;
use std::time::Instant;

use parley::Client;
use parley::gateway::v1::AskRequest;
use serde_json::json;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = env::args().nth(1).ok_or("overhead ADDRESS TURNS")?;
    let turns: usize = env::args().nth(2).ok_or("overhead ADDRESS TURNS")?.parse()?;
    let client = Client::connect(&address)?;
    let (mut by_stub, mut by_client) = (Vec::new(), Vec::new());
    for _ in 0..turns {
        let start = Instant::now();
        let mut responses = client.gateway().ask(AskRequest::from("When?")).await?.into_inner();
        while responses.message().await?.is_some() {}
        by_stub.push(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let mut turn = client.ask("When?");
        while turn.next().await?.is_some() {}
        by_client.push(start.elapsed().as_secs_f64());
    }
    println!("{}", json!({"stub": by_stub, "client": by_client}));
    Ok(())
}
