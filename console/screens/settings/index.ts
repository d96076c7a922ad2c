import type { Area, ScreenRoute } from "../../app/area.js";
import { loadMessages, type MessageSource } from "../../kit/i18n.js";
import { familyRoutes, withRecords } from "../records/family-routes.js";

const messages: MessageSource = { en: () => import("./messages.en.json"), de: () => import("./messages.de.json") };

// These areas share their messages.
async function withSettings(screen: Parameters<typeof withRecords>[0]): ReturnType<ScreenRoute["screen"]> {
  await loadMessages("settings", messages);
  return withRecords(screen);
}

const shared = { group: "system", messages } as const;

/** The area for integrations: moderation, message broker, text messages. */
export const integrations: Area = {
  ...shared,
  name: "integrations",
  icon: "settings",
  path: "/integrations",
  label: { en: "Integrations", de: "Integrationen" },
  requires: { method: "GET", path: "/api/integration" },
  routes: [
    { path: "/integrations", screen: () => withSettings(import("./integrations.js").then(({ Integrations }) => Integrations)) },
    ...familyRoutes("/messengers", async () => {
      await loadMessages("settings", messages);
      return (await import("./messenger-row.js")).messengerRow;
    }),
  ],
};

/** The area for configuration as a document. */
export const configuration: Area = {
  ...shared,
  name: "configuration",
  icon: "settings",
  path: "/configuration",
  label: { en: "Configuration", de: "Konfiguration" },
  routes: [
    {
      path: "/configuration",
      screen: () => withSettings(import("./configuration.js").then(({ ConfigurationScreen }) => ConfigurationScreen)),
    },
  ],
};

/** The area for the state of the service. */
export const system: Area = {
  ...shared,
  name: "system",
  icon: "system",
  path: "/system",
  label: { en: "System", de: "System" },
  requires: { method: "GET", path: "/api/status" },
  routes: [{ path: "/system", screen: () => withSettings(import("./system.js").then(({ SystemScreen }) => SystemScreen)) }],
};
