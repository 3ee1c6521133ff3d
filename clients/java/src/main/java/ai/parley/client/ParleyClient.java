package ai.parley.client;

import ai.parley.context.v1.Passage;
import ai.parley.gateway.v1.AskRequest;
import ai.parley.gateway.v1.GatewayServiceGrpc;
import ai.parley.gateway.v1.GatewayServiceGrpc.GatewayServiceBlockingStub;
import ai.parley.gateway.v1.SessionServiceGrpc;
import ai.parley.gateway.v1.SessionServiceGrpc.SessionServiceBlockingStub;
import ai.parley.retrieve.v1.CorpusServiceGrpc;
import ai.parley.retrieve.v1.CorpusServiceGrpc.CorpusServiceBlockingStub;
import ai.parley.retrieve.v1.Depth;
import ai.parley.retrieve.v1.Document;
import ai.parley.context.v1.Evidence;
import ai.parley.retrieve.v1.GetDocumentRequest;
import ai.parley.retrieve.v1.GetPassageRequest;
import ai.parley.retrieve.v1.RetrieveOptions;
import ai.parley.retrieve.v1.SearchRequest;
import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.NameResolverRegistry;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A running suite. It may be used by several threads.
 *
 * <pre>{@code
 * try (ParleyClient client = ParleyClient.connect("127.0.0.1:50051")) {
 *   System.out.println(client.ask("When did Phoenix land on Mars?").answer().text());
 * }
 * }</pre>
 */
public final class ParleyClient implements AutoCloseable {
  /** Greatest message in bytes: references carry the passages' words. */
  private static final int MAX_MESSAGE = 64 << 20;

  static {
    NameResolverRegistry.getDefaultRegistry().register(new Gateways());
  }

  private final ManagedChannel connection;
  private final Channel channel;

  private ParleyClient(Builder builder) {
    connection =
        Grpc.newChannelBuilder(Gateways.SCHEME + ":///" + builder.addresses, builder.credentials)
            .maxInboundMessageSize(MAX_MESSAGE)
            .defaultServiceConfig(SERVICE_CONFIG)
            .enableRetry()
            .build();
    channel = ClientInterceptors.intercept(connection, MetadataUtils.newAttachHeadersInterceptor(builder.headers));
  }

  /** A call that finds its gateway just going away is sent to another one; only before its first response. */
  private static final Map<String, ?> SERVICE_CONFIG =
      Map.of(
          "loadBalancingConfig",
          List.of(Map.of("round_robin", Map.of())),
          "methodConfig",
          List.of(
              Map.of(
                  "name",
                  List.of(
                      Map.of("service", "parley.gateway.v1.GatewayService", "method", "Ask"),
                      Map.of("service", "parley.gateway.v1.GatewayService", "method", "Resume"),
                      Map.of("service", "parley.gateway.v1.GatewayService", "method", "Cancel")),
                  "retryPolicy",
                  Map.of(
                      "maxAttempts", 4.0,
                      "initialBackoff", "0.1s",
                      "maxBackoff", "1s",
                      "backoffMultiplier", 2.0,
                      "retryableStatusCodes", List.of("UNAVAILABLE")))));

  /**
   * A client without TLS.
   *
   * @param addresses {@code host:port}, several with commas between them
   * @return it connects with the first call
   */
  public static ParleyClient connect(String addresses) {
    return builder(addresses).build();
  }

  /**
   * A client whose connection is described first.
   *
   * @param addresses {@code host:port}, several with commas between them; without a port that of {@code parley up}
   * @return without TLS, token and principals
   */
  public static Builder builder(String addresses) {
    return new Builder(addresses);
  }

  /** How to connect. */
  public static final class Builder {
    private static final Metadata.Key<String> AUTHORIZATION = key("authorization");
    private static final Metadata.Key<String> PRINCIPAL = key("x-parley-principal");

    private final String addresses;
    private final Metadata headers = new Metadata();
    private ChannelCredentials credentials = InsecureChannelCredentials.create();
    private boolean isEncrypted;

    private Builder(String addresses) {
      this.addresses = addresses;
    }

    /**
     * Sends a JSON Web Token or an API key with each call; to other machines over TLS alone.
     *
     * @param token without {@code Bearer}
     * @return this
     */
    public Builder token(String token) {
      headers.put(AUTHORIZATION, "Bearer " + token);
      return this;
    }

    /**
     * Names the user; a suite without authentication believes it from its own machine.
     *
     * @param principals names
     * @return this
     */
    public Builder principals(Iterable<String> principals) {
      principals.forEach(principal -> headers.put(PRINCIPAL, principal));
      return this;
    }

    /**
     * Encrypts the connection.
     *
     * @param credentials such as {@code TlsChannelCredentials.create()}
     * @return this
     */
    public Builder tls(ChannelCredentials credentials) {
      this.credentials = credentials;
      isEncrypted = true;
      return this;
    }

    /**
     * Makes the client.
     *
     * @return it connects with the first call
     * @throws IllegalArgumentException a token would be sent unencrypted to another machine
     */
    public ParleyClient build() {
      if (headers.containsKey(AUTHORIZATION) && !isEncrypted && !Gateways.areLocal(addresses)) {
        throw new IllegalArgumentException("a token is sent to other machines over TLS alone");
      }
      return new ParleyClient(this);
    }

    private static Metadata.Key<String> key(String name) {
      return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }
  }

  /**
   * Asks a question in a conversation of its own.
   *
   * @param question in plain words
   * @return a turn that begins with its first event
   */
  public Turn ask(String question) {
    return ask(AskRequest.newBuilder().setQuestion(question).build());
  }

  /**
   * Asks a question.
   *
   * @param request the question, its conversation and its options
   * @return a turn that begins with its first event
   */
  public Turn ask(AskRequest request) {
    return new Turn(this::gateway, new Attempts(request, Attempts.PATIENCE));
  }

  /**
   * Stores documents; each is acknowledged after its commit, in their order.
   *
   * @param collection created if missing; empty means "default"
   * @param documents read as they are sent
   * @return the acknowledgements; closing them ends the ingest
   */
  public Ingest ingest(String collection, Iterable<Document> documents) {
    return new Ingest(CorpusServiceGrpc.newStub(channel), collection, documents.iterator());
  }

  /**
   * Searches passages.
   *
   * @param query in plain words
   * @param collection empty means "default"
   * @param limit the greatest number of passages; 0 means the suite's setting
   * @return best first
   * @throws ParleyException the call failed
   */
  public List<Passage> search(String query, String collection, int limit) {
    RetrieveOptions.Builder options = RetrieveOptions.newBuilder().setCollection(collection);
    if (limit > 0) {
      options.setDepth(Depth.newBuilder().setEvidence(limit));
    }
    SearchRequest request = SearchRequest.newBuilder().setQuery(query).setOptions(options).build();
    return call(() -> corpus().search(request)).getEvidenceList().stream().map(Evidence::getPassage).toList();
  }

  /**
   * Opens a document.
   *
   * @param documentId its id
   * @param collection empty means "default"
   * @return the document with its text
   * @throws ParleyException the call failed
   */
  public Document document(String documentId, String collection) {
    GetDocumentRequest request =
        GetDocumentRequest.newBuilder().setDocumentId(documentId).setCollection(collection).build();
    return call(() -> corpus().getDocument(request)).getDocument();
  }

  /**
   * Opens a passage.
   *
   * @param passageId its id
   * @param collection empty means "default"
   * @return the passage as it is now
   * @throws ParleyException the call failed
   */
  public Passage passage(String passageId, String collection) {
    GetPassageRequest request =
        GetPassageRequest.newBuilder().setPassageId(passageId).setCollection(collection).build();
    return call(() -> corpus().getPassage(request)).getPassage();
  }

  /**
   * The stub of the gateway's own service.
   *
   * @return its errors are read by {@link ParleyException#of}
   */
  public GatewayServiceBlockingStub gateway() {
    return GatewayServiceGrpc.newBlockingStub(channel);
  }

  /**
   * The stub for conversations that the suite stores.
   *
   * @return its errors are read by {@link ParleyException#of}
   */
  public SessionServiceBlockingStub sessions() {
    return SessionServiceGrpc.newBlockingStub(channel);
  }

  /**
   * The stub for documents.
   *
   * @return its errors are read by {@link ParleyException#of}
   */
  public CorpusServiceBlockingStub corpus() {
    return CorpusServiceGrpc.newBlockingStub(channel);
  }

  /**
   * The channel for stubs of other services; its calls say who calls.
   *
   * @return closed with the client
   */
  public Channel channel() {
    return channel;
  }

  /** Closes the connection, and ends its calls. */
  @Override
  public void close() {
    connection.shutdownNow();
  }

  private static <T> T call(Supplier<T> call) {
    try {
      return call.get();
    } catch (StatusRuntimeException failure) {
      throw ParleyException.of(failure);
    }
  }
}
