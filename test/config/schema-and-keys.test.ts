import { schemaHistory } from "latchkey";
import { expect, test } from "vitest";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, forEachStorage } from "../support/world.js";

test("the history of the schema names each version once, in order, with the tables that came with it", () => {
  const history = schemaHistory();
  expect(history.map(({ version }) => version)).toEqual(history.map((_, index) => index + 1));
  expect(history[0]?.changes).toContain("table groups");
  expect(history.flatMap(({ changes }) => changes)).toContain("index groups (nameFolded)");
});

forEachStorage((start) => {
  requirement("api-key.list", "the host and managers of keys list API keys, and nobody else", async () => {
    const { identity } = await start();
    await identity.apiKeys.create({ apiKey: { key: "a-key-of-no-manager", name: "Other" } });
    const { apiKeys } = await identity.apiKeys.list();
    expect(apiKeys).toMatchObject([
      { name: expect.stringMatching(/^Bootstrap /) },
      { name: "Other", key: "a-key-of-no-manager" },
    ]);
    const manager = await identity.findPrincipal(bootstrapKey);
    const other = await identity.findPrincipal("a-key-of-no-manager");
    if (manager === undefined || other === undefined) throw new Error("Both keys are there.");
    expect((await identity.as(manager).apiKeys.list()).apiKeys).toHaveLength(2);
    await expect(identity.as(other).apiKeys.list()).rejects.toMatchObject({ status: 401 });
  });
});
