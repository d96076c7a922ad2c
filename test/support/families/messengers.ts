import { messageTemplateRequest } from "../../../src/records/message-templates/schema.js";
import { messengerRequest } from "../../../src/records/messengers/schema.js";
import type { FamilyCase } from "../families.js";

const base = {
  takesId: true,
  hasGet: true,
  deleteQuery: "",
  isKeptByDelete: false,
  texts: ["One", "Two"],
  textField: ["name"],
  hasData: true,
  isGlobal: true,
} as const;

/** Messengers and message templates, outside of tenants. */
export const messengerCases: readonly FamilyCase[] = [
  {
    ...base,
    name: "messengers",
    wrapper: "messenger",
    idParameter: "messengerId",
    requiredFields: ["name", "type", "url", "connectTimeout", "readTimeout"],
    request: messengerRequest,
    arrange: async () => ({
      collection: "/api/messenger",
      url: (id) => `/api/messenger/${id}`,
      body: (number) => ({
        messenger: {
          name: `Messenger ${number}`,
          type: "Generic",
          url: "https://texts.example.com/send",
          connectTimeout: 1_000,
          readTimeout: 2_000,
          headers: { "x-key": "value" },
          data: { list: ["a"], map: { k: "v" } },
        },
      }),
    }),
  },
  {
    ...base,
    name: "messageTemplates",
    wrapper: "messageTemplate",
    idParameter: "messageTemplateId",
    requiredFields: ["name", "defaultTemplate"],
    request: messageTemplateRequest,
    arrange: async () => ({
      collection: "/api/message/template",
      url: (id) => `/api/message/template/${id}`,
      body: (number) => ({
        messageTemplate: {
          name: `Template ${number}`,
          defaultTemplate: "Your code is ${code!}",
          localizedTemplates: { de: "Dein Code ist ${code!}" },
          data: { list: ["a"], map: { k: "v" } },
        },
      }),
    }),
  },
];
