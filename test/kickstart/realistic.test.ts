import { fileURLToPath } from "node:url";
import { memoryStorage } from "latchkey/memory";
import type { Storage } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { expect } from "vitest";
import { expectOk } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { startWorld } from "../support/world.js";

const kickstart = fileURLToPath(new URL("../../examples/kickstart/kickstart.json", import.meta.url));

/** Where the records of the kickstart are seen, the member that lists them, and how many there are. */
const lists: readonly (readonly [path: string, member: string, count: number])[] = [
  ["/api/webhook", "webhooks", 12],
  ["/api/lambda", "lambdas", 15],
  ["/api/email/template", "emailTemplates", 6],
  ["/api/key", "keys", 5],
  ["/api/ip-acl/search", "ipAccessControlLists", 3],
  ["/api/entity/search", "entities", 6],
  ["/api/entity/type", "entityTypes", 3],
  ["/api/consent", "consents", 1],
  ["/api/form", "forms", 2],
  ["/api/tenant", "tenants", 2],
  ["/api/group", "groups", 1],
];

// Keys and secrets are made with fresh randomness and ids of records that name none are fresh; everything else must be alike.
const fresh =
  /"clientSecret":"[\w-]{43}"|"(?:kid|publicKey|insertInstant|lastUpdateInstant)":(?:"(?:[^"\\]|\\.)*"|\d+)|[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/g;

async function answersOn(storage: Storage): Promise<readonly string[]> {
  const world = await startWorld(storage, { kickstart });
  expect(world.log).toEqual([]);
  const answers: string[] = [];
  for (const [path, member, count] of lists) {
    const answer = expectOk(await world.caller.get(path));
    expect([path, (answer.at(member) as readonly unknown[]).length]).toEqual([path, count]);
    answers.push(answer.text);
  }
  const fields = expectOk(await world.caller.get("/api/form/field"));
  const custom = (fields.at("fields") as readonly { readonly id: string }[]).filter((field) => field.id.startsWith("50000000-"));
  expect(custom).toHaveLength(20);
  answers.push(fields.text, expectOk(await world.caller.get("/api/integration")).text);
  return answers.map((text) => text.replace(fresh, ""));
}

requirement(
  "kickstart.realistic",
  "the kickstart of examples/ loads on memory and SQLite, and the answers are the same",
  async () => {
    expect(await answersOn(sqliteStorage({ filename: ":memory:" }))).toEqual(await answersOn(memoryStorage()));
  },
);
