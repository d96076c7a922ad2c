import type { Area } from "../../app/area.js";
import { familyRoutes } from "../records/family-routes.js";

/** The area for identity providers, where users log in outside of the service. */
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
