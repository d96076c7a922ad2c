// openapi.json is written from the routes and the types of their operations: `npm run openapi` writes it anew.
import { expect, test } from "vitest";
import { makeDocument } from "./make-document.js";

test("openapi.json says what the routes and the types say", async () => {
  await expect(`${JSON.stringify(makeDocument(), null, 1)}\n`).toMatchFileSnapshot("../../openapi.json");
});
