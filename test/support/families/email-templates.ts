import { emailTemplateRequest } from "../../../src/records/email-templates/schema.js";
import type { FamilyCase } from "../families.js";

/** Email templates: outside of tenants, without metadata. */
export const emailTemplatesCase: FamilyCase = {
  name: "emailTemplates",
  wrapper: "emailTemplate",
  idParameter: "emailTemplateId",
  takesId: true,
  hasGet: true,
  deleteQuery: "",
  isKeptByDelete: false,
  texts: ["One", "Two"],
  textField: ["name"],
  requiredFields: ["name", "defaultSubject", "defaultHtmlTemplate", "defaultTextTemplate"],
  hasData: false,
  isGlobal: true,
  request: emailTemplateRequest,
  arrange: async () => ({
    collection: "/api/email/template",
    url: (id) => `/api/email/template/${id}`,
    body: (number) => ({
      emailTemplate: {
        name: `Template ${number}`,
        fromEmail: "service@example.com",
        defaultSubject: "Hello ${user.firstName!}",
        defaultHtmlTemplate: "<p>Hello ${user.firstName!'you'}</p>",
        defaultTextTemplate: "Hello ${user.firstName!'you'}",
        localizedSubjects: { de: "Hallo" },
      },
    }),
  }),
};
