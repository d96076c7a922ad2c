/** docs/moderation.md */
import assert from "node:assert/strict";
import { createIdentityService, IdentityError } from "latchkey";
import { memoryStorage } from "latchkey/memory";

const secret = "use at least thirty-two random characters";

{
  const identity = await createIdentityService({ storage: memoryStorage() });
  process.env.MODERATION_KEY ??= "key";
  await identity.integrations.update({
    integrations: {
      moderation: {
        enabled: true,
        url: "https://moderation.example.com",
        apiKey: process.env.MODERATION_KEY,
        usernameModeration: { enabled: true, applicationId: "7c5a2f4e-5f5c-4f0e-9a52-0d4c5b0a1c11" },
      },
    },
  });
  await identity.close();
}

const storage = memoryStorage();
const isRude = (name: string): boolean => name === "rude";

const identity = await createIdentityService({
  storage,
  secret,
  moderateUsername: async ({ username }) => (isRude(username) ? { action: "reject" } : { action: "allow" }),
});

await assert.rejects(identity.users.create({ user: { username: "rude", password: "correct horse" } }), {
  code: "[moderationRejected]user.username",
});
await identity.users.create({ user: { username: "polite", password: "correct horse" } });

const password = "correct horse battery";
const { user } = await identity.users.create({ user: { email: "robin@example.com", password } });
const [userId, moderatorId] = [user.id, user.id];

{
  const { userAction } = await identity.userActions.create({
    userAction: { name: "Ban", temporal: true, preventLogin: true },
  });
  await identity.userActionLogs.create({
    action: {
      actioneeUserId: userId,
      actionerUserId: moderatorId,
      comment: "Spam in three threads",
      expiry: Date.now() + 7 * 24 * 3_600_000,
      userActionId: userAction.id,
    },
    broadcast: true,
  });
}

try {
  await identity.logins.login({ loginId: "robin@example.com", password });
} catch (error) {
  if (error instanceof IdentityError && error.code === "[loginPrevented]") console.log(error.generalErrors[0]?.data);
}
await identity.close();
