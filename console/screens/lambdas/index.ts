import type { Area } from "../../app/area.js";
import { familyRoutes } from "../records/family-routes.js";

/** The area for lambdas: scripts that the service calls. */
export const lambdas: Area = {
  name: "lambdas",
  group: "delivery",
  icon: "lambdas",
  path: "/lambdas",
  label: { en: "Lambdas", de: "Lambdas" },
  key: "l",
  requires: { method: "GET", path: "/api/lambda" },
  messages: { en: () => import("./messages.en.json"), de: () => import("./messages.de.json") },
  routes: familyRoutes("/lambdas", async () => (await import("./lambda-row.js")).lambdaRow),
};
