"""What a mail quotes or says in its head, and what a program prints, are no events."""

import pytest

from services.timeline.reading.foreign_lines import is_foreign
from tests.unit.timeline.evidence_making import events_of


@pytest.mark.parametrize(
    "line",
    [
        "> I removed the lock yesterday and the job ran.",
        "From: Ada <ada@example.com>; To: ops@example.com; Date: Mon, 02 Nov 2026 09:14:00 +0100.",
        "Date: Mon, 02 Nov 2026 09:14:00 +0100",
        "On Mon, 02 Nov 2026 09:14:00 +0100, Ada Byron <ada@example.com> wrote:",
        "drwxr-xr-x 2 root root 4096 Nov 28 2025 backups",
        "8a603ddf 2025-04-25 23:00:00 stored daily snapshot /home/user/work",
        "2025-04-25 /var/log/backup.log",
    ],
)
def test_such_a_line_is_foreign(line: str) -> None:
    assert is_foreign(line)


@pytest.mark.parametrize(
    "line",
    [
        "The mail from Ada of 2 November 2026 was lost.",
        "From 1969 to 1972 twelve people walked on the Moon.",
        "2026-03-16 02:10:33 the nightly job failed: the disk was full",
        "1987-06-12: barge hits second pier",
        "- Version: 0.16.3; Released: 2024-01-14; Notes: faster",
        "On 3 May 2024 it was moved to /srv/data.",
    ],
)
def test_what_happened_is_not(line: str) -> None:
    assert not is_foreign(line)


def test_an_answered_mail_tells_what_is_new_in_it() -> None:
    quoted = "On 2 Nov 2026, Ada <a@example.com> wrote:\n> It failed on 31 October 2026.\n"
    mail = f"The host was rebooted on 30 October 2026.\n\n{quoted}"
    assert [event.text for event in events_of(mail)] == ["The host was rebooted on 30 October 2026."]
