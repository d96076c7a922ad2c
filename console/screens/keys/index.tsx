import type { Area } from "../../app/area.js";
import { loadMessages, type MessageSource } from "../../kit/i18n.js";
import { familyRoutes, withRecords } from "../records/family-routes.js";

const messages: MessageSource = { en: () => import("./messages.en.json"), de: () => import("./messages.de.json") };
const [, apiKeyRecord] = familyRoutes("/api-keys", async () => {
  await loadMessages("keys", messages);
  return (await import("./api-key-row.js")).apiKeyRow;
});

/** The area for API keys, which authenticate callers of the API. */
export const apiKeys: Area = {
  name: "apiKeys",
  group: "access",
  icon: "keys",
  path: "/api-keys",
  label: { en: "API keys", de: "API-Schlüssel" },
  requires: { method: "GET", path: "/api/api-key" },
  messages,
  routes: [
    { path: "/api-keys", screen: () => withKeys(import("./api-key-list.js").then(({ ApiKeyList }) => ApiKeyList)) },
    { path: "/api-keys/new", screen: () => withKeys(import("./api-key-new.js").then(({ ApiKeyNew }) => ApiKeyNew)) },
    ...(apiKeyRecord === undefined ? [] : [apiKeyRecord]),
  ],
};

// Both areas use the messages of `keys`.
async function withKeys(screen: Parameters<typeof withRecords>[0]) {
  await loadMessages("keys", messages);
  return withRecords(screen);
}

/** The area for signing keys, which sign tokens and webhooks. */
export const keys: Area = {
  name: "keys",
  group: "access",
  icon: "keys",
  path: "/keys",
  label: { en: "Signing keys", de: "Signaturschlüssel" },
  requires: { method: "GET", path: "/api/key" },
  messages,
  routes: [
    { path: "/keys/new", screen: () => withKeys(import("./new-key.js").then(({ NewKey }) => NewKey)) },
    ...familyRoutes("/keys", async () => (await import("./key-row.js")).keyRow),
  ],
};
