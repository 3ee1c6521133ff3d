package parley

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/parley-qa/parley/clients/go/gen/contextv1"
	"github.com/parley-qa/parley/clients/go/gen/retrievev1"
)

// Search returns passages for a query, best first; limit 0 means the suite's setting.
func (client *Client) Search(
	ctx context.Context, query, collection string, limit int32,
) ([]*contextv1.Passage, error) {
	options := &retrievev1.RetrieveOptions{Collection: collection}
	if limit > 0 {
		options.Depth = &retrievev1.Depth{Evidence: limit}
	}
	request := &retrievev1.SearchRequest{Query: query, Options: options}
	response, err := client.Corpus.Search(client.Context(ctx), request)
	if err != nil {
		return nil, errorOf(err)
	}
	var passages []*contextv1.Passage
	for _, evidence := range response.GetEvidence() {
		passages = append(passages, evidence.GetPassage())
	}
	return passages, nil
}

// Document returns a document with its text.
func (client *Client) Document(ctx context.Context, id, collection string) (*retrievev1.Document, error) {
	request := &retrievev1.GetDocumentRequest{DocumentId: id, Collection: collection}
	response, err := client.Corpus.GetDocument(client.Context(ctx), request)
	return response.GetDocument(), errorOf(err)
}

// Ingest stores documents and yields an acknowledgement for each, in their order. Leaving the loop ends the ingest;
// what was acknowledged stays.
func (client *Client) Ingest(
	ctx context.Context, collection string, documents iter.Seq[*retrievev1.Document],
) iter.Seq2[*retrievev1.IngestResponse, error] {
	return func(yield func(*retrievev1.IngestResponse, error) bool) {
		ctx, cancel := context.WithCancel(client.Context(ctx))
		defer cancel()
		stream, err := client.Corpus.Ingest(ctx)
		if err != nil {
			yield(nil, errorOf(err))
			return
		}
		go func() {
			header := &retrievev1.IngestHeader{Collection: collection}
			part := &retrievev1.IngestRequest{Part: &retrievev1.IngestRequest_Header{Header: header}}
			if stream.Send(part) != nil {
				return // Recv tells why
			}
			for document := range documents {
				part := &retrievev1.IngestRequest{Part: &retrievev1.IngestRequest_Document{Document: document}}
				if stream.Send(part) != nil {
					return
				}
			}
			_ = stream.CloseSend()
		}()
		for {
			response, err := stream.Recv()
			if errors.Is(err, io.EOF) {
				return
			}
			if !yield(response, errorOf(err)) || err != nil {
				return
			}
		}
	}
}
