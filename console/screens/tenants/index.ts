import type { Area } from "../../app/area.js";
import { loadMessages } from "../../kit/i18n.js";
import { connectors } from "../connectors/index.js";

/** The area for tenants and their settings. */
export const tenants: Area = {
  name: "tenants",
  group: "people",
  icon: "tenants",
  path: "/tenants",
  label: { en: "Tenants", de: "Mandanten" },
  key: "t",
  requires: { method: "POST", path: "/api/tenant/search" },
  messages: { en: () => import("./messages.en.json"), de: () => import("./messages.de.json") },
  routes: [
    { path: "/tenants", screen: () => import("./tenants-list.js") },
    { path: "/tenants/new", screen: showTenant },
    { path: "/tenants/:id", screen: showTenant },
  ],
};

// The connector policies of a tenant need the messages of connectors.
async function showTenant() {
  const [screen] = await Promise.all([import("./tenant-edit.js"), loadMessages("connectors", connectors.messages)]);
  return screen;
}
