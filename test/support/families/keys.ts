import { generateKeyRequest, importKeyRequest } from "../../../src/records/keys/schema.js";
import type { FamilyCase, Place } from "../families.js";

const base = {
  wrapper: "key",
  idParameter: "keyId",
  takesId: true,
  hasGet: true,
  deleteQuery: "",
  isKeptByDelete: false,
  texts: ["One", "Two"],
  textField: ["name"],
  hasData: false,
  isGlobal: true,
} as const;

/** Secrets, because they are fast; key pairs have their own tests. */
export const keyCases: readonly FamilyCase[] = [
  {
    ...base,
    name: "generatedKeys",
    request: generateKeyRequest,
    requiredFields: ["name", "algorithm"],
    generatedFields: ["kid"],
    arrange: async () => placeOf("generate", (number) => ({ name: `Key ${number}`, algorithm: "HS256" })),
  },
  {
    ...base,
    name: "importedKeys",
    request: importKeyRequest,
    requiredFields: ["name", "algorithm", "kid", "secret"],
    arrange: async () =>
      placeOf("import", (number) => ({
        name: `Key ${number}`,
        algorithm: "HS256",
        kid: `kid-${number}`,
        secret: `${number}`.repeat(32),
      })),
  },
];

function placeOf(verb: string, key: (number: number) => Readonly<Record<string, unknown>>): Place {
  return {
    collection: `/api/key/${verb}`,
    url: (id) => `/api/key/${id}`,
    body: (number) => ({ key: key(number) }),
  };
}
