import { keys } from "./api-keys.js";
import { audit } from "./audit.js";
import type { Command } from "./command/command.js";
import { apply, exporting, plan } from "./command/configuration.js";
import { showConsole } from "./console.js";
import { doctor } from "./doctor/doctor.js";
import { dev } from "./example-service.js";
import { indexes } from "./indexes.js";
import { lambdas } from "./lambdas/lambdas-command.js";
import { migrate } from "./migrate.js";
import { init } from "./start-app.js";
import { users } from "./users/users-command.js";

/** The commands by name, in the order of the help. */
export const commands: Readonly<Record<string, Command>> = {
  init,
  dev,
  console: showConsole,
  plan,
  apply,
  export: exporting,
  keys,
  migrate,
  indexes,
  doctor,
  audit,
  lambdas,
  users,
};
