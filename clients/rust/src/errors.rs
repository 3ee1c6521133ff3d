//! Failed calls, with the reason that the suite gives.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use tonic::{Code, Status};
use tonic_types::StatusExt;

const PUSHBACK: &str = "grpc-retry-pushback-ms";

/// A failed call.
#[derive(Clone, Debug)]
pub struct Error(Box<Failure>);

#[derive(Clone, Debug)]
struct Failure {
    status: Status,
    reason: String,
    metadata: HashMap<String, String>,
    retry_after: Option<Duration>,
    violations: Vec<Violation>,
}

/// A field of a request that breaks a rule.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Violation {
    /// Its path, such as `options.collection`.
    pub field: String,
    /// The rule, for people.
    pub description: String,
}

impl Error {
    /// The gRPC status.
    pub fn code(&self) -> Code {
        self.0.status.code()
    }

    /// A name of `ErrorReason` without its prefix, such as `DOCUMENT_NOT_FOUND`; empty if the connection failed.
    pub fn reason(&self) -> &str {
        &self.0.reason
    }

    /// For people.
    pub fn message(&self) -> &str {
        self.0.status.message()
    }

    /// What the reason is about.
    pub fn metadata(&self) -> &HashMap<String, String> {
        &self.0.metadata
    }

    /// The time after which the call may succeed; `None` if nothing is known.
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// The fields of the request that break rules.
    pub fn violations(&self) -> &[Violation] {
        &self.0.violations
    }

    /// The suite did not fail the call: it cannot be reached, or its connection broke.
    pub(crate) fn is_of_connection(&self) -> bool {
        self.0.status.details().is_empty() && !self.0.status.metadata().contains_key(PUSHBACK)
    }

    /// The time that the suite names for another attempt.
    pub(crate) fn pushback(&self) -> Option<Duration> {
        pushback(&self.0.status)
    }
}

impl From<Status> for Error {
    fn from(status: Status) -> Self {
        let details = status.get_error_details();
        let (reason, metadata) =
            details.error_info().map(|info| (info.reason.clone(), info.metadata.clone())).unwrap_or_default();
        let retry_after = details.retry_info().and_then(|info| info.retry_delay).or_else(|| pushback(&status));
        let violations = details.bad_request().map(|request| request.field_violations.as_slice()).unwrap_or_default();
        let violations = violations
            .iter()
            .map(|each| Violation { field: each.field.clone(), description: each.description.clone() })
            .collect();
        Self(Box::new(Failure { reason, metadata, retry_after, violations, status }))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields: Vec<String> =
            self.violations().iter().map(|each| format!("{}: {}", each.field, each.description)).collect();
        match fields.as_slice() {
            [] if self.message().is_empty() => write!(to, "{:?}", self.code())?,
            [] => to.write_str(self.message())?,
            fields => to.write_str(&fields.join("; "))?,
        }
        if self.reason().is_empty() { Ok(()) } else { write!(to, " ({})", self.reason()) }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0.status)
    }
}

fn pushback(status: &Status) -> Option<Duration> {
    status.metadata().get(PUSHBACK)?.to_str().ok()?.parse().ok().map(Duration::from_millis)
}
