// The key that signs ID tokens where nobody names one.
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { testSecret } from "../support/world.js";
import { headerOf } from "./support/discovery.js";
import { addClient, completeLogin, discover, listen, startProvider } from "./support/provider.js";

requirement("openid.default-key", "ID tokens are signed by RS256, which client libraries expect", async () => {
  const world = await startProvider(memoryStorage());
  const config = await discover(world);
  expect(config.serverMetadata().id_token_signing_alg_values_supported).toEqual(["RS256"]);
  const { access_token, id_token = "" } = await completeLogin(config);
  expect([headerOf(id_token).alg, headerOf(access_token).alg]).toEqual(["RS256", "ES256"]);
  const { keys } = await world.identity.keys.list();
  const key = keys.find(({ name }) => name === "Default ID token key");
  await expect(world.identity.keys.remove({ keyId: key?.id ?? "" })).rejects.toMatchObject({ status: 400 });
});

requirement("openid.default-key", "clients of a storage that an earlier release served keep their algorithm", async () => {
  const storage = memoryStorage();
  const before = await createIdentityService({ storage, secret: testSecret, delivery: false });
  await before.applications.create({ application: { name: "Earlier" } });
  const world = await addClient(await listen(storage));
  expect((await discover(world)).serverMetadata().id_token_signing_alg_values_supported).toEqual(["ES256"]);
});
