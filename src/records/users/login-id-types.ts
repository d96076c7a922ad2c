import type { LoginIdType } from "./schema.js";

/** The types of login ids. Not in the schema, which the start does not load. */
export const loginIdTypes: readonly LoginIdType[] = ["email", "username", "phoneNumber"];
