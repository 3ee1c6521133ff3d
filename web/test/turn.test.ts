// A turn is what its events say, in whichever pieces they come.

import { create } from "@bufbuild/protobuf";
import { CitationSchema, TextDeltaSchema, Verdict } from "@gen/context/v1/answer_pb.js";
import { Outcome, TurnSchema } from "@gen/context/v1/session_pb.js";
import { type Event, EventSchema } from "@gen/gateway/v1/event_pb.js";
import { expect, test } from "vitest";
import { citedSources, sourcesOf } from "../src/cited_sources";
import { cite, codePoints, MARK, MARK_END } from "../src/tokens";
import { apply, fromStored, markedText, newTurn, paragraphsOf, type Turn } from "../src/turn";

type Content = Parameters<typeof create<typeof EventSchema>>[1] extends infer T ? T : never;

function turnOf(...contents: object[]): Turn {
  const events = contents.map((event, n) => create(EventSchema, { turnId: "t", seq: n + 1, event } as Content) as Event);
  return events.reduce(apply, newTurn("k", "Why?"));
}

const text = (sentence: number, delta: string): object => ({ case: "text", value: create(TextDeltaSchema, { paragraph: 1, sentence, delta }) });
const citation = (sentence: number, more: object = {}): object => ({
  case: "citation",
  value: create(CitationSchema, { sentence, verdict: Verdict.VERIFIED, references: [{ number: 1, passageId: "p", quote: "One." }], ...more }),
});
const end = (words: string): object => ({ case: "textEnd", value: { $typeName: "parley.gateway.v1.TextEndEvent", text: words, gaps: [], engine: "llm" } });

test("pieces of a sentence are joined, and its citation stands at its end", () => {
  const turn = turnOf(text(1, "On"), text(1, "e."), citation(1), text(2, " Two."));
  expect(markedText(turn)).toBe(`One.${cite(1, 1)} Two.`);
});

test("numbers in the text are the citations of their sentence", () => {
  expect(markedText(turnOf(text(1, "One [1]."), citation(1)))).toBe(`One ${cite(1, 1)}.`);
});

test("a withdrawn sentence is gone from the text, and kept apart", () => {
  const turn = turnOf(text(1, "One."), text(2, " Wrong."), citation(2, { verdict: Verdict.WITHDRAWN, replacement: "" }), end("One."));
  expect(markedText(turn)).toBe("One.");
  expect(turn.withdrawn).toEqual(["Wrong."]);
});

test("a replaced sentence keeps its place", () => {
  const turn = turnOf(text(1, "One."), text(2, "\n\nWrong."), citation(2, { replacement: "Right.", references: [] }));
  expect(markedText(turn)).toBe("One.\n\nRight.");
});

test("an event that came before changes nothing", () => {
  const turn = turnOf(text(1, "One."));
  const again = create(EventSchema, { turnId: "t", seq: 1, event: text(1, "One.") } as Content) as Event;
  expect(apply(turn, again)).toBe(turn);
});

test("a turn that is restarted begins anew", () => {
  const restarted = { case: "restarted", value: { $typeName: "parley.gateway.v1.RestartedEvent" } };
  const turn = turnOf(text(1, "One."), citation(1), restarted, text(1, "Two."));
  expect(markedText(turn)).toBe("Two.");
  expect([turn.key, turn.question, turn.id, turn.seq, turn.running]).toEqual(["k", "Why?", "t", 4, true]);
});

test("a final text that differs from the sentences is the text", () => {
  const turn = turnOf(text(1, "One [4]."), citation(1), end("One [1]."));
  expect(markedText(turn)).toBe(`One ${cite(1, 1)}.`);
});

test("a stored turn finds its quotations again, in their order", () => {
  const stored = create(TurnSchema, {
    questionId: "q",
    outcome: Outcome.ANSWERED,
    answer: { text: "**Title** [1]\n\nOne. **Two.**", citations: [{ sentence: 2, references: [{ number: 1, quote: "One." }] }, { sentence: 3, references: [{ number: 2, quote: "Two." }] }] },
  });
  expect(markedText(fromStored("k", stored))).toBe(`**Title** ${cite(0, 1)}\n\nOne.${cite(2, 1)} **Two.**${cite(3, 2)}`);
});

test("the answer is marked, also in a stored turn", () => {
  const words = `${MARK}Two.${MARK_END}`;
  const turn = turnOf(text(1, "- **Two.**"), citation(1, { answers: true, references: [] }));
  expect(markedText(turn)).toBe(`- ${words}`);
  const answer = { text: "**Title** [1]\n\nOne.\n- **Two.**", citations: [{ sentence: 2, answers: true, references: [{ number: 1, quote: "* __Two__." }] }] };
  const stored = create(TurnSchema, { questionId: "q", outcome: Outcome.ANSWERED, answer });
  expect(markedText(fromStored("k", stored))).toBe(`**Title** ${cite(0, 1)}\n\nOne.\n- ${words}${cite(2, 1)}`);
});

test("of quotations in a stored turn that have their marks each is cited once", () => {
  const answer = { engine: "rules", text: "**Title** [1]\n\nOne. Two.[1]", citations: [{ sentence: 2, references: [{ number: 1, quote: "One." }] }, { sentence: 3, references: [{ number: 1, quote: "Two." }] }] };
  const stored = create(TurnSchema, { questionId: "q", outcome: Outcome.ANSWERED, answer });
  expect(markedText(fromStored("k", stored))).toBe(`**Title** ${cite(0, 1)}\n\nOne.${cite(2, 1)} Two.${cite(3, 1)}`);
});

test("brackets in code and behind a backslash are no citations", () => {
  const turn = turnOf(text(1, "Note \\[1] of `rows[1]` [1]."), citation(1), text(2, "\n\n```\nrows[1]\n```"), citation(2, { references: [] }));
  expect(markedText(turn)).toBe(`Note \\[1] of \`rows[1]\` ${cite(1, 1)}.\n\n\`\`\`\nrows[1]\n\`\`\``);
});

test("paragraphs are cut at empty lines, code is not", () => {
  expect(paragraphsOf("One.\n\n```\na\n\nb\n```\n\nTwo.")).toEqual(["One.", "```\na\n\nb\n```", "Two."]);
});

test("a mark stands behind the words of a sentence, before a bar and what is blank, however much that is", () => {
  expect(markedText(turnOf(text(1, "| One |  "), citation(1)))).toBe(`| One${cite(1, 1)} |  `);
  const start = performance.now();
  expect(markedText(turnOf(text(1, `One${" ".repeat(20_000)}two.`), citation(1)))).toContain(`two.${cite(1, 1)}`);
  expect(performance.now() - start).toBeLessThan(500);
});

test("places in a text are counted in code points, as the suite counts them", () => {
  expect(codePoints("a😀b😀c", 1, 4)).toBe("😀b😀");
  expect(codePoints("a😀b", 2)).toBe("b");
  expect(codePoints("ab", 1, 9)).toBe("b");
  expect(codePoints("ab", 2, 1)).toBe("");
});

test("an event of a timeline has the numbers of the answer's sources, which are listed below it", () => {
  const references = [1, 2].map((number) => ({ number, evidence: { passage: { passageId: `p${number}`, documentId: `d${number}` } } }));
  const event = { eventId: "e", sources: [{ passageId: "p2" }, { passageId: "p2" }, { passageId: "p9", documentId: "mail/other.eml" }] };
  const answer = { citations: [{ sentence: 1, references: [{ number: 1, passageId: "p1" }] }] };
  const turn = fromStored("k", create(TurnSchema, { references, answer, timeline: { events: [event] } }));
  expect([...sourcesOf(turn, turn.timeline!.events[0]!).keys()]).toEqual(["2", "other.eml"]);
  expect(citedSources(turn).map(({ number }) => number)).toEqual([1, 2]);
});
