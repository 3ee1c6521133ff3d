package parley

import (
	"context"
	"errors"
	"io"
	"iter"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"github.com/parley-qa/parley/clients/go/gen/contextv1"
	"github.com/parley-qa/parley/clients/go/gen/gatewayv1"
)

// cancelTime is the greatest time of telling the suite that the user cancelled.
const cancelTime = 2 * time.Second

// eventStream is a stream of Ask or Resume.
type eventStream interface {
	Recv() (*gatewayv1.Event, error)
	Trailer() metadata.MD
}

type askStream struct {
	grpc.ServerStreamingClient[gatewayv1.AskResponse]
}

func (stream askStream) Recv() (*gatewayv1.Event, error) {
	response, err := stream.ServerStreamingClient.Recv()
	return response.GetEvent(), err
}

type resumeStream struct {
	grpc.ServerStreamingClient[gatewayv1.ResumeResponse]
}

func (stream resumeStream) Recv() (*gatewayv1.Event, error) {
	response, err := stream.ServerStreamingClient.Recv()
	return response.GetEvent(), err
}

// Ask asks a question and yields the events of its turn, each once, with the last pair holding the error if it failed.
//
// If the connection breaks, the turn is resumed at any gateway that can be reached. If a stage restarts or the suite is
// busy, the turn is asked again by the same request id, as long as nothing of an answer was yielded; the events then
// have another turn id, and hold in place of those before. If the turn's gateway went down, another one runs the turn
// anew: after a restarted event, what was yielded before is void. Leaving the loop, or ending the context, cancels the turn.
func (client *Client) Ask(ctx context.Context, request *gatewayv1.AskRequest) iter.Seq2[*gatewayv1.Event, error] {
	return func(yield func(*gatewayv1.Event, error) bool) {
		turn := newAttempts(request)
		defer client.cancelUnlessEnded(turn)
		err := client.follow(ctx, turn, yield)
		if err != nil && !errors.Is(err, errLeft) {
			turn.isComplete = ctx.Err() == nil // the suite has ended it
			yield(nil, err)
		}
	}
}

// errLeft says that the caller wants no more events.
var errLeft = errors.New("left")

// follow yields the events of all calls of a turn.
func (client *Client) follow(
	ctx context.Context, turn *attempts, yield func(*gatewayv1.Event, error) bool,
) error {
	resumes := false
	for {
		trailer, err := client.events(ctx, turn, resumes, yield)
		if err == nil || errors.Is(err, errLeft) || ctx.Err() != nil {
			return err
		}
		var pause time.Duration
		var goesOn bool
		if resumes, pause, goesOn = turn.next(err, trailer); !goesOn {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return err
		}
	}
}

// events yields the new events of one call.
func (client *Client) events(
	ctx context.Context, turn *attempts, resumes bool, yield func(*gatewayv1.Event, error) bool,
) (metadata.MD, error) {
	ctx, cancel := context.WithCancel(client.Context(ctx))
	defer cancel()
	stream, err := client.open(ctx, turn, resumes)
	if err != nil {
		return nil, errorOf(err)
	}
	for {
		event, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		if err != nil {
			return stream.Trailer(), errorOf(err)
		}
		if turn.isNew(event) && !yield(event, nil) {
			return nil, errLeft
		}
	}
}

func (client *Client) open(ctx context.Context, turn *attempts, resumes bool) (eventStream, error) {
	if resumes {
		request := &gatewayv1.ResumeRequest{TurnId: turn.turnID, AfterSeq: turn.seq}
		stream, err := client.Gateway.Resume(ctx, request)
		return resumeStream{stream}, err
	}
	stream, err := client.Gateway.Ask(ctx, turn.request)
	return askStream{stream}, err
}

// cancelUnlessEnded tells the suite that nobody wants the turn any more.
func (client *Client) cancelUnlessEnded(turn *attempts) {
	if turn.turnID == "" || turn.isComplete {
		return
	}
	ctx, cancel := context.WithTimeout(client.Context(context.Background()), cancelTime)
	defer cancel()
	_, _ = client.Gateway.Cancel(ctx, &gatewayv1.CancelRequest{TurnId: turn.turnID})
}

// Answer is what a turn came to.
type Answer struct {
	TurnID, SessionID string
	// Context is the encoded conversation, if the suite does not store it.
	Context string
	// Standalone is the question with what it leaves to the conversation filled in.
	Standalone string
	// Text is CommonMark with citation markers such as [1].
	Text            string
	Outcome         contextv1.Outcome
	References      []*contextv1.Reference
	Citations       []*contextv1.Citation
	Images          []*contextv1.PlacedImage
	Timeline        *contextv1.Timeline
	Recommendations []string
	Degraded        []*contextv1.Degraded
	Usage           *gatewayv1.UsageEvent
}

// Passage returns the passage that a citation's span is from; nil if the references do not hold it.
func (answer *Answer) Passage(span *contextv1.CitedSpan) *contextv1.Passage {
	for _, reference := range answer.References {
		if passage := reference.GetEvidence().GetPassage(); passage.GetPassageId() == span.GetPassageId() {
			return passage
		}
	}
	return nil
}

// AskWhole asks a question and waits for the whole answer. Ask says how a turn outlasts failures.
func (client *Client) AskWhole(ctx context.Context, request *gatewayv1.AskRequest) (*Answer, error) {
	answer := &Answer{}
	for event, err := range client.Ask(ctx, request) {
		if err != nil {
			return nil, err
		}
		answer.Add(event)
	}
	return answer, nil
}

// Add takes an event in; one of another turn than before, and a restart, begin the answer anew.
func (answer *Answer) Add(event *gatewayv1.Event) {
	if event.GetTurnId() != answer.TurnID || event.GetRestarted() != nil {
		*answer = Answer{TurnID: event.GetTurnId()}
	}
	switch part := event.GetEvent().(type) {
	case *gatewayv1.Event_Condensed:
		answer.Standalone = part.Condensed.GetStandalone()
	case *gatewayv1.Event_References:
		answer.References = part.References.GetReferences()
	case *gatewayv1.Event_Text:
		answer.Text += part.Text.GetDelta()
	case *gatewayv1.Event_TextEnd:
		answer.Text = part.TextEnd.GetText()
	case *gatewayv1.Event_Citation:
		answer.cite(part.Citation)
	case *gatewayv1.Event_Image:
		answer.Images = append(answer.Images, part.Image)
	case *gatewayv1.Event_Timeline:
		answer.Timeline = part.Timeline
	case *gatewayv1.Event_Recommendation:
		answer.Recommendations = part.Recommendation.GetQuestions()
	case *gatewayv1.Event_Degraded:
		answer.Degraded = append(answer.Degraded, part.Degraded)
	case *gatewayv1.Event_Usage:
		answer.Usage = part.Usage
	case *gatewayv1.Event_Completed:
		answer.Outcome, answer.SessionID = part.Completed.GetOutcome(), part.Completed.GetSessionId()
		answer.Context = part.Completed.GetContext()
	}
}

// cite takes a citation in; it replaces an earlier one of the same sentence.
func (answer *Answer) cite(citation *contextv1.Citation) {
	for place, earlier := range answer.Citations {
		if earlier.GetSentence() == citation.GetSentence() {
			answer.Citations[place] = citation
			return
		}
	}
	answer.Citations = append(answer.Citations, citation)
}
