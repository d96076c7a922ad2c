import type { Area } from "../../app/area.js";
import { familyRoutes } from "../records/family-routes.js";

/** The area for forms and their fields. */
export const forms: Area = {
  name: "forms",
  group: "content",
  icon: "forms",
  path: "/forms",
  label: { en: "Forms", de: "Formulare" },
  requires: { method: "GET", path: "/api/form" },
  messages: { en: () => import("./messages.en.json"), de: () => import("./messages.de.json") },
  routes: [
    ...familyRoutes("/forms/fields", async () => (await import("./form-rows.js")).fieldRow),
    ...familyRoutes("/forms", async () => (await import("./form-rows.js")).formRow),
  ],
};
