// Names are made of words that a newcomer can search for. `npm run language` checks the prose as well.
import { expect } from "vitest";
import { findFaults } from "../../scripts/language/compare.js";
import exempt from "../../scripts/language/exemptions.json" with { type: "json" };
import { nameFindings } from "../../scripts/language/findings.js";
import { readSources } from "../../scripts/measures/sources.js";
import { requirement } from "../support/requirement.js";
import { root } from "./source-files.js";

requirement(
  "docs.language",
  "exported names and files are named with words of docs/glossary.md or scripts/language/words.txt",
  () => {
    const found = nameFindings(root, readSources(root, "src", "adapters"));
    expect(findFaults({ ...found, pages: {}, counts: {} }, exempt)).toEqual([]);
  },
);
