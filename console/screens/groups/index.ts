import type { Area } from "../../app/area.js";

/** The area for groups, their members, and the roles that members inherit. */
export const groups: Area = {
  name: "groups",
  group: "people",
  icon: "groups",
  path: "/groups",
  label: { en: "Groups", de: "Gruppen" },
  key: "r",
  requires: { method: "POST", path: "/api/group/search" },
  messages: { en: () => import("./messages.en.json"), de: () => import("./messages.de.json") },
  routes: [
    { path: "/groups", screen: () => import("./groups-list.js") },
    { path: "/groups/new", screen: () => import("./group-edit.js") },
    { path: "/groups/:id", screen: () => import("./group.js") },
    { path: "/groups/:id/edit", screen: () => import("./group-edit.js") },
  ],
};
