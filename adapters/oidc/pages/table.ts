import type { Page } from "./server/page.js";
import type { PageName } from "./server/paths.js";
import { accountPages } from "./views/account/pages.js";
import { loginPages } from "./views/login/pages.js";
import { callbackPage } from "./views/providers/callback.js";

/** Every page by name. */
export const pages: Readonly<Record<PageName, Page>> = { ...accountPages, ...loginPages, callback: callbackPage };
