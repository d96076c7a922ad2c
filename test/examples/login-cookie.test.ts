import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { nodeHandler } from "latchkey/node";
import { expect, onTestFinished, test } from "vitest";
import { createBrowser, createShop, visit } from "../../examples/login-cookie.js";

const [email, password] = ["ann@example.com", "correct horse battery"];

async function listen(): Promise<string> {
  const identity = await createShop(email, password);
  const server = createServer(nodeHandler(identity));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await identity.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("examples/login-cookie.ts logs a browser in and out by cookies alone", async () => {
  expect(await visit(await listen(), email, password)).toEqual([
    ["before", 401],
    ["log in", 200],
    ["who am I", 200],
    ["refresh", 200],
    ["log out", 200],
    ["after", 401],
  ]);
});

test("examples/login-cookie.ts lets nobody in by a wrong password, nor another site do anything with the cookies", async () => {
  const origin = await listen();
  const send = createBrowser(origin);
  const applicationId = "10000000-0000-4000-8000-000000000001";
  expect((await send("POST", "/api/login", { loginId: email, password: "wrong password", applicationId })).status).toBe(404);
  const login = await send("POST", "/api/login", { loginId: email, password, applicationId });
  const cookie = login.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const headers = { cookie, origin: "https://evil.example", "content-type": "application/json" };
  for (const path of ["/api/jwt/refresh", "/api/logout"])
    expect((await fetch(origin + path, { method: "POST", headers, body: "{}" })).status).toBe(401);
  expect((await fetch(`${origin}/api/jwt/refresh`, { method: "DELETE", headers: { cookie, origin: "null" } })).status).toBe(401);
});
