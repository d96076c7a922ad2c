import type { Area } from "../../app/area.js";

/** The area for users and all of their data. */
export const users: Area = {
  name: "users",
  group: "people",
  icon: "users",
  path: "/users",
  label: { en: "Users", de: "Benutzer" },
  key: "u",
  requires: { method: "POST", path: "/api/user/search" },
  messages: { en: () => import("./messages.en.json"), de: () => import("./messages.de.json") },
  routes: [
    { path: "/users", screen: () => import("./users-list.js") },
    { path: "/users/new", screen: () => import("./user-new.js") },
    { path: "/users/:id", screen: () => import("./user.js") },
    { path: "/users/:id/edit", screen: () => import("./user-edit.js") },
    { path: "/users/:id/registrations/:applicationId", screen: () => import("./registration-edit.js") },
  ],
};
