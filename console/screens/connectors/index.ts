import type { Area } from "../../app/area.js";
import { familyRoutes } from "../records/family-routes.js";

/** The area for connectors. Passwords are checked by the service, a directory, or a service of the host. */
export const connectors: Area = {
  name: "connectors",
  group: "access",
  icon: "system",
  path: "/connectors",
  label: { en: "Connectors", de: "Konnektoren" },
  requires: { method: "GET", path: "/api/connector" },
  messages: { en: () => import("./messages.en.json"), de: () => import("./messages.de.json") },
  routes: familyRoutes("/connectors", async () => (await import("./connector-row.js")).connectorRow),
};
