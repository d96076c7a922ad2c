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

/** The console: Express middleware, also served by the adapters of the other frameworks. */
export type AdminConsole = ExpressHandler &
  RequestHandler & {
    /**
     * Issues a link for the first administrator, which replaces an earlier one: `<mount>/set-up#<token>`. Undefined when an
     * administrator exists, or when the option `authorize` is set.
     */
    issueSetUp(options?: SetUpOptions): Promise<SetUp | undefined>;
  };

/**
 * The console for administrators, below a path: `app.use("/admin", adminConsole(identity))` in Express and Connect. The adapters
 * of the other frameworks serve it as they serve the service: `app.register(identityPlugin(adminConsole(identity)),
 * { prefix: "/admin" })`, `app.use(identityMiddleware(adminConsole(identity), { basePath: "/admin" }))`, and likewise
 * `fetchHandler` and `nodeHandler`.
 * @throws TypeError when an option is wrong. Error when a bundler left out the files of the console.
 */
export function adminConsole(identity: IdentityService, options: ConsoleOptions = {}): AdminConsole {
  const served = { ...createConsole(identity, options), paths: ["/", "/*"] };
  return Object.assign(identityRouter(served), served);
}
