import type { Area } from "../../app/area.js";

/** The area for applications, their roles, and the access of users to them. */
export const applications: Area = {
  name: "applications",
  group: "people",
  icon: "applications",
  path: "/applications",
  label: { en: "Applications", de: "Anwendungen" },
  key: "a",
  requires: { method: "POST", path: "/api/application/search" },
  messages: { en: () => import("./messages.en.json"), de: () => import("./messages.de.json") },
  routes: [
    { path: "/applications", screen: () => import("./applications-list.js") },
    { path: "/applications/new", screen: () => import("./application-edit.js") },
    { path: "/applications/:id", screen: () => import("./application.js") },
    { path: "/applications/:id/edit", screen: () => import("./application-edit.js") },
  ],
};
