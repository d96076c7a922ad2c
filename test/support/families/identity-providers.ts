import { identityProviderRequest } from "../../../src/records/identity-providers/schema.js";
import type { FamilyCase } from "../families.js";

/** Identity providers: of a tenant if the caller is bound to one. */
export const identityProvidersCase: FamilyCase = {
  name: "identityProviders",
  wrapper: "identityProvider",
  idParameter: "identityProviderId",
  takesId: true,
  hasGet: true,
  deleteQuery: "",
  isKeptByDelete: false,
  textField: ["name"],
  texts: ["One", "Two"],
  requiredFields: ["name", "type", "buttonText", "client_id", "client_secret"],
  hasData: true,
  isGlobal: false,
  request: identityProviderRequest,
  arrange: async () => ({
    collection: "/api/identity-provider",
    url: (id) => `/api/identity-provider/${id}`,
    body: (number) => ({
      identityProvider: {
        name: `Provider ${number}`,
        type: "Google",
        buttonText: "Log in",
        client_id: "client",
        client_secret: "secret",
        data: { list: ["a"], map: { k: "v" } },
      },
    }),
  }),
};
