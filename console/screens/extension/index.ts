import type { Area } from "../../app/area.js";

/** The area for pages of the host. The navigation has a separate entry for each page. */
export const extension: Area = {
  name: "extension",
  group: "system",
  icon: "applications",
  label: { en: "Extension", de: "Erweiterung" },
  messages: {},
  routes: [{ path: "/extension/:id", screen: () => import("./extension.js") }],
};
