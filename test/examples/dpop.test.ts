import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createProver, startServer } from "../../examples/dpop.js";
import { ProofKeys, verifyProof } from "../../src/sessions/tokens/dpop-proof.js";

test("examples/dpop.ts does what it says against a listening server", async () => {
  const sources = new URL("../storage/support/resolve-sources.ts", import.meta.url).href;
  const example = fileURLToPath(new URL("../../examples/dpop.ts", import.meta.url));
  const run = promisify(execFile)(process.execPath, ["--import", sources, example]);
  expect(await run).toMatchObject({ stdout: "200 DPoP\n200\n401\n401\n", stderr: "" });
});

test("the proofs of examples/dpop.ts are good, each of them new", async () => {
  const prove = createProver();
  const target = { method: "GET", url: "http://127.0.0.1/api/jwt/validate", now: Date.now() };
  const proofs = await Promise.all([0, 1].map(() => verifyProof(new ProofKeys(), prove(target.method, target.url), target)));
  expect(new Set(proofs.map((proof) => proof?.jti)).size).toBe(2);
  const { thumbprint = "" } = proofs[0] ?? {};
  const bound = { token: "a-token", thumbprint };
  const proof = prove(target.method, target.url, "a-token");
  expect(await verifyProof(new ProofKeys(), proof, { ...target, bound })).toMatchObject({ thumbprint });
});

test("the server of examples/dpop.ts has an entity with credentials", async () => {
  const { server, root, credentials } = await startServer();
  expect(credentials).toMatch(/^Basic [\w+/]+=*$/);
  expect((await fetch(`${root}/api/entity`)).status).toBe(401);
  server.closeAllConnections();
  server.close();
});
