import { globalScope } from "latchkey/ports";
import { describe, expect, onTestFinished } from "vitest";
import { entityGrantsTable } from "../../src/records/entity-grants/family.js";
import { expectOk } from "../support/answer.js";
import { grantOn, grantPath, type Mall, startMall } from "../support/grants.js";
import { expectDocumented, hostileTexts, withTextAt } from "../support/hostile.js";
import { cases, fc } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, type Start } from "../support/world.js";

const fields = [
  "grant",
  "grant.data",
  "grant.data.key",
  "grant.permissions",
  "grant.permissions.0",
  "grant.recipientEntityId",
  "grant.userId",
];

function snapshot({ world: { storage } }: Mall): Promise<unknown> {
  return storage.find(globalScope, entityGrantsTable, undefined);
}

async function startAttacked(start: Start): Promise<Mall> {
  const mall = await startMall(start);
  expectOk(await grantOn(mall, { userId: mall.ann, permissions: ["read", "admin"], data: { a: 1 } }));
  onTestFinished(() => expect(mall.world.log).toEqual([]));
  return mall;
}

async function expectAllOrNothing(mall: Mall, method: string, text: string): Promise<void> {
  const before = await snapshot(mall);
  const answer = await mall.caller.send(method, grantPath(mall.api), text);
  expectDocumented(answer, { method, text });
  if (answer.status >= 400) expect({ method, text, after: await snapshot(mall) }).toEqual({ method, text, after: before });
  else expect({ method, text, body: answer.text }).toEqual({ method, text, body: "" });
}

forEachStorage((start) => {
  describe.each(["POST", "PUT"])("%s of a grant", (method) => {
    requirement(["errors.never-500", "errors.nothing-half-done"], "withstands every hostile value in every field", async () => {
      const mall = await startAttacked(start);
      for (const grant of [{ userId: mall.ann, permissions: ["read"] }, { recipientEntityId: mall.client }])
        for (const field of fields)
          for (const text of hostileTexts) await expectAllOrNothing(mall, method, withTextAt({ grant }, field.split("."), text));
    });

    requirement("errors.never-500", "withstands any JSON", async () => {
      const mall = await startAttacked(start);
      const ids = fc.constantFrom(mall.api, mall.client, mall.ann, mall.foreignUser, mall.foreignClient, "x", "", null);
      const names = fc.constantFrom("read", "READ", "write", "constructor", "", null, 7);
      const permissions = fc.oneof(fc.array(names, { maxLength: 4 }), fc.jsonValue({ maxDepth: 1 }));
      const data = fc.jsonValue({ maxDepth: 2 });
      const grant = fc.record({ permissions, data, userId: ids, recipientEntityId: ids }, { requiredKeys: [] });
      const body = fc.oneof(
        grant.map((value) => ({ grant: value })),
        fc.jsonValue(),
      );
      await fc.assert(
        fc.asyncProperty(body, (value) => expectAllOrNothing(mall, method, JSON.stringify(value))),
        cases(150),
      );
    });
  });
});
