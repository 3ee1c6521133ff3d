// Command scenario runs the scenarios of clients/scenarios, given as JSON, and prints a line for each.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/parley-qa/parley/clients/go/gen/gatewayv1"
	"github.com/parley-qa/parley/clients/go/gen/retrievev1"
	"github.com/parley-qa/parley/clients/go/parley"
)

type plan struct {
	Address   string     `json:"address"`
	Proxy     string     `json:"proxy"`
	Several   string     `json:"several"`
	Scenarios []scenario `json:"scenarios"`
}

type scenario struct {
	Name  string            `json:"name"`
	Steps []map[string]step `json:"steps"`
}

type step struct {
	Collection string     `json:"collection"`
	Principals []string   `json:"principals"`
	Documents  []document `json:"documents"`
	DocumentID string     `json:"document_id"`
	Query      string     `json:"query"`
	Question   string     `json:"question"`
	Session    string     `json:"session"`
	Through    string     `json:"through"`
	LeaveAfter string     `json:"leave_after"`
	Expect     expected   `json:"expect"`
}

type document struct {
	DocumentID string   `json:"document_id"`
	Title      string   `json:"title"`
	Text       string   `json:"text"`
	Principals []string `json:"principals"`
}

type expected struct {
	Statuses   []string     `json:"statuses"`
	Documents  []string     `json:"documents"`
	Outcome    string       `json:"outcome"`
	Text       []string     `json:"text"`
	NotText    []string     `json:"not_text"`
	Standalone []string     `json:"standalone"`
	Order      []string     `json:"order"`
	Contiguous bool         `json:"contiguous"`
	Cited      bool         `json:"cited"`
	Cancelled  bool         `json:"cancelled"`
	Error      *wantedError `json:"error"`
}

type wantedError struct {
	Code   string `json:"code"`
	Reason string `json:"reason"`
	Field  string `json:"field"`
}

func main() {
	content, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	var all plan
	if err := json.Unmarshal(content, &all); err != nil {
		log.Fatal(err)
	}
	failures := 0
	for _, each := range all.Scenarios {
		run := &runner{plan: all, sessions: map[string]string{}}
		if err := run.scenario(each); err != nil {
			failures++
			fmt.Printf("%s: %v\n", each.Name, err)
			continue
		}
		fmt.Printf("%s: ok\n", each.Name)
	}
	os.Exit(failures)
}

type runner struct {
	plan     plan
	sessions map[string]string
}

func (run *runner) scenario(all scenario) error {
	for number, each := range all.Steps {
		for kind, step := range each {
			if err := run.step(kind, step); err != nil {
				return fmt.Errorf("step %d (%s): %w", number+1, kind, err)
			}
		}
	}
	return nil
}

func (run *runner) step(kind string, step step) error {
	address := run.plan.Address
	switch step.Through {
	case "proxy":
		address = run.plan.Proxy
	case "several":
		address = run.plan.Several
	}
	client, err := parley.Dial(address, parley.WithPrincipals(step.Principals...))
	if err != nil {
		return err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	switch kind {
	case "ingest":
		return ingest(ctx, client, step)
	case "search":
		return search(ctx, client, step)
	case "document":
		return open(ctx, client, step)
	case "ask":
		return run.ask(ctx, client, step)
	default:
		return errors.New("there is no such step")
	}
}

func ingest(ctx context.Context, client *parley.Client, step step) error {
	var documents []*retrievev1.Document
	for _, each := range step.Documents {
		documents = append(documents, &retrievev1.Document{
			DocumentId: each.DocumentID, Title: each.Title, Text: each.Text, Principals: each.Principals,
		})
	}
	var statuses []string
	for receipt, err := range client.Ingest(ctx, step.Collection, slices.Values(documents)) {
		if err != nil {
			return err
		}
		statuses = append(statuses, nameOf(receipt.GetStatus().String(), "INGEST_STATUS_"))
	}
	return equal("statuses", statuses, step.Expect.Statuses)
}

func search(ctx context.Context, client *parley.Client, step step) error {
	passages, err := client.Search(ctx, step.Query, step.Collection, 0)
	if err != nil {
		return err
	}
	var ids []string
	for _, passage := range passages {
		ids = append(ids, passage.GetDocumentId())
	}
	return equal("documents", ids[:min(len(ids), len(step.Expect.Documents))], step.Expect.Documents)
}

func open(ctx context.Context, client *parley.Client, step step) error {
	document, err := client.Document(ctx, step.DocumentID, step.Collection)
	if err != nil || step.Expect.Error != nil {
		return checkError(err, step.Expect.Error)
	}
	return contains("text", document.GetText(), step.Expect.Text)
}

func (run *runner) ask(ctx context.Context, client *parley.Client, step step) error {
	request := &gatewayv1.AskRequest{
		Question:  step.Question,
		SessionId: run.sessions[step.Session],
		Options:   &gatewayv1.RequestOptions{Collection: step.Collection},
	}
	answer, kinds, sequence := &parley.Answer{}, []string{}, []uint32{}
	for event, err := range client.Ask(ctx, request) {
		if err != nil {
			return checkError(err, step.Expect.Error)
		}
		answer.Add(event)
		kinds, sequence = append(kinds, kindOf(event)), append(sequence, event.GetSeq())
		if kindOf(event) == step.LeaveAfter {
			break
		}
	}
	if step.Expect.Cancelled {
		return isCancelled(ctx, client, answer.TurnID)
	}
	if step.Session != "" {
		run.sessions[step.Session] = answer.SessionID
	}
	return checkAnswer(answer, kinds, sequence, step.Expect)
}

func checkAnswer(answer *parley.Answer, kinds []string, sequence []uint32, expect expected) error {
	outcome := nameOf(answer.Outcome.String(), "OUTCOME_")
	return errors.Join(
		condition("the outcome is "+outcome, expect.Outcome == "" || outcome == expect.Outcome),
		condition("an error was expected", expect.Error == nil),
		contains("text", answer.Text, expect.Text),
		contains("standalone question", answer.Standalone, expect.Standalone),
		condition("the text holds what it must not: "+answer.Text, !containsAny(answer.Text, expect.NotText)),
		checkOrder(kinds, expect.Order),
		condition(fmt.Sprint("seq is ", sequence), !expect.Contiguous || isContiguous(sequence)),
		condition("a quote is not the text of its passage", !expect.Cited || isCited(answer)),
	)
}

func isCancelled(ctx context.Context, client *parley.Client, turnID string) error {
	response, err := client.Gateway.Cancel(client.Context(ctx), &gatewayv1.CancelRequest{TurnId: turnID})
	if err != nil {
		return err
	}
	state := response.GetState()
	return condition("the turn is "+state.String(), state == gatewayv1.TurnState_TURN_STATE_CANCELLED)
}

func checkError(err error, wanted *wantedError) error {
	var failure *parley.Error
	if wanted == nil || !errors.As(err, &failure) {
		return fmt.Errorf("unexpected: %v", err)
	}
	var code codes.Code
	if err := code.UnmarshalJSON([]byte(`"` + wanted.Code + `"`)); err != nil {
		return err
	}
	field := ""
	if len(failure.Violations) > 0 {
		field = failure.Violations[0].Field
	}
	return condition(
		fmt.Sprintf("the error is %s %s %s", failure.Code, failure.Reason, field),
		failure.Code == code && failure.Reason == wanted.Reason && (wanted.Field == "" || field == wanted.Field),
	)
}

func checkOrder(kinds, wanted []string) error {
	place := 0
	for _, kind := range kinds {
		if place < len(wanted) && kind == wanted[place] {
			place++
		}
	}
	return condition(fmt.Sprint("the events came as ", kinds), place == len(wanted))
}

func isContiguous(sequence []uint32) bool {
	for place, number := range sequence {
		if number != uint32(place)+1 {
			return false
		}
	}
	return len(sequence) > 0
}

func isCited(answer *parley.Answer) bool {
	spans := 0
	for _, citation := range answer.Citations {
		for _, span := range citation.GetReferences() {
			spans++
			text := []rune(answer.Passage(span).GetText())
			start, end := int(span.GetSpan().GetStart()), int(span.GetSpan().GetEnd())
			if end > len(text) || string(text[start:end]) != span.GetQuote() {
				return false
			}
		}
	}
	return spans > 0
}

func kindOf(event *gatewayv1.Event) string {
	reflected := event.ProtoReflect()
	field := reflected.WhichOneof(reflected.Descriptor().Oneofs().ByName("event"))
	if field == nil {
		return ""
	}
	return string(field.Name())
}

func nameOf(value, prefix string) string { return strings.ToLower(strings.TrimPrefix(value, prefix)) }

func contains(what, text string, parts []string) error {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return fmt.Errorf("%s: %q is not in %q", what, part, text)
		}
	}
	return nil
}

func containsAny(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

func equal(what string, values, wanted []string) error {
	return condition(fmt.Sprint(what, " are ", values), slices.Equal(values, wanted))
}

func condition(otherwise string, holds bool) error {
	if holds {
		return nil
	}
	return errors.New(otherwise)
}
