import { readFileSync } from "node:fs";
import { createClient, unwrap } from "latchkey/client";
import { memoryStorage } from "latchkey/memory";
import { describe, expect, test } from "vitest";
import { addTag, listNames, makeGroup } from "../../examples/client.js";
import { bootstrapKey, startWorld } from "../support/world.js";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/** A text without indentation, to be looked for in another. */
const flat = (text: string): string => text.replace(/^ +/gm, "").trim();

test("the snippets of docs/client.md are parts of the example", () => {
  const snippets = [...read("docs/client.md").matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => flat(code));
  expect(snippets.length).toBeGreaterThanOrEqual(7);
  const example = flat(read("examples/client.ts"));
  for (const snippet of snippets) expect(example).toContain(snippet);
});

describe("examples/client.ts", () => {
  test("distinguishes a taken name, an unknown user and a concurrently changed group", async () => {
    const { identity } = await startWorld(memoryStorage());
    const client = createClient({ inject: identity.inject, apiKey: bootstrapKey });
    const groupId = await makeGroup(client, "Editors");
    expect(await makeGroup(client, "editors")).toBe("editors is taken");
    const stranger = createClient({ inject: identity.inject, apiKey: "nobody's", retry: false });
    expect(await makeGroup(stranger, "Others")).toBe("refused 401 [unauthorized]");
    expect(await addTag(client, groupId, "staff")).toBe(true);
    const meanwhile: typeof identity.inject = async (request) => {
      if (request.method === "PATCH") await identity.groups.patch({ groupId, patch: { group: { data: { seen: true } } } });
      return identity.inject(request);
    };
    expect(await addTag(createClient({ inject: meanwhile, apiKey: bootstrapKey }), groupId, "late")).toBe(false);
    expect(unwrap(await client.groups.retrieve({ groupId })).group.data).toEqual({ seen: true, tags: ["staff"] });
    expect(await listNames(client)).toEqual(["Editors"]);
  });
});
