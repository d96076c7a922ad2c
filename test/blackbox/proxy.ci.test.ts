// npm start behind a proxy: who is told apart, and what a start says.
import { afterAll, beforeAll, expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { exchange } from "../transport/support/exchange.js";
import { startServer } from "./support/server.js";
import { createStage, type Stage } from "./support/stage.js";

let stage: Stage;

beforeAll(async () => {
  stage = await createStage();
}, 60_000);

afterAll(() => stage[Symbol.asyncDispose]());

const publicUrl = "https://id.example.com";
const env = {
  DATABASE_URL: "memory:",
  LATCHKEY_API_KEY: "a-key-of-the-test-that-is-long-enough",
  LATCHKEY_PUBLIC_URL: publicUrl,
};

async function forgetPasswords(port: number, address: string, first: number): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let number = first; number < first + 51; number++) {
    const headers = { "x-forwarded-for": address, "content-type": "application/json" };
    const body = JSON.stringify({ loginId: `${number}@example.com` });
    statuses.push((await exchange(port, { method: "POST", path: "/api/user/forgot-password", headers, body })).status);
  }
  return statuses;
}

requirement("server.proxies", "npm start counts the clients of a trusted proxy apart", async () => {
  await using server = await startServer(stage.directory, {
    ...env,
    LATCHKEY_TRUSTED_PROXIES: "1",
    LATCHKEY_CORS_ORIGINS: "https://app.example.com",
  });
  expect(server.complaints()).toBe("");
  expect((await forgetPasswords(server.port, "203.0.113.1", 0)).filter((status) => status === 429)).toHaveLength(1);
  expect((await forgetPasswords(server.port, "203.0.113.2", 100))[0]).toBe(200);
  const headers = { origin: "https://app.example.com" };
  const { headers: answered } = await exchange(server.port, { path: "/.well-known/jwks.json", headers });
  expect(String(answered["access-control-allow-credentials"])).toBe("true");
});

requirement("server.log", "npm start warns once, as JSON, where no proxy is trusted that there seems to be", async () => {
  await using server = await startServer(stage.directory, env);
  const lines = server.complaints().trim().split("\n");
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    level: "warn",
    message: expect.stringContaining("LATCHKEY_TRUSTED_PROXIES"),
  });
});

requirement("server.proxies", "npm start shows its console below the prefix of its public URL", async () => {
  await using server = await startServer(stage.directory, {
    ...env,
    LATCHKEY_PUBLIC_URL: `${publicUrl}/tools`,
    LATCHKEY_TRUSTED_PROXIES: "1",
  });
  const { body, status } = await exchange(server.port, { path: "/admin/users" });
  expect([status, /<base href="([^"]*)"/.exec(body)?.[1]]).toEqual([200, "/tools/admin/"]);
  expect(server.complaints()).toBe("");
});
