import type { PageCall } from "../server/page-call.js";

/** The types of login ids for messages; undefined (the API's default) in versions without phone numbers. */
export function loginIdTypesOf({ place }: PageCall): readonly string[] | undefined {
  const hasPhones = place.tenant !== undefined && Reflect.get(place.tenant, "phoneConfiguration") !== undefined;
  return hasPhones ? ["email", "username", "phoneNumber"] : undefined;
}
