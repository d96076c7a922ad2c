import type { Area } from "../../app/area.js";
import type { MessageSource } from "../../kit/i18n.js";
import { familyRoutes } from "../records/family-routes.js";

const messages: MessageSource = { en: () => import("./messages.en.json"), de: () => import("./messages.de.json") };

/** The area for templates of mails and text messages. */
export const templates: Area = {
  name: "templates",
  group: "content",
  icon: "templates",
  path: "/templates/email",
  label: { en: "Email templates", de: "E-Mail-Vorlagen" },
  requires: { method: "GET", path: "/api/email/template" },
  messages,
  routes: [
    ...familyRoutes("/templates/email", async () => (await import("./template-rows.js")).emailTemplates),
    ...familyRoutes("/templates/message", async () => (await import("./template-rows.js")).messageTemplates),
  ],
};
