// Command overhead times turns by the generated stub and by the client, in turn: overhead ADDRESS TURNS. It prints the
// seconds of each as JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"os"
	"strconv"
	"time"

	"github.com/parley-qa/parley/clients/go/gen/gatewayv1"
	"github.com/parley-qa/parley/clients/go/parley"
)

func main() {
	turns, err := strconv.Atoi(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	client, err := parley.Dial(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	times := map[string][]float64{}
	for range turns {
		times["stub"] = append(times["stub"], seconds(func() error { return byStub(client) }))
		times["client"] = append(times["client"], seconds(func() error { return byClient(client) }))
	}
	if err := json.NewEncoder(os.Stdout).Encode(times); err != nil {
		log.Fatal(err)
	}
}

func seconds(turn func() error) float64 {
	start := time.Now()
	if err := turn(); err != nil {
		log.Fatal(err)
	}
	return time.Since(start).Seconds()
}

func byStub(client *parley.Client) error {
	stream, err := client.Gateway.Ask(context.Background(), &gatewayv1.AskRequest{Question: "When?"})
	for err == nil {
		_, err = stream.Recv()
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func byClient(client *parley.Client) error {
	for _, err := range client.Ask(context.Background(), &gatewayv1.AskRequest{Question: "When?"}) {
		if err != nil {
			return err
		}
	}
	return nil
}
