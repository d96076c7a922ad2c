import express from "express";
import { createIdentityService } from "latchkey";
import { sqliteStorage } from "latchkey/sqlite";

const storage = sqliteStorage({ filename: "latchkey.db" });
const identity = await createIdentityService({ storage, secret: process.env.LATCHKEY_SECRET });
const applicationId = "20000000-0000-4000-8000-000000000001"; // your app, which the first start creates
const settings = { formatVersion: 1, applications: [{ id: applicationId, name: "My app" }] };
await identity.config.apply(await identity.config.plan(settings));

const app = express().use(express.json());
app.post("/sign-up", async ({ body: { email, password } = {} }, response) => {
  response.json(await identity.registrations.create({ user: { email, password }, registration: { applicationId } }));
});
app.post("/login", async ({ body: { email, password } = {}, ip }, response) => {
  const { token } = await identity.logins.login({ loginId: email, password, applicationId, ipAddress: ip });
  if (token === undefined) response.status(403).json({ message: "This login needs another step." });
  else response.json({ token });
});
app.get("/me", async ({ headers }, response) => {
  const caller = await identity.verifyToken(headers.authorization?.replace("Bearer ", "") ?? "", { applicationId });
  caller ? response.json(caller.claims) : response.sendStatus(401);
});
app.use((error, _request, response, _next) => {
  if (!error.status) console.error(error);
  response.status(error.status ?? 500).json({ message: error.status ? error.message : "Something went wrong." });
});
app.listen(Number(process.env.PORT ?? 3000));
