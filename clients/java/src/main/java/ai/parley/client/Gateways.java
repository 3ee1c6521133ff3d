package ai.parley.client;

import io.grpc.Attributes;
import io.grpc.EquivalentAddressGroup;
import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Finds all gateways of a suite: {@code parley:///host:port,host:port}. */
final class Gateways extends NameResolverProvider {
  static final String SCHEME = "parley";
  private static final int PORT = 50051;

  /** The addresses of {@code host:port}, several with commas between them; without a port that of {@code parley up}. */
  static List<InetSocketAddress> places(String addresses) {
    return Arrays.stream(addresses.split(",")).map(String::strip).map(Gateways::place).toList();
  }

  /** Whether all of them are on this machine. */
  static boolean areLocal(String addresses) {
    return places(addresses).stream()
        .map(InetSocketAddress::getHostString)
        .allMatch(host -> host.equals("localhost") || (isLiteral(host) && isLoopback(host)));
  }

  private static InetSocketAddress place(String address) {
    int colon = address.lastIndexOf(':');
    boolean isBare = colon < 0 || (address.indexOf(':') != colon && !address.contains("]:"));
    String host = isBare ? address : address.substring(0, colon);
    int port = isBare ? PORT : Integer.parseInt(address.substring(colon + 1));
    return InetSocketAddress.createUnresolved(host.replaceAll("[\\[\\]]", ""), port);
  }

  private static boolean isLiteral(String host) {
    return host.contains(":") || host.matches("[0-9.]+");
  }

  private static boolean isLoopback(String host) {
    return !new InetSocketAddress(host, 1).isUnresolved() && new InetSocketAddress(host, 1).getAddress().isLoopbackAddress();
  }

  @Override
  public NameResolver newNameResolver(URI target, NameResolver.Args arguments) {
    return SCHEME.equals(target.getScheme()) ? new Resolver(target.getPath().substring(1)) : null;
  }

  @Override
  public String getDefaultScheme() {
    return SCHEME;
  }

  @Override
  public Collection<Class<? extends SocketAddress>> getProducedSocketAddressTypes() {
    return Set.of(InetSocketAddress.class);
  }

  @Override
  protected boolean isAvailable() {
    return true;
  }

  @Override
  protected int priority() {
    return 4; // below that of DNS, which stays the default
  }

  private static final class Resolver extends NameResolver {
    private final List<InetSocketAddress> places;
    private Listener2 listener;

    Resolver(String addresses) {
      places = places(addresses);
    }

    @Override
    public String getServiceAuthority() {
      return places.get(0).getHostString();
    }

    @Override
    public void start(Listener2 listener) {
      this.listener = listener;
      refresh();
    }

    @Override
    public void refresh() {
      List<EquivalentAddressGroup> groups = new ArrayList<>();
      for (InetSocketAddress place : places) {
        InetSocketAddress resolved = new InetSocketAddress(place.getHostString(), place.getPort());
        groups.add(
            new EquivalentAddressGroup(
                resolved,
                Attributes.newBuilder()
                    .set(EquivalentAddressGroup.ATTR_AUTHORITY_OVERRIDE, place.getHostString())
                    .build()));
      }
      listener.onResult(ResolutionResult.newBuilder().setAddressesOrError(io.grpc.StatusOr.fromValue(groups)).build());
    }

    @Override
    public void shutdown() {
      // It holds nothing.
    }
  }
}
