import type { Area } from "../../app/area.js";

/** The area for entities, their types, and grants on them. */
export const entities: Area = {
  name: "entities",
  group: "people",
  icon: "entities",
  path: "/entities",
  label: { en: "Entities", de: "Entitäten" },
  key: "e",
  requires: { method: "POST", path: "/api/entity/search" },
  messages: { en: () => import("./messages.en.json"), de: () => import("./messages.de.json") },
  routes: [
    { path: "/entities", screen: () => import("./entities-list.js") },
    { path: "/entities/new", screen: () => import("./entity-edit.js") },
    { path: "/entities/types", screen: () => import("./types-list.js") },
    { path: "/entities/types/new", screen: () => import("./type-edit.js") },
    { path: "/entities/types/:id", screen: () => import("./type-edit.js") },
    { path: "/entities/:id", screen: () => import("./entity.js") },
    { path: "/entities/:id/edit", screen: () => import("./entity-edit.js") },
  ],
};
