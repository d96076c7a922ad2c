import type { Area } from "../../app/area.js";

/** Tenants and their settings. */
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
    { path: "/tenants/new", screen: () => import("./tenant-edit.js") },
    { path: "/tenants/:id", screen: () => import("./tenant-edit.js") },
  ],
};
