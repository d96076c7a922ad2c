import type { Area } from "../../app/area.js";
import { familyRoutes } from "../records/family-routes.js";

/** Identity providers: who logs users in elsewhere. */
export const providers: Area = {
  name: "providers",
  group: "access",
  icon: "providers",
  path: "/providers",
  label: { en: "Identity providers", de: "Identitätsanbieter" },
  requires: { method: "GET", path: "/api/identity-provider" },
  messages: { en: () => import("./messages.en.json"), de: () => import("./messages.de.json") },
  routes: [
    { path: "/providers/callback", screen: () => import("./callback.js") },
    { path: "/providers/:id/login", screen: () => import("./start.js") },
    ...familyRoutes("/providers", async () => (await import("./provider-row.js")).providerRow),
  ],
};
