import type { Area } from "../../app/area.js";

/** What happens at the moment. */
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
