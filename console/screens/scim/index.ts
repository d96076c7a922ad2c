import type { Area } from "../../app/area.js";

/** The area for directories that provision users and groups by SCIM. */
export const scim: Area = {
  name: "scim",
  group: "access",
  icon: "imports",
  path: "/scim",
  label: { en: "Directories (SCIM)", de: "Verzeichnisse (SCIM)" },
  requires: { method: "GET", path: "/api/tenant" },
  messages: { en: () => import("./messages.en.json"), de: () => import("./messages.de.json") },
  routes: [{ path: "/scim", screen: () => import("./scim.js") }],
};
