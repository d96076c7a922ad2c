/** docs/authentication-*.md: options that say who gets in. */
import assert from "node:assert/strict";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";

const secret = "use at least thirty-two random characters";

// docs/authentication-dpop.md
{
  const storage = memoryStorage();
  const identity = await createIdentityService({ storage, secret, publicUrl: "https://id.example.com/identity" });
  await identity.close();
}

// docs/authentication-login.md
{
  const storage = memoryStorage();
  const identity = await createIdentityService({
    storage,
    secret,
    cookies: { path: "/identity", sameSite: "Strict" }, // also secure, domain
    trustedOrigins: ["https://app.example.com"],
  });
  const { application } = await identity.applications.create({ application: { name: "Shop" } });
  await identity.users.create({ user: { email: "ann@example.com", password: "correct horse" } });
  const { status, headers } = await identity.inject({
    method: "POST",
    url: "/api/login",
    headers: { authorization: await makeKey(identity), "content-type": "application/json" },
    body: JSON.stringify({ loginId: "ann@example.com", password: "correct horse", applicationId: application.id }),
  });
  assert.equal(status, 202);
  assert.match(String(headers["set-cookie"]), /access_token=[^;]+; .*Path=\/identity.*SameSite=Strict/);
  await identity.close();
}

// docs/authentication-oauth.md
{
  const storage = memoryStorage();
  const entityPermissions = { "groups:read": ["GET:/api/group", "GET:/api/group/search"] };
  const identity = await createIdentityService({ storage, secret, entityPermissions });
  await identity.close();
}

// docs/authentication-system.md
{
  const storage = memoryStorage();
  const identity = await createIdentityService({
    storage,
    secret,
    throttle: {
      login: { maxFailures: 5, lockSeconds: 300 }, // what is left out keeps its default
      twoFactor: { maxFailuresPerSubject: Infinity },
      clientSecret: false, // counts none
    },
  });
  await identity.close();
}

async function makeKey(identity: Awaited<ReturnType<typeof createIdentityService>>): Promise<string> {
  return (await identity.apiKeys.create({ apiKey: { name: "Guide" } })).apiKey.key ?? "";
}
