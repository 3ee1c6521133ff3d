// Where a source stands is said in words.

import { create } from "@bufbuild/protobuf";
import { PassageSchema } from "@gen/context/v1/evidence_pb.js";
import { expect, test } from "vitest";
import type { Translation } from "../src/i18n";
import { placeOf } from "../src/passage_title";

const words: Translation = (word, values = {}) => `${word} ${values["n"]}`;

test("the cited cells of a sheet are told, else those of the passage", () => {
  const passage = create(PassageSchema, { cells: "Prices!A4:D9" });
  expect(placeOf(passage, "Prices!A5:D5", words)).toBe("Prices!A5:D5");
  expect(placeOf(passage, "", words)).toBe("Prices!A4:D9");
});

test("what has no cells has a page, or neither", () => {
  expect(placeOf(create(PassageSchema, { page: 3 }), "", words)).toBe("page 3");
  expect(placeOf(create(PassageSchema, {}), "", words)).toBe("");
});
