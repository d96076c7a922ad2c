import type { PageCall } from "../../server/page-call.js";
import { toPolicySource } from "../../server/write-page.js";

/** The origins that the last form of a login may lead to by redirects: that of the application. */
export function targetsOf({ interaction }: Pick<PageCall, "interaction">): readonly string[] {
  return [toPolicySource(interaction?.params.redirect_uri) ?? []].flat();
}
