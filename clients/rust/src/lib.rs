//! Client of a Parley suite: asks questions, follows a turn over broken connections, stores and finds documents.
//!
//! ```no_run
//! # async fn ask() -> Result<(), Box<dyn std::error::Error>> {
//! let client = parley::Client::connect("127.0.0.1:50051")?;
//! let answer = client.ask("When did Phoenix land on Mars?").answer().await?;
//! println!("{}", answer.text);
//! # Ok(())
//! # }
//! ```

mod answer;
mod attempts;
mod client;
mod corpus;
mod errors;
mod turn;

/// The contracts' messages and stubs, written by `build.rs`.
#[allow(missing_docs, clippy::all)]
mod proto {
    include!(concat!(env!("OUT_DIR"), "/mod.rs"));
}

pub use answer::Answer;
pub use client::{Builder, Caller, Client, ConnectionError};
pub use corpus::Receipts;
pub use errors::{Error, Violation};
pub use proto::parley::{answer as answer_stage, context, decompose, gateway, intent, retrieve, runtime, timeline};
pub use tonic::Code;
#[cfg(feature = "tls")]
pub use tonic::transport::{Certificate, ClientTlsConfig, Identity};
pub use turn::Turn;
