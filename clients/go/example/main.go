// Command example asks a question and a follow-up of a suite: go run ./example 127.0.0.1:50051
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/parley-qa/parley/clients/go/gen/gatewayv1"
	"github.com/parley-qa/parley/clients/go/parley"
)

func main() {
	address := "127.0.0.1:50051"
	if len(os.Args) > 1 {
		address = os.Args[1]
	}
	client, err := parley.Dial(address)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	session := ""
	for _, question := range []string{"When did Phoenix land on Mars?", "And Spirit?"} {
		answer := &parley.Answer{}
		request := &gatewayv1.AskRequest{Question: question, SessionId: session}
		for event, err := range client.Ask(context.Background(), request) {
			if err != nil {
				log.Fatal(err)
			}
			answer.Add(event)
			fmt.Print(event.GetText().GetDelta())
		}
		fmt.Println()
		for _, citation := range answer.Citations {
			for _, span := range citation.GetReferences() {
				fmt.Printf("  %s: %q, %s\n", citation.GetVerdict(), span.GetQuote(), answer.Passage(span).GetTitle())
			}
		}
		session = answer.SessionID
	}
}
