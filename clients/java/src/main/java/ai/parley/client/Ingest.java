package ai.parley.client;

import ai.parley.retrieve.v1.CorpusServiceGrpc.CorpusServiceStub;
import ai.parley.retrieve.v1.Document;
import ai.parley.retrieve.v1.IngestHeader;
import ai.parley.retrieve.v1.IngestRequest;
import ai.parley.retrieve.v1.IngestResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The acknowledgements of documents in their order; {@link #close} ends the ingest. What was acknowledged stays. */
public final class Ingest implements Iterator<IngestResponse>, AutoCloseable {
  private final BlockingQueue<Receipt> receipts = new LinkedBlockingQueue<>();
  private final Iterator<Document> documents;
  private ClientCallStreamObserver<IngestRequest> requests;
  private Receipt next;

  /** An acknowledgement, or the end of the call; without a failure if it ended well. */
  private record Receipt(IngestResponse response, Throwable failure) {}

  Ingest(CorpusServiceStub corpus, String collection, Iterator<Document> documents) {
    this.documents = documents;
    corpus.ingest(new Exchange(collection));
  }

  /**
   * Waits for the next acknowledgement.
   *
   * @return false after the last one
   * @throws ParleyException the ingest failed
   */
  @Override
  public boolean hasNext() {
    if (next == null) {
      next = take();
    }
    if (next.failure() instanceof StatusRuntimeException failure) {
      throw ParleyException.of(failure);
    }
    return next.response() != null;
  }

  @Override
  public IngestResponse next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    IngestResponse response = next.response();
    next = null;
    return response;
  }

  /** Ends the ingest. */
  @Override
  public void close() {
    requests.cancel("the caller has left", null);
  }

  private Receipt take() {
    try {
      return receipts.take();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      close();
      return new Receipt(null, Status.CANCELLED.withDescription("interrupted").asRuntimeException());
    }
  }

  /** Sends the documents as fast as the suite takes them. */
  private final class Exchange implements ClientResponseObserver<IngestRequest, IngestResponse> {
    private final IngestHeader header;
    private boolean hasBegun;
    private boolean hasEnded;

    Exchange(String collection) {
      header = IngestHeader.newBuilder().setCollection(collection).build();
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<IngestRequest> stream) {
      requests = stream;
      stream.setOnReadyHandler(this::send);
    }

    private void send() {
      if (!hasBegun) {
        hasBegun = true;
        requests.onNext(IngestRequest.newBuilder().setHeader(header).build());
      }
      while (!hasEnded && requests.isReady()) {
        if (documents.hasNext()) {
          requests.onNext(IngestRequest.newBuilder().setDocument(documents.next()).build());
        } else {
          hasEnded = true;
          requests.onCompleted();
        }
      }
    }

    @Override
    public void onNext(IngestResponse response) {
      receipts.add(new Receipt(response, null));
    }

    @Override
    public void onError(Throwable failure) {
      receipts.add(new Receipt(null, failure));
    }

    @Override
    public void onCompleted() {
      receipts.add(new Receipt(null, null));
    }
  }
}
