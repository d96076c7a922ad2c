import type { Area, ScreenRoute } from "../../app/area.js";
import { familyRoutes, recordMessages } from "./family-routes.js";

const more = () => import("./more-families.js");

const index: ScreenRoute = { path: "/records", screen: async () => ({ default: (await import("./all-records.js")).AllRecords }) };

/** The area for families without their own area, each with a list and records. */
export const moreRecords: Area = {
  name: "records",
  group: "records",
  icon: "settings",
  path: "/records",
  label: { en: "More records", de: "Weitere Datensätze" },
  requires: { method: "GET", path: "/api/consent" },
  messages: recordMessages,
  routes: [
    index,
    ...familyRoutes("/records/consents", async () => (await more()).consents),
    ...familyRoutes("/records/user-actions", async () => (await more()).userActions),
    ...familyRoutes("/records/user-action-reasons", async () => (await more()).userActionReasons),
    ...familyRoutes("/themes", async () => (await more()).themes),
    ...familyRoutes("/access-lists", async () => (await more()).accessLists),
  ],
};
