import { lambdaRequest } from "../../../src/records/lambdas/schema.js";
import type { FamilyCase } from "../families.js";

/** Lambdas, which may share a name. */
export const lambdas: FamilyCase = {
  name: "lambdas",
  wrapper: "lambda",
  idParameter: "lambdaId",
  takesId: true,
  hasGet: true,
  deleteQuery: "",
  isKeptByDelete: false,
  texts: ["https://one.example.com/", "https://two.example.com/"],
  textField: ["name"],
  requiredFields: ["name", "body", "type"],
  hasData: false,
  isGlobal: true,
  request: lambdaRequest,
  arrange: async () => ({
    collection: "/api/lambda",
    url: (id) => `/api/lambda/${id}`,
    body: (number) => ({
      lambda: {
        name: `Lambda ${number}`,
        body: "function populate(jwt, user) { jwt.name = user.fullName; }",
        type: "JWTPopulate",
      },
    }),
  }),
};
