import type { LoginIdType } from "./schema.js";

/** What a login id may be. Here and not in the schema, which a start does without. */
export const loginIdTypes: readonly LoginIdType[] = ["email", "username", "phoneNumber"];
