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

test("the check finds an import of the host, and one that a file makes up", () => {
  const made = ['import { hostPrincipal } from "latchkey";', 'const principal: Principal = { kind: "host" };'];
  expect(made.filter((text) => !shape.test(text))).toEqual([]);
});
