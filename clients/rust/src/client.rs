//! How a client reaches a suite: its gateways, TLS, and who calls.

use std::fmt;
use std::future::Future;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
#[cfg(feature = "tls")]
use tonic::transport::ClientTlsConfig;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Response, Status};

use crate::errors::Error;
use crate::gateway::v1::gateway_service_client::GatewayServiceClient;
use crate::gateway::v1::session_service_client::SessionServiceClient;
use crate::retrieve::v1::corpus_service_client::CorpusServiceClient;

/// The gateway's port where an address names none.
const PORT: u16 = 50051;
/// Greatest message in bytes: references carry the passages' words.
const MAX_MESSAGE: usize = 64 << 20;

/// A channel whose calls say who calls; for stubs of services that the client has no method for.
pub type Caller = InterceptedService<Channel, Identification>;

/// A running suite. It is cheap to clone, and lives within a Tokio runtime.
#[derive(Clone)]
pub struct Client {
    channels: Arc<[Channel]>,
    current: Arc<AtomicUsize>,
    identification: Identification,
}

/// The client cannot be made.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum ConnectionError {
    /// An address is no `host:port`, or the TLS configuration cannot be used.
    Invalid(String),
    /// The token or a principal cannot be sent as metadata.
    NotPrintable,
    /// A token would be sent unencrypted to another machine.
    TokenInPlainText,
}

impl fmt::Display for ConnectionError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(reason) => to.write_str(reason),
            Self::NotPrintable => to.write_str("tokens and principals are printable ASCII"),
            Self::TokenInPlainText => to.write_str("a token is sent to other machines over TLS alone"),
        }
    }
}

impl std::error::Error for ConnectionError {}

/// How to connect.
#[derive(Clone, Default)]
pub struct Builder {
    addresses: String,
    token: String,
    principals: Vec<String>,
    #[cfg(feature = "tls")]
    tls: Option<ClientTlsConfig>,
}

impl Builder {
    /// Sends a JSON Web Token or an API key with each call; to other machines over TLS alone.
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.token = token.into();
        self
    }

    /// Names the user; a suite without authentication believes it from its own machine.
    pub fn principals(mut self, principals: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.principals = principals.into_iter().map(Into::into).collect();
        self
    }

    /// Encrypts the connection.
    #[cfg(feature = "tls")]
    pub fn tls(mut self, config: ClientTlsConfig) -> Self {
        self.tls = Some(config);
        self
    }

    /// Makes the client; it connects with the first call.
    pub fn build(self) -> Result<Client, ConnectionError> {
        let places: Vec<(String, u16)> = self.addresses.split(',').map(|each| host_and_port(each.trim())).collect();
        if !self.token.is_empty() && !self.is_encrypted() && !places.iter().all(|(host, _)| is_loopback(host)) {
            return Err(ConnectionError::TokenInPlainText);
        }
        let channels = places.iter().map(|place| self.channel(place)).collect::<Result<Vec<_>, _>>()?;
        Ok(Client {
            channels: channels.into(),
            current: Arc::default(),
            identification: Identification::new(&self.token, &self.principals)?,
        })
    }

    #[cfg(feature = "tls")]
    fn is_encrypted(&self) -> bool {
        self.tls.is_some()
    }

    #[cfg(not(feature = "tls"))]
    fn is_encrypted(&self) -> bool {
        false
    }

    fn channel(&self, (host, port): &(String, u16)) -> Result<Channel, ConnectionError> {
        let scheme = if self.is_encrypted() { "https" } else { "http" };
        let host = if host.contains(':') { format!("[{host}]") } else { host.clone() };
        let endpoint = Endpoint::from_shared(format!("{scheme}://{host}:{port}")).map_err(invalid)?;
        #[cfg(feature = "tls")]
        let endpoint = match &self.tls {
            Some(config) => endpoint.tls_config(config.clone()).map_err(invalid)?,
            None => endpoint,
        };
        Ok(endpoint.connect_lazy())
    }
}

fn invalid(error: impl fmt::Display) -> ConnectionError {
    ConnectionError::Invalid(error.to_string())
}

impl Client {
    /// A client without TLS of the gateways at `host:port`, several with commas between them.
    pub fn connect(addresses: &str) -> Result<Self, ConnectionError> {
        Self::builder(addresses).build()
    }

    /// A client whose connection is described first.
    pub fn builder(addresses: &str) -> Builder {
        Builder { addresses: addresses.into(), ..Builder::default() }
    }

    /// The channel to the gateway that is used now.
    pub fn caller(&self) -> Caller {
        let (_, caller) = self.current();
        caller
    }

    /// The stub of the gateway's own service.
    pub fn gateway(&self) -> GatewayServiceClient<Caller> {
        gateway_stub(self.caller())
    }

    /// The stub for conversations that the suite stores.
    pub fn sessions(&self) -> SessionServiceClient<Caller> {
        SessionServiceClient::new(self.caller()).max_decoding_message_size(MAX_MESSAGE)
    }

    /// The stub for documents.
    pub fn corpus(&self) -> CorpusServiceClient<Caller> {
        corpus_stub(self.caller())
    }

    /// A channel, and its place for `leave`.
    pub(crate) fn current(&self) -> (usize, Caller) {
        let place = self.current.load(Ordering::Relaxed) % self.channels.len();
        (place, InterceptedService::new(self.channels[place].clone(), self.identification.clone()))
    }

    /// Goes over to the next gateway, unless another call did so already.
    pub(crate) fn leave(&self, place: usize) {
        let next = (place + 1) % self.channels.len();
        let _ = self.current.compare_exchange(place, next, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Makes a call that may be repeated, at the first gateway that can be reached.
    pub(crate) async fn call<T, Call, Reply>(&self, call: Call) -> Result<T, Error>
    where
        Call: Fn(Caller) -> Reply,
        Reply: Future<Output = Result<Response<T>, Status>>,
    {
        let mut tries = self.channels.len();
        loop {
            let (place, caller) = self.current();
            tries -= 1;
            match call(caller).await.map_err(Error::from) {
                Ok(response) => return Ok(response.into_inner()),
                Err(error) if tries > 0 && error.is_of_connection() && error.code() == Code::Unavailable => {
                    self.leave(place);
                }
                Err(error) => return Err(error),
            }
        }
    }
}

pub(crate) fn gateway_stub(caller: Caller) -> GatewayServiceClient<Caller> {
    GatewayServiceClient::new(caller).max_decoding_message_size(MAX_MESSAGE).max_encoding_message_size(MAX_MESSAGE)
}

pub(crate) fn corpus_stub(caller: Caller) -> CorpusServiceClient<Caller> {
    CorpusServiceClient::new(caller).max_decoding_message_size(MAX_MESSAGE).max_encoding_message_size(MAX_MESSAGE)
}

/// Adds to each call who calls.
#[derive(Clone)]
pub struct Identification {
    token: Option<MetadataValue<Ascii>>,
    principals: Arc<[MetadataValue<Ascii>]>,
}

impl Identification {
    fn new(token: &str, principals: &[String]) -> Result<Self, ConnectionError> {
        let token = if token.is_empty() { None } else { Some(printable(&format!("Bearer {token}"))?) };
        let principals = principals.iter().map(|each| printable(each)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { token, principals: principals.into() })
    }
}

impl Interceptor for Identification {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(token) = &self.token {
            request.metadata_mut().insert("authorization", token.clone());
        }
        for principal in self.principals.iter() {
            request.metadata_mut().append("x-parley-principal", principal.clone());
        }
        Ok(request)
    }
}

fn printable(value: &str) -> Result<MetadataValue<Ascii>, ConnectionError> {
    value.parse().map_err(|_| ConnectionError::NotPrintable)
}

fn host_and_port(address: &str) -> (String, u16) {
    let bare = |host: &str| host.trim_matches(['[', ']']).to_owned();
    match address.rsplit_once(':') {
        Some((host, port)) if !host.contains(':') || host.starts_with('[') => match port.parse() {
            Ok(port) => (bare(host), port),
            Err(_) => (bare(address), PORT),
        },
        _ => (bare(address), PORT),
    }
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_lack_its_port() {
        let pairs = [
            ("localhost", "localhost", PORT),
            ("127.0.0.1:7000", "127.0.0.1", 7000),
            ("[::1]:7000", "::1", 7000),
            ("::1", "::1", PORT),
        ];
        for (address, host, port) in pairs {
            assert_eq!(host_and_port(address), (host.to_owned(), port));
        }
    }

    #[tokio::test]
    async fn a_token_goes_to_other_machines_over_tls_alone() {
        assert!(Client::builder("127.0.0.1,localhost:7000").token("key").build().is_ok());
        let refused = Client::builder("127.0.0.1,parley.example.org").token("key").build();
        assert_eq!(refused.err(), Some(ConnectionError::TokenInPlainText));
        let broken = Client::builder("127.0.0.1").token("a\nb").build();
        assert_eq!(broken.err(), Some(ConnectionError::NotPrintable));
    }
}
