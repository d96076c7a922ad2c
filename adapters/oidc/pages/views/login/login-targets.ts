import type { PageCall } from "../../server/page-call.js";
import { toPolicySource } from "../../server/write-page.js";

/** The origins that the last form of a login may lead to by redirects: that of the application. */
export function targetsOf({ interaction }: Pick<PageCall, "interaction">): readonly string[] {
  return [toPolicySource(interaction?.params.redirect_uri) ?? []].flat();
}

/** What a login id of a message may be; undefined for the default of the API, where the version has no phone numbers of users. */
export function loginIdTypesOf({ place }: PageCall): readonly string[] | undefined {
  const hasPhones = place.tenant !== undefined && Reflect.get(place.tenant, "phoneConfiguration") !== undefined;
  return hasPhones ? ["email", "username", "phoneNumber"] : undefined;
}
