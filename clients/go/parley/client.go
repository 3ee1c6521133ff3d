// Package parley is a client of a Parley suite: it asks questions, follows the events of a turn over broken
// connections, and stores and finds documents.
package parley

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/manual"

	"github.com/parley-qa/parley/clients/go/gen/gatewayv1"
	"github.com/parley-qa/parley/clients/go/gen/retrievev1"
)

const (
	// DefaultPort is the gateway's port where an address names none.
	DefaultPort = "50051"
	// maxMessage is the greatest message in bytes: references carry the passages' words.
	maxMessage    = 64 << 20
	serviceConfig = `{"loadBalancingConfig": [{"round_robin": {}}]}`
)

// Client is a running suite. It may be used by several goroutines.
type Client struct {
	// Gateway, Sessions and Corpus are the generated stubs, for what the client has no method for. Their contexts come
	// from Context.
	Gateway  gatewayv1.GatewayServiceClient
	Sessions gatewayv1.SessionServiceClient
	Corpus   retrievev1.CorpusServiceClient

	connection *grpc.ClientConn
	token      string
	principals []string
	tls        *tls.Config
}

// Option changes how a client connects.
type Option func(*Client)

// WithTLS encrypts the connection.
func WithTLS(config *tls.Config) Option { return func(client *Client) { client.tls = config } }

// WithToken sends a JSON Web Token or an API key with each call. To other machines it needs WithTLS.
func WithToken(token string) Option { return func(client *Client) { client.token = token } }

// WithPrincipals names the user; a suite without authentication believes it from its own machine.
func WithPrincipals(principals ...string) Option {
	return func(client *Client) { client.principals = principals }
}

// Dial prepares a client for the gateways at host:port, several with commas between them; it connects with the first
// call.
func Dial(addresses string, options ...Option) (*Client, error) {
	client := &Client{}
	for _, option := range options {
		option(client)
	}
	targets := targetsOf(addresses)
	if client.token != "" && client.tls == nil && !areLocal(targets) {
		return nil, errors.New("parley: a token is sent to other machines over TLS alone")
	}
	security := insecure.NewCredentials()
	if client.tls != nil {
		security = credentials.NewTLS(client.tls)
	}
	gateways := manual.NewBuilderWithScheme("parley")
	gateways.InitialState(resolver.State{Addresses: targets})
	connection, err := grpc.NewClient(
		"parley:///"+targets[0].Addr,
		grpc.WithResolvers(gateways),
		grpc.WithTransportCredentials(security),
		grpc.WithDefaultServiceConfig(serviceConfig),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessage), grpc.MaxCallSendMsgSize(maxMessage)),
	)
	if err != nil {
		return nil, fmt.Errorf("parley: %w", err)
	}
	client.connection = connection
	client.Gateway = gatewayv1.NewGatewayServiceClient(connection)
	client.Sessions = gatewayv1.NewSessionServiceClient(connection)
	client.Corpus = retrievev1.NewCorpusServiceClient(connection)
	return client, nil
}

// Close closes the connection.
func (client *Client) Close() error { return client.connection.Close() }

// Context adds to a context who calls, for the use of the stubs.
func (client *Client) Context(parent context.Context) context.Context {
	if client.token != "" {
		parent = metadata.AppendToOutgoingContext(parent, "authorization", "Bearer "+client.token)
	}
	for _, principal := range client.principals {
		parent = metadata.AppendToOutgoingContext(parent, "x-parley-principal", principal)
	}
	return parent
}

func targetsOf(addresses string) []resolver.Address {
	var targets []resolver.Address
	for _, address := range strings.Split(addresses, ",") {
		address = strings.TrimSpace(address)
		if _, _, err := net.SplitHostPort(address); err != nil {
			address = net.JoinHostPort(strings.Trim(address, "[]"), DefaultPort)
		}
		host, _, _ := net.SplitHostPort(address)
		targets = append(targets, resolver.Address{Addr: address, ServerName: host})
	}
	return targets
}

func areLocal(targets []resolver.Address) bool {
	for _, target := range targets {
		host, _, _ := net.SplitHostPort(target.Addr)
		if address := net.ParseIP(host); host != "localhost" && (address == nil || !address.IsLoopback()) {
			return false
		}
	}
	return true
}
