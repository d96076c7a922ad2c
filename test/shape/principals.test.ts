// A front door never acts as the host: the sign-in pages, protocols and the console call as visitors, clients and persons.
import { expect, test } from "vitest";
import { readSourceFiles, withoutComments } from "./source-files.js";

/** What acts with all rights, and why. */
const hosts: Readonly<Record<string, string>> = {
  "src/configuration/documents/configure.ts": "applies the documents of the embedder",
  "src/http/authenticate/principal.ts": "declares it",
  "src/index.ts": "the embedder passes it to handle() and as()",
  "src/service.ts": "makes the in-process API of the embedder",
  "src/service/audit/audit-changes.ts": "names who removed old entries",
};

const shape = /\bhostPrincipal\b|\bkind: "host"/;

test("only the in-process API of the embedder and the service act as the host", () => {
  const found = readSourceFiles("src", "adapters").filter(({ text }) => shape.test(withoutComments(text)));
  expect(found.map(({ path }) => path).sort()).toEqual(Object.keys(hosts));
});

/** The families of the embedder's API, which act as the host. */
const families =
  /\bidentity\.(?:accessLists|api\w+|applications?\w*|audit\w*|connectors|groups?\w*|jwt|registrations|tenants|users?\w*)\b/;

test("no front door calls the embedder's own API: it takes one of identity.as", () => {
  const doors = readSourceFiles("adapters/console", "adapters/oidc", "adapters/saml", "adapters/scim");
  const parts = /\(\{[^)]*\b(?:applications|registrations|tenants|users)\b[^)]*\}: IdentityService\b/;
  const found = doors.filter(({ text }) => families.test(withoutComments(text)) || parts.test(withoutComments(text)));
  expect(found.map(({ path }) => path)).toEqual([]);
  expect(
    ["await identity.users.search({});", "this.#identity.applications.patch({})"].filter((text) => !families.test(text)),
  ).toEqual([]);
});

test("the check finds an import of the host, and one that a file makes up", () => {
  const made = ['import { hostPrincipal } from "latchkey";', 'const principal: Principal = { kind: "host" };'];
  expect(made.filter((text) => !shape.test(text))).toEqual([]);
});
