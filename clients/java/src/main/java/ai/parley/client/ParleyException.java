package ai.parley.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A call failed. */
public final class ParleyException extends RuntimeException {
  private static final long serialVersionUID = 1;
  private static final Metadata.Key<String> PUSHBACK =
      Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<byte[]> DETAILS =
      Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

  private final Status.Code code;
  private final boolean isOfConnection;
  private final transient Optional<ErrorInfo> info;
  private final transient Optional<Duration> retryAfter;
  private final transient List<Violation> violations;

  /**
   * A field of a request that breaks a rule.
   *
   * @param field its path, such as {@code options.collection}
   * @param description the rule, for people
   */
  public record Violation(String field, String description) {}

  private ParleyException(String message, StatusRuntimeException cause, List<Any> details) {
    super(message, cause);
    Metadata trailers = Optional.ofNullable(cause.getTrailers()).orElseGet(Metadata::new);
    code = cause.getStatus().getCode();
    isOfConnection = !trailers.containsKey(PUSHBACK) && !trailers.containsKey(DETAILS);
    info = detail(details, ErrorInfo.class);
    retryAfter =
        detail(details, RetryInfo.class)
            .map(RetryInfo::getRetryDelay)
            .map(delay -> Duration.ofSeconds(delay.getSeconds(), delay.getNanos()))
            .or(() -> pushback(trailers));
    violations = violations(details);
  }

  /**
   * Reads the status of a stub's call.
   *
   * @param cause what the stub threw
   * @return the same with its details read
   */
  public static ParleyException of(StatusRuntimeException cause) {
    com.google.rpc.Status status = StatusProto.fromThrowable(cause);
    List<Any> details = status == null ? List.of() : status.getDetailsList();
    String message = status == null ? cause.getStatus().getDescription() : status.getMessage();
    String fields =
        violations(details).stream()
            .map(violation -> violation.field() + ": " + violation.description())
            .collect(Collectors.joining("; "));
    String text = fields.isEmpty() ? String.valueOf(message) : fields;
    String reason = detail(details, ErrorInfo.class).map(each -> " (" + each.getReason() + ")").orElse("");
    return new ParleyException(text + reason, cause, details);
  }

  /**
   * The gRPC status.
   *
   * @return its code
   */
  public Status.Code code() {
    return code;
  }

  /**
   * Why the suite failed the call.
   *
   * @return a name of {@code ErrorReason} without its prefix, such as {@code DOCUMENT_NOT_FOUND}; empty if the
   *     connection failed
   */
  public String reason() {
    return info.map(ErrorInfo::getReason).orElse("");
  }

  /**
   * What the reason is about.
   *
   * @return names and values
   */
  public Map<String, String> metadata() {
    return info.map(ErrorInfo::getMetadataMap).orElse(Map.of());
  }

  /**
   * The time after which the call may succeed.
   *
   * @return empty if nothing is known
   */
  public Optional<Duration> retryAfter() {
    return retryAfter;
  }

  /**
   * The fields of the request that break rules.
   *
   * @return the suite's order
   */
  public List<Violation> violations() {
    return violations;
  }

  /** Whether the suite cannot be reached, or its connection broke. */
  boolean isOfConnection() {
    return isOfConnection;
  }

  /** The time that the suite names for another attempt. */
  Optional<Duration> pushback() {
    Metadata trailers = ((StatusRuntimeException) getCause()).getTrailers();
    return trailers == null ? Optional.empty() : pushback(trailers);
  }

  private static Optional<Duration> pushback(Metadata trailers) {
    return Optional.ofNullable(trailers.get(PUSHBACK))
        .filter(value -> value.matches("\\d{1,9}"))
        .map(value -> Duration.ofMillis(Long.parseLong(value)));
  }

  private static List<Violation> violations(List<Any> details) {
    return detail(details, BadRequest.class).map(BadRequest::getFieldViolationsList).orElse(List.of()).stream()
        .map(each -> new Violation(each.getField(), each.getDescription()))
        .toList();
  }

  private static <T extends com.google.protobuf.Message> Optional<T> detail(List<Any> details, Class<T> type) {
    for (Any detail : details) {
      if (detail.is(type)) {
        try {
          return Optional.of(detail.unpack(type));
        } catch (InvalidProtocolBufferException damaged) {
          return Optional.empty();
        }
      }
    }
    return Optional.empty();
  }
}
