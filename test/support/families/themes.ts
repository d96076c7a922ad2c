import { themeRequest } from "../../../src/records/themes/schema.js";
import type { FamilyCase } from "../families.js";

/** Themes, outside of tenants. */
export const themeCase: FamilyCase = {
  name: "themes",
  wrapper: "theme",
  idParameter: "themeId",
  takesId: true,
  hasGet: true,
  deleteQuery: "",
  isKeptByDelete: false,
  texts: ["One", "Two"],
  textField: ["name"],
  hasData: true,
  isGlobal: true,
  requiredFields: ["name"],
  request: themeRequest,
  arrange: async () => ({
    collection: "/api/theme",
    url: (id) => `/api/theme/${id}`,
    body: (number) => ({
      theme: {
        name: `Theme ${number}`,
        title: "Example",
        colors: { accent: "#1a5fb4" },
        messages: { default: { "login-button": "Continue" }, localized: { fr: { "login-button": "Continuer" } } },
        data: { list: ["a"], map: { k: "v" } },
      },
    }),
  }),
};
