import type { IdentityService } from "latchkey";
import { type ExpressHandler, identityRouter } from "latchkey/express";
import type { RequestHandler } from "latchkey/node";
import { createConsole, type SetUpOptions } from "./create-console.js";
import type { ConsoleOptions } from "./options.js";
import type { SetUp } from "./sign-in/administrators.js";

export type { SetUpOptions } from "./create-console.js";
export type { ConsoleBrand, ConsoleLink, ConsoleOptions, ConsoleTab, HostAdministrator } from "./options.js";
export { consoleApplicationId, type SetUp } from "./sign-in/administrators.js";
export type { ConsoleRole } from "./sign-in/roles.js";

/** The console: Express middleware, and what the adapters of the other frameworks serve. */
export type AdminConsole = ExpressHandler &
  RequestHandler & {
    /**
     * Makes a link for the first administrator, in place of an earlier one: `<mount>/set-up#<token>`. Undefined where there is an administrator,
     * or where the option `authorize` says who administrates.
     */
    issueSetUp(options?: SetUpOptions): Promise<SetUp | undefined>;
  };

/**
 * The console for administrators, below a path: `app.use("/admin", adminConsole(identity))` in Express and Connect. The adapters of the other
 * frameworks serve it as they serve the service: `app.register(identityPlugin(adminConsole(identity)), { prefix: "/admin" })`,
 * `app.use(identityMiddleware(adminConsole(identity), { basePath: "/admin" }))`, and likewise `fetchHandler` and `nodeHandler`.
 * @throws TypeError when an option is wrong. Error where a bundler has left the files of the console behind.
 */
export function adminConsole(identity: IdentityService, options: ConsoleOptions = {}): AdminConsole {
  const served = { ...createConsole(identity, options), paths: ["/", "/*"] };
  return Object.assign(identityRouter(served), served);
}
