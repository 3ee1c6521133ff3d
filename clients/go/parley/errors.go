package parley

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Error is a failed call.
type Error struct {
	// Code is the gRPC status.
	Code codes.Code
	// Reason is a name of ErrorReason without its prefix; empty if the connection failed.
	Reason string
	// Message is for people.
	Message string
	// Metadata says what the reason is about.
	Metadata map[string]string
	// RetryAfter is the time after which the call may succeed; 0 if nothing is known.
	RetryAfter time.Duration
	// Violations are the fields of the request that break rules.
	Violations []Violation

	cause error
}

// Violation is a field that breaks a rule.
type Violation struct {
	// Field is its path, such as "options.collection".
	Field       string
	Description string
}

func (failure *Error) Error() string {
	text := failure.Message
	if len(failure.Violations) > 0 {
		var fields []string
		for _, violation := range failure.Violations {
			fields = append(fields, violation.Field+": "+violation.Description)
		}
		text = strings.Join(fields, "; ")
	}
	if failure.Reason == "" {
		return fmt.Sprintf("parley: %s: %s", failure.Code, text)
	}
	return fmt.Sprintf("parley: %s (%s)", text, failure.Reason)
}

// Unwrap returns the status as gRPC gave it.
func (failure *Error) Unwrap() error { return failure.cause }

// IsReason says whether an error was sent by the suite for this reason, such as "DOCUMENT_NOT_FOUND".
func IsReason(err error, reason string) bool {
	var failure *Error
	return errors.As(err, &failure) && failure.Reason == reason
}

// errorOf reads the details of a failed call; nil stays nil.
func errorOf(err error) error {
	if err == nil {
		return nil
	}
	state, _ := status.FromError(err)
	failure := &Error{Code: state.Code(), Message: state.Message(), cause: err}
	for _, detail := range state.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			failure.Reason, failure.Metadata = detail.GetReason(), detail.GetMetadata()
		case *errdetails.RetryInfo:
			failure.RetryAfter = detail.GetRetryDelay().AsDuration()
		case *errdetails.BadRequest:
			for _, each := range detail.GetFieldViolations() {
				failure.Violations = append(failure.Violations, Violation{each.GetField(), each.GetDescription()})
			}
		}
	}
	return failure
}
