"""Follow-ups from the headings of the evidence: an engine of the task `recommend`."""

from parley.engines import RecommendRequest, RecommendResponse


class HeadingQuestions:
    """Recommends to ask about the sections that the evidence comes from."""

    async def recommend(self, request: RecommendRequest) -> RecommendResponse:
        """Return a question for each section, best evidence first."""
        passages = (evidence.passage for evidence in request.evidence)
        headings = dict.fromkeys(passage.headings[-1] for passage in passages if passage.headings)
        return RecommendResponse(tuple(f"What is said about “{heading}”?" for heading in headings))


def open_engine() -> HeadingQuestions:
    """Return the engine; called once, when the process starts."""
    return HeadingQuestions()
