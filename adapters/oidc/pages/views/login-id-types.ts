import type { PageCall } from "../server/page-call.js";

/** What a login id of a message may be; undefined for the default of the API, where the version has no phone numbers of users. */
export function loginIdTypesOf({ place }: PageCall): readonly string[] | undefined {
  const hasPhones = place.tenant !== undefined && Reflect.get(place.tenant, "phoneConfiguration") !== undefined;
  return hasPhones ? ["email", "username", "phoneNumber"] : undefined;
}
