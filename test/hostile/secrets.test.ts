import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { sqliteStorage } from "latchkey/sqlite";
import { expect } from "vitest";
import { expectOk } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory, readAllFiles } from "../support/temporary.js";
import { startWorld, uuid } from "../support/world.js";

/** A value that stands nowhere else, by the place where it was planted. */
const canary = (place: string): string => `canary-${place}-0123456789-abcdef-0123456789`;

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const privatePem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const privateLine = privatePem.split("\n")[3] ?? "";

/** Requests that hold secrets, and whether the answer to the caller may show what was sent. */
const plantings: readonly (readonly [place: string, method: "POST" | "PUT", path: string, body: object, isShown: boolean])[] = [
  ["password", "POST", `/api/user/${uuid(1)}`, { user: { email: "a@example.com", password: canary("password") } }, false],
  ["apiKey", "POST", `/api/api-key/${uuid(2)}`, { apiKey: { name: "Canary", key: canary("apiKey") } }, true],
  [
    "webhookPassword",
    "POST",
    `/api/webhook/${uuid(3)}`,
    {
      webhook: {
        url: "https://hooks.example.com/a",
        connectTimeout: 1_000,
        readTimeout: 1_000,
        httpAuthenticationUsername: "u",
        httpAuthenticationPassword: canary("webhookPassword"),
        headers: { Authorization: canary("webhookHeader") },
      },
    },
    true,
  ],
  ["hmac", "POST", `/api/key/import/${uuid(4)}`, { key: { name: "Hmac", algorithm: "HS256", secret: canary("hmac") } }, false],
  ["rsa", "POST", `/api/key/import/${uuid(5)}`, { key: { name: "Rsa", algorithm: "RS256", privateKey: privatePem } }, false],
  ["entityType", "POST", `/api/entity/type/${uuid(6)}`, { entityType: { name: "Service" } }, false],
  [
    "clientSecret",
    "POST",
    `/api/entity/${uuid(7)}`,
    { entity: { name: "Store", type: { id: uuid(6) }, clientSecret: canary("clientSecret") } },
    true,
  ],
  [
    "integrations",
    "PUT",
    "/api/integration",
    {
      integrations: {
        moderation: { enabled: true, url: "https://moderation.example.com", apiKey: canary("moderation") },
        broker: { enabled: true, defaultTopic: "t", producer: { "sasl.jaas.config": canary("producer") } },
      },
    },
    true,
  ],
];

const everySecret = [
  ...["password", "apiKey", "webhookPassword", "webhookHeader", "hmac", "clientSecret", "moderation", "producer"].map(canary),
  privateLine,
];

requirement(
  "secrets.nowhere",
  "secrets stand in no table, file, log, event or error, and in no answer that should not show them",
  async () => {
    const directory = makeDirectory();
    const storage = sqliteStorage({ filename: join(directory, "identity.db") });
    const world = await startWorld(storage);
    for (const [place, method, path, body, isShown] of plantings) {
      const answer = expectOk(await world.caller.send(method, path, body));
      if (!isShown)
        expect({ place, found: everySecret.filter((secret) => answer.text.includes(secret)) }).toEqual({ place, found: [] });
      // The same secret in a request that is refused: unknown fields beside it, a wrong type instead of the name.
      const refused = await world.caller.send(
        method,
        path,
        JSON.parse(JSON.stringify(body).replaceAll('"name":"', '"name":7,"x":"')),
      );
      expect({ place, found: everySecret.filter((secret) => refused.status >= 400 && refused.text.includes(secret)) }).toEqual({
        place,
        found: [],
      });
    }
    const log = JSON.stringify(world.log);
    await world.identity.close();
    const bytes = readAllFiles(directory);
    for (const secret of everySecret)
      expect([secret, log.includes(secret), bytes.includes(secret)]).toEqual([secret, false, false]);
  },
);
