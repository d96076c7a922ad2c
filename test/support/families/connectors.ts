import { connectorRequest } from "../../../src/records/connectors/schema.js";
import type { FamilyCase } from "../families.js";

/** Connectors, outside of tenants. */
export const connectorCase: FamilyCase = {
  name: "connectors",
  wrapper: "connector",
  idParameter: "connectorId",
  takesId: true,
  hasGet: true,
  deleteQuery: "",
  isKeptByDelete: false,
  texts: ["One", "Two"],
  textField: ["name"],
  hasData: true,
  isGlobal: true,
  requiredFields: ["name", "type", "authenticationURL", "connectTimeout", "readTimeout"],
  request: connectorRequest,
  arrange: async () => ({
    collection: "/api/connector",
    url: (id) => `/api/connector/${id}`,
    body: (number) => ({
      connector: {
        name: `Connector ${number}`,
        type: "Generic",
        authenticationURL: "https://logins.example.com/check",
        connectTimeout: 1_000,
        readTimeout: 2_000,
        headers: { "x-key": "value" },
        data: { list: ["a"], map: { k: "v" } },
      },
    }),
  }),
};
