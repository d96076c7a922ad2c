import type { Area } from "../../app/area.js";

/** Pages of the host: the navigation has an entry for each of its own. */
export const extension: Area = {
  name: "extension",
  group: "system",
  icon: "applications",
  label: { en: "Extension", de: "Erweiterung" },
  messages: {},
  routes: [{ path: "/extension/:id", screen: () => import("./extension.js") }],
};
