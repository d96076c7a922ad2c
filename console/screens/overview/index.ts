import type { Area } from "../../app/area.js";

/** The area for the current activity of the service. */
export const overview: Area = {
  name: "overview",
  group: "home",
  icon: "overview",
  path: "/",
  label: { en: "Overview", de: "Übersicht" },
  key: "o",
  messages: { en: () => import("./messages.en.json"), de: () => import("./messages.de.json") },
  routes: [{ path: "/", screen: () => import("./overview.js") }],
};
