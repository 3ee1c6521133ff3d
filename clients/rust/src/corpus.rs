//! Documents: stored, found, opened, deleted.

use futures_util::stream::{self, Stream, StreamExt};
use tonic::Streaming;

use crate::client::{Client, corpus_stub};
use crate::context::v1::Passage;
use crate::errors::Error;
use crate::retrieve::v1::ingest_request::Part;
use crate::retrieve::v1::{
    Depth, Document, GetDocumentRequest, GetPassageRequest, IngestHeader, IngestRequest, IngestResponse,
    RetrieveOptions, SearchRequest,
};

/// The acknowledgements of an ingest, in the order of its documents.
pub struct Receipts(Streaming<IngestResponse>);

impl Receipts {
    /// The next one; `None` after the last.
    pub async fn next(&mut self) -> Result<Option<IngestResponse>, Error> {
        Ok(self.0.message().await?)
    }

    /// The acknowledgements as a stream.
    pub fn into_stream(self) -> impl Stream<Item = Result<IngestResponse, Error>> + Send {
        self.0.map(|receipt| receipt.map_err(Error::from))
    }
}

impl Client {
    /// Stores documents; each is acknowledged after its commit. Dropping the receipts ends the ingest.
    pub async fn ingest<Documents>(&self, collection: &str, documents: Documents) -> Result<Receipts, Error>
    where
        Documents: Stream<Item = Document> + Send + 'static,
    {
        let header = Part::Header(IngestHeader { collection: collection.into(), ..IngestHeader::default() });
        let parts = stream::iter([header]).chain(documents.map(Part::Document));
        let requests = parts.map(|part| IngestRequest { part: Some(part), ..Default::default() });
        Ok(Receipts(self.corpus().ingest(requests).await?.into_inner()))
    }

    /// Passages for a query, best first; `limit` 0 means the suite's setting.
    pub async fn search(&self, query: &str, collection: &str, limit: i32) -> Result<Vec<Passage>, Error> {
        let depth = (limit > 0).then(|| Depth { evidence: limit, ..Depth::default() });
        let options = RetrieveOptions { collection: collection.into(), depth, ..RetrieveOptions::default() };
        let request = SearchRequest { query: query.into(), options: Some(options) };
        let call = |caller| {
            let request = request.clone();
            async move { corpus_stub(caller).search(request).await }
        };
        Ok(self.call(call).await?.evidence.into_iter().filter_map(|evidence| evidence.passage).collect())
    }

    /// A passage as it is now.
    pub async fn passage(&self, passage_id: &str, collection: &str) -> Result<Passage, Error> {
        let request = GetPassageRequest {
            passage_id: passage_id.into(),
            collection: collection.into(),
            ..GetPassageRequest::default()
        };
        let call = |caller| {
            let request = request.clone();
            async move { corpus_stub(caller).get_passage(request).await }
        };
        Ok(self.call(call).await?.passage.unwrap_or_default())
    }

    /// A document with its text.
    pub async fn document(&self, document_id: &str, collection: &str) -> Result<Document, Error> {
        let request = GetDocumentRequest {
            document_id: document_id.into(),
            collection: collection.into(),
            ..GetDocumentRequest::default()
        };
        let call = |caller| {
            let request = request.clone();
            async move { corpus_stub(caller).get_document(request).await }
        };
        Ok(self.call(call).await?.document.unwrap_or_default())
    }
}
