/** docs/guards.md, docs/protected-route.md */
import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { createIdentityService } from "latchkey";
import { expressGuards, identityRouter } from "latchkey/express";
import { memoryStorage } from "latchkey/memory";

const applicationId = "10000000-0000-4000-8000-000000000001";
const secret = "use at least thirty-two random characters";

const identity = await createIdentityService({
  storage: memoryStorage(),
  secret,
  cookies: { secure: false }, // for http://localhost alone
});
await identity.applications.create({
  applicationId,
  application: {
    name: "Shop",
    loginConfiguration: { requireAuthentication: false, generateRefreshTokens: true, allowTokenRefresh: true },
    roles: [{ name: "buyer", isDefault: true }, { name: "seller" }],
  },
});

const app = express();
const { requireApiKey, requireRole, requireUser } = expressGuards(identity);

// Sign-up: the app decides who may.
app.post("/sign-up", express.json(), async (request, response) => {
  const { email, password } = request.body ?? {};
  const { user } = await identity.registrations.create({ user: { email, password }, registration: { applicationId } });
  response.status(201).json({ id: user.id });
});

// Login, refresh and logout are the service's: POST /identity/api/login sets cookies.
app.use("/identity", identityRouter(identity));

// A protected route.
app.get("/me", requireUser({ applicationId }), (request, response) => {
  response.json(request.identity);
});

app.get("/orders", requireRole("buyer", { applicationId }), (request, response) => {
  const { identity: caller } = request;
  response.json(caller?.kind === "user" ? caller.roles : []);
});
app.post("/prices", requireRole("seller", { applicationId, fresh: true }), (_request, response) => {
  response.json({});
});
app.get("/reports", requireApiKey(), (_request, response) => {
  response.json({});
});

const running = await listen(app);
const json = { "content-type": "application/json" };
const signUp = JSON.stringify({ email: "robin@example.com", password: "correct horse battery" });
assert.equal((await fetch(`${running}/me`)).status, 401);
assert.equal((await fetch(`${running}/sign-up`, { method: "POST", headers: json, body: signUp })).status, 201);
const login = await fetch(`${running}/identity/api/login`, {
  method: "POST",
  headers: json,
  body: JSON.stringify({ loginId: "robin@example.com", password: "correct horse battery", applicationId }),
});
const cookie = login.headers
  .getSetCookie()
  .map((line) => line.split(";")[0])
  .join("; ");
const { token } = (await login.json()) as { readonly token: string };
assert.equal((await fetch(`${running}/me`, { headers: { cookie } })).status, 200);
const headers = { authorization: `Bearer ${token}` };
assert.deepEqual(await (await fetch(`${running}/orders`, { headers })).json(), ["buyer"]);
assert.equal((await fetch(`${running}/prices`, { method: "POST", headers })).status, 403);
assert.equal((await fetch(`${running}/reports`, { headers })).status, 401);

const caller = await identity.verifyToken(token, { applicationId, fresh: true });
assert.equal(caller?.kind, "user");

{
  const storage = memoryStorage();
  const identity = await createIdentityService({
    storage,
    secret,
    cors: { origins: ["https://app.example.com"], credentials: true, exposedHeaders: ["ETag"] },
  });
  await identity.close();
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

await identity.close();
