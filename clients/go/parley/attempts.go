package parley

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	mathrand "math/rand/v2"
	"strconv"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"github.com/parley-qa/parley/clients/go/gen/gatewayv1"
)

const (
	// Patience is how long a turn is resumed without a further event, or asked again.
	Patience     = 15 * time.Second
	firstPause   = 100 * time.Millisecond
	longestPause = 2 * time.Second
	// retryPause is the time before a turn is asked again where the suite names none.
	retryPause = 500 * time.Millisecond
	// spread is the greatest factor by which a named time is drawn out, so that callers do not come back all at once.
	spread      = 0.25
	pushbackKey = "grpc-retry-pushback-ms"
)

// attempts is one turn over all its calls: it decides what becomes of it when a call fails.
type attempts struct {
	request     *gatewayv1.AskRequest
	turnID      string
	seq         uint32
	isShown     bool // something of an answer came: the turn is not asked again
	isComplete  bool
	hasAnswered bool // an event came in the last call
	isResumed   bool // the last call resumed the turn
	failsSince  time.Time
	breaks      int
}

// newAttempts copies the request, and makes it one that can be resumed and asked again.
func newAttempts(request *gatewayv1.AskRequest) *attempts {
	request = proto.Clone(request).(*gatewayv1.AskRequest)
	if request.RequestId == "" {
		id := make([]byte, 16)
		_, _ = rand.Read(id) // never fails
		request.RequestId = hex.EncodeToString(id)
	}
	if request.Options == nil {
		request.Options = &gatewayv1.RequestOptions{}
	}
	request.Options.Resumable = true
	return &attempts{request: request}
}

// isNew notes an event; false if the caller has it already.
func (turn *attempts) isNew(event *gatewayv1.Event) bool {
	turn.hasAnswered = true
	if event.GetTurnId() != "" && event.GetTurnId() == turn.turnID && event.GetSeq() <= turn.seq {
		return false
	}
	turn.turnID, turn.seq = event.GetTurnId(), event.GetSeq()
	switch event.GetEvent().(type) {
	case *gatewayv1.Event_References, *gatewayv1.Event_Text, *gatewayv1.Event_TextEnd:
		turn.isShown = true
	case *gatewayv1.Event_Completed:
		turn.isShown, turn.isComplete = true, true
	}
	if turn.isResumed {
		turn.failsSince, turn.breaks = time.Time{}, 0
	}
	return true
}

// next says whether the turn is resumed (or else asked again), and after which pause; false if it is lost.
func (turn *attempts) next(err error, trailer metadata.MD) (resumes bool, pause time.Duration, goesOn bool) {
	if turn.failsSince.IsZero() {
		turn.failsSince = time.Now()
	}
	var failure *Error
	if !errors.As(err, &failure) {
		return false, 0, false
	}
	turn.isResumed = turn.canResume(failure, trailer)
	pause, goesOn = turn.pauseAfter(failure, trailer)
	turn.hasAnswered = false
	if time.Since(turn.failsSince)+pause > Patience {
		goesOn = false
	}
	return turn.isResumed, pause, goesOn
}

func (turn *attempts) canResume(failure *Error, trailer metadata.MD) bool {
	isOfSuite := failure.Reason != "" || len(trailer.Get(pushbackKey)) > 0
	switch failure.Code {
	case codes.Unavailable, codes.Canceled, codes.Internal:
		return turn.turnID != "" && !isOfSuite
	default:
		return false
	}
}

func (turn *attempts) pauseAfter(failure *Error, trailer metadata.MD) (time.Duration, bool) {
	if turn.isResumed {
		turn.breaks++
		return min(firstPause<<min(turn.breaks-1, 8), longestPause), true
	}
	if turn.isShown {
		return 0, false
	}
	if failure.Code == codes.Canceled && failure.Reason == "" {
		return retryPause, true
	}
	if values := trailer.Get(pushbackKey); len(values) > 0 &&
		(failure.Code == codes.Unavailable || failure.Code == codes.ResourceExhausted) {
		milliseconds, err := strconv.Atoi(values[0])
		factor := 1 + spread*mathrand.Float64()
		return time.Duration(float64(milliseconds) * factor * float64(time.Millisecond)), err == nil && milliseconds >= 0
	}
	return retryPause, turn.hasAnswered && failure.Code == codes.Unavailable
}
