import { webhookRequest } from "../../../src/records/webhooks/schema.js";
import type { FamilyCase } from "../families.js";

/** Webhooks, which have no name. */
export const webhooks: FamilyCase = {
  name: "webhooks",
  wrapper: "webhook",
  idParameter: "webhookId",
  takesId: true,
  hasGet: true,
  deleteQuery: "",
  isKeptByDelete: false,
  texts: ["https://one.example.com/", "https://two.example.com/"],
  textField: ["description"],
  requiredFields: ["url", "connectTimeout", "readTimeout"],
  hasData: true,
  isGlobal: true,
  request: webhookRequest,
  arrange: async () => ({
    collection: "/api/webhook",
    url: (id) => `/api/webhook/${id}`,
    body: (number) => ({
      webhook: {
        url: `https://example.com/${number}`,
        connectTimeout: 1_000,
        readTimeout: 2_000,
        data: { list: ["a"], map: { k: "v" } },
        headers: { "X-Token": "secret" },
        httpAuthenticationPassword: "secret",
      },
    }),
  }),
};
