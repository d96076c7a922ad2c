import { afterAll, describe, expect, vi } from "vitest";
import { routes } from "../../src/families/index.js";
import { Answer } from "../support/answer.js";
import { bodyOperations } from "../support/body-fields.js";
import { expectDocumented, withTextAt } from "../support/hostile.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, onEveryStorage, uuid, type World } from "../support/world.js";

const texts = ["a\u0000b", "\ud800"];
const headerNames = [
  "if-match",
  "if-none-match",
  "user-agent",
  "x-audit-reason",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-request-id",
  "x-service-tenantid",
  "authorization",
  "authentication",
  "cookie",
  "dpop",
  "accept-language",
];
const queryNames = [
  "name",
  "id",
  "orderBy",
  "nextResults",
  "queryString",
  "query",
  "ids",
  "email",
  "username",
  "applicationId",
  "token",
];
const formNames = ["grant_type", "client_id", "client_secret", "scope", "token", "tenantId", "target-entity:x"];
const cookies = ["access_token=", "refresh_token=", "other="];
// Very many requests.
vi.setConfig({ testTimeout: 600_000 });

/** What each request was answered with, on each storage. */
const answers = new Map<string, Map<string, string>>();

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly kind: "text"; readonly text: string };
}

const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };
const encode = (text: string): string => [...text].map((one) => (one.isWellFormed() ? encodeURIComponent(one) : one)).join("");
const quote = (text: string): string => JSON.stringify(text);

function* requestsOf(method: string, pattern: string): Iterable<Sent> {
  const path = pattern.replaceAll(/:\w+/g, uuid(1));
  const body = method === "GET" ? {} : { headers: json, body: { kind: "text", text: "{}" } as const };
  for (const text of texts) {
    const parameters = [...pattern.matchAll(/:\w+/g)].map(([name]) => name);
    for (const name of parameters)
      yield { method, path: pattern.replace(name, encode(text)).replaceAll(/:\w+/g, uuid(1)), ...body };
    for (const name of [...queryNames, ...parameters.map((one) => one.slice(1))])
      yield { method, path, query: `${name}=${encode(text)}`, ...body };
    for (const name of headerNames) yield { method, path, ...body, headers: { ...json, [name]: text } };
    for (const cookie of cookies) yield { method, path, ...body, headers: { ...json, cookie: cookie + text, authorization: "" } };
    if (!pattern.startsWith("/oauth2")) continue;
    for (const name of formNames)
      yield {
        method,
        path,
        headers: form,
        body: { kind: "text", text: `grant_type=client_credentials&${name}=${encode(text)}` },
      };
  }
}

async function send(world: World, storage: string, sent: Sent): Promise<void> {
  const headers = { authorization: bootstrapKey, ...sent.headers };
  const request = { query: "", ...sent, headers, remoteAddress: "127.0.0.1" };
  const response = await world.identity.handle(request);
  if (response === undefined) return;
  // An export that nobody reads takes one of two places.
  for await (const _part of response.stream ?? []) break;
  const answer = new Answer(response);
  const note = JSON.stringify(sent);
  expectDocumented(answer, note);
  const known = answers.get(note) ?? new Map<string, string>();
  known.set(storage, `${answer.status} ${answer.status < 400 ? "" : answer.text}`);
  answers.set(note, known);
}

afterAll(() => {
  const different = [...answers].filter(([, byStorage]) => new Set(byStorage.values()).size > 1);
  expect(different.map(([note, byStorage]) => [note, ...byStorage])).toEqual([]);
});

let storageNumber = 0;

onEveryStorage((start) => {
  const name = `storage ${++storageNumber}`;
  describe("text that some storage cannot keep", () => {
    requirement(
      ["text.one-gate", "errors.never-500"],
      "is refused alike in paths, queries, headers, cookies and forms",
      async () => {
        const world = await start({ trustedProxies: ["127.0.0.1"], auditChanges: true, newId: counting() });
        for (const { method, path } of routes) for (const sent of requestsOf(method, path)) await send(world, name, sent);
        expect(world.log).toEqual([]);
      },
    );

    requirement(["text.one-gate", "errors.unsafe-text"], "is refused in every text of every body", async () => {
      const world = await start({ newId: counting() });
      for (const { base, fields, method, path } of bodyOperations())
        for (const { kind, path: field } of fields)
          for (const text of texts) {
            const value = kind === "list" ? `[${quote(text)}]` : kind === "map" ? `{${quote(text)}:1}` : quote(text);
            const body = { kind: "text", text: withTextAt(base, field, value) } as const;
            await send(world, name, { method, path: path.replaceAll(/\{\w+\}/g, uuid(1)), headers: json, body });
          }
      expect(world.log).toEqual([]);
    });
  });
});

// The same ids on every storage.
function counting(): () => string {
  let count = 0;
  return () => uuid(++count);
}
