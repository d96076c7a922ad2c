import express from "express";
import { createIdentityService } from "latchkey";
import { sqliteStorage } from "latchkey/sqlite";

const storage = sqliteStorage({ filename: "identity.db" });
const identity = await createIdentityService({ storage, secret: process.env.LATCHKEY_SECRET });
const app = express().use(express.json());
app.post("/sign-up", async ({ body: { email, password } }, response) => {
  response.json(await identity.users.create({ user: { email, password } }));
});
app.post("/login", async ({ body: { email, password }, ip }, response) => {
  response.json(await identity.logins.login({ loginId: email, password, ipAddress: ip }));
});
app.get("/me", async ({ headers }, response) => {
  const caller = await identity.verifyToken(headers.authorization?.replace("Bearer ", "") ?? "");
  caller ? response.json(caller.claims) : response.sendStatus(401);
});
app.listen(Number(process.env.PORT ?? 3000));
