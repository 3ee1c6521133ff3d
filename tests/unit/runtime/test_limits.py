"""Quotas: what a caller has used up is refused until the next minute or day, and other callers go on."""

import grpc
import pytest
from google.rpc import error_details_pb2

from libs.runtime.errors import QuotaExceeded
from libs.runtime.limits.admission import AdmissionSettings, admission_of
from libs.runtime.limits.callers import DAY, MINUTE, Allowance, CallerLimits, QuotaSettings, count_tokens
from libs.runtime.status import code_of, status_of, trailers_of
from tests.fakes.clock import Clock

MIDNIGHT = 20_000 * DAY


def limits(costly: str = "", ingesting: str = "", **quotas: int) -> CallerLimits:
    """Limits whose callers are the contexts themselves."""
    admission = admission_of(AdmissionSettings())
    return CallerLimits(QuotaSettings(**quotas), admission, str, frozenset([costly]), frozenset([ingesting]))


def test_what_is_over_the_limit_is_refused_until_the_next_period() -> None:
    clock = Clock(MIDNIGHT + 45)
    requests = Allowance("requests_per_minute", 2, MINUTE, clock)
    requests.use("ann", 1)
    requests.use("ann", 1)
    with pytest.raises(QuotaExceeded) as error:
        requests.use("ann", 1)
    assert error.value.retry_after == pytest.approx(15.0)
    requests.use("bob", 1)
    clock.now += 15
    requests.use("ann", 1)


def test_what_was_refused_is_not_counted() -> None:
    stored = Allowance("ingest_bytes_per_day", 100, DAY, Clock(MIDNIGHT))
    stored.use("ann", 60)
    with pytest.raises(QuotaExceeded):
        stored.use("ann", 41)
    stored.use("ann", 40)


def test_without_a_setting_there_are_no_quotas() -> None:
    unlimited = limits(costly="Ask", ingesting="PutDocument")
    for _ in range(1000):
        unlimited.begin("Ask", "ann")
        unlimited.receive("PutDocument", "ann", 1_000_000)
    count_tokens(1_000_000)
    unlimited.begin("Ask", "ann")


def test_tokens_are_counted_after_the_turn_for_whom_it_was_begun() -> None:
    quotas = limits(costly="Ask", tokens_per_day=1000)
    quotas.begin("Ask", "ann")
    count_tokens(1500)
    with pytest.raises(QuotaExceeded, match="tokens_per_day = 1000"):
        quotas.begin("Ask", "ann")
    quotas.begin("ListTurns", "ann")
    quotas.begin("Ask", "bob")


def test_only_the_messages_of_documents_count_as_ingest() -> None:
    quotas = limits(ingesting="PutDocument", ingest_bytes_per_day=100)
    quotas.receive("Search", "ann", 1000)
    quotas.receive("PutDocument", "ann", 100)
    with pytest.raises(QuotaExceeded):
        quotas.receive("PutDocument", "ann", 1)


def test_the_status_names_the_quota_and_the_time_to_wait() -> None:
    error = QuotaExceeded("requests_per_minute", 60, 12.5)
    status = status_of(error)
    assert code_of(error) is grpc.StatusCode.RESOURCE_EXHAUSTED
    details = {detail.TypeName().rpartition(".")[2]: detail.value for detail in status.details}
    failure = error_details_pb2.QuotaFailure.FromString(details["QuotaFailure"])
    info = error_details_pb2.ErrorInfo.FromString(details["ErrorInfo"])
    retry = error_details_pb2.RetryInfo.FromString(details["RetryInfo"])
    assert [violation.subject for violation in failure.violations] == ["requests_per_minute"]
    assert (info.reason, dict(info.metadata)) == ("QUOTA_EXCEEDED", {"quota": "requests_per_minute", "limit": "60"})
    assert retry.retry_delay.ToMilliseconds() == 12_500
    assert ("grpc-retry-pushback-ms", "12500") in trailers_of(error, status)
