// The table of the calls is written from the routes: `npx vitest run test/client/table -u` writes it again.
import { expect, test } from "vitest";
import { allFamiliesSource, familiesSource } from "../support/client-table.js";

test("adapters/client/families.ts says what the routes say", async () => {
  await expect(familiesSource()).toMatchFileSnapshot("../../adapters/client/families.ts");
});

test("adapters/client/all-families.ts lists every family", async () => {
  await expect(allFamiliesSource()).toMatchFileSnapshot("../../adapters/client/all-families.ts");
});
