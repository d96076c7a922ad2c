import type { Area } from "../../app/area.js";

/** The area for bulk imports of users. */
export const imports: Area = {
  name: "imports",
  group: "people",
  icon: "imports",
  path: "/imports",
  label: { en: "Imports", de: "Importe" },
  key: "i",
  requires: { method: "GET", path: "/api/user/import/job" },
  messages: { en: () => import("./messages.en.json"), de: () => import("./messages.de.json") },
  routes: [
    { path: "/imports", screen: () => import("./imports-list.js") },
    { path: "/imports/new", screen: () => import("./import-new.js") },
    { path: "/imports/:id", screen: () => import("./import-job.js") },
  ],
};
