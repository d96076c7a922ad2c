// Arguments that a client was not given and writes out as `undefined` (docs/reference/wire.md#the-text-undefined).
import { describe, expect } from "vitest";
import { freeTextParameters } from "../../src/http/transport/read-parameters.js";
import { expectOk } from "../support/answer.js";
import { type DocumentedOperation, documentedOperations } from "../support/openapi-fields.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid } from "../support/world.js";

const queryOf = ({ parameters }: DocumentedOperation): readonly string[] =>
  parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
const fill = (path: string): string => path.replace(/\{\w+\}/g, uuid(900));

/** Query parameters of texts that are no filters of free text. */
const otherTexts = new Set([
  "changePasswordId",
  "email",
  "eventType",
  "kid",
  "locale",
  "nextResults",
  "orderBy",
  "state",
  "verificationId",
]);

/** Answers that differ from call to call. */
const changing = new Set(["/api/prometheus/metrics", "/api/two-factor/secret", "/api/status"]);

requirement("wire.undefined", "each text of a query is known to be free or not", () => {
  const texts = documentedOperations
    .filter(({ method }) => method === "GET")
    .flatMap(({ parameters }) => parameters.filter((parameter) => parameter.in === "query"))
    .filter(({ schema }) => schema?.type === "string" && schema.format === undefined && schema.enum === undefined)
    .map(({ name }) => name);
  expect([...new Set(texts)].filter((name) => !freeTextParameters.has(name) && !otherTexts.has(name))).toEqual([]);
});

forEachStorage((start) => {
  describe("the text undefined", () => {
    requirement("wire.undefined", "counts as absent in every optional parameter of every GET", async () => {
      const { caller } = await start({ version: "1.69.0" });
      expectOk(await caller.post("/api/group", { group: { name: "G" } }));
      for (const operation of documentedOperations.filter(({ method, path }) => method === "GET" && !changing.has(path))) {
        const url = fill(operation.path);
        const without = await caller.get(url);
        for (const name of queryOf(operation).filter((one) => !freeTextParameters.has(one))) {
          const answer = await caller.get(`${url}?${name}=undefined`);
          expect([url, name, answer.status, answer.text]).toEqual([url, name, without.status, without.text]);
        }
        const all = queryOf(operation).map((name) => `${name}=${freeTextParameters.has(name) ? "" : "undefined"}`);
        expect((await caller.get(`${url}?${all.join("&")}`)).text).toBe(without.text);
      }
    });

    requirement("wire.undefined", "is a text like any other where a filter matches free text", async () => {
      const { caller } = await start({ version: "1.69.0" });
      for (const name of ["undefined", "other"]) {
        expectOk(await caller.post("/api/group", { group: { name } }));
        expectOk(await caller.post("/api/user", { user: { username: name } }));
      }
      expect(expectOk(await caller.get("/api/group/search?name=undefined")).at("groups.0.name")).toBe("undefined");
      expect(expectOk(await caller.get("/api/group/search?name=undefined")).at("total")).toBe(1);
      for (const parameter of ["username", "loginId"])
        expect(expectOk(await caller.get(`/api/user?${parameter}=undefined`)).at("user.username")).toBe("undefined");
      expect(expectOk(await caller.get("/api/user/search?queryString=undefined")).at("total")).toBe(1);
      expect(expectOk(await caller.get("/api/user?userId=undefined&email=undefined&username=other")).at("user.username")).toBe(
        "other",
      );
    });

    requirement("wire.undefined", "is refused in every parameter of every other method", async () => {
      const { caller } = await start({ version: "1.69.0" });
      for (const operation of documentedOperations.filter(({ method }) => method !== "GET")) {
        const type = operation.path.startsWith("/oauth2/") ? "application/x-www-form-urlencoded" : "application/json";
        for (const name of queryOf(operation).filter((one) => !freeTextParameters.has(one))) {
          const answer = await caller.send(operation.method, `${fill(operation.path)}?${name}=undefined`, undefined, {
            "content-type": type,
          });
          expect([operation.method, operation.path, answer.status, answer.text]).toEqual([
            operation.method,
            operation.path,
            400,
            expect.stringContaining(`[couldNotConvert]${name}`),
          ]);
        }
      }
    });

    requirement("wire.undefined", "is refused in every path", async () => {
      const { caller } = await start({ version: "1.69.0" });
      for (const { method, path } of documentedOperations)
        for (const [parameter, name = ""] of path.matchAll(/\{(\w+)\}/g)) {
          const answer = await caller.send(method, fill(path.replace(parameter, "undefined")), {});
          const isLookedUp = notUuids.includes(name) || path.indexOf("{") < path.lastIndexOf("{");
          expect([method, path, isLookedUp && answer.status === 404 ? 400 : answer.status]).toEqual([method, path, 400]);
        }
    });
  });
});

/** Parameters of paths that are no UUIDs: numbers of logs, and what a login handed out. */
const notUuids = ["auditLogId", "changePasswordId", "eventLogId", "twoFactorId", "pendingLinkId", "verificationId"];
