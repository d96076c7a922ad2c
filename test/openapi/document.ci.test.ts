// openapi.json is written from the routes and the types of their operations: `npm run openapi` writes it again.
import { expect, vi } from "vitest";
import { requirement } from "../support/requirement.js";
import { describeKnownMembers } from "./known-members.js";
import { makeDocument } from "./make-document.js";

// The compiler reads all sources, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

requirement("openapi.derived", "openapi.json says what the routes and the types say", async () => {
  await expect(`${JSON.stringify(await makeDocument(), null, 1)}\n`).toMatchFileSnapshot("../../openapi.json");
});

requirement("in-process.unknown", "known-members.json says what the types of the operations say", async () => {
  const known = `${JSON.stringify(describeKnownMembers(), null, 1)}\n`;
  await expect(known).toMatchFileSnapshot("../../src/operations/known-members.json");
});
