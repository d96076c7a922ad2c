// What the compiler tells authors of bodies, without Node's types: checked by `tsc -p test/types/lambda-bodies`.
import type { JWTPopulate, LoginValidation, SCIMUserRequestConverter } from "latchkey/lambdas";

declare global {
  interface HostFunctions {
    findPlan(userId: string): { readonly name: string };
  }
}

declare module "latchkey/lambdas" {
  interface TenantConstants {
    readonly seats?: Readonly<Record<string, number>>;
  }
}

export const populate: JWTPopulate = (jwt, user, registration, context) => {
  jwt.color = user.data.color;
  jwt.plan = host.findPlan(user.id).name;
  jwt.scope = context.scopes?.join(" ");
  jwt.roles = registration?.roles ?? [];
  const secret = context.secrets.get("token") ?? context.services.secrets.get("token");
  jwt.seats = context.constants.seats?.gold;
  jwt.same = context.services.constants.other === context.constants.other;
  // @ts-expect-error constants cannot be changed
  context.constants.seats = {};
  const answer = fetch("https://example.com", { method: "POST", headers: { authorization: `Bearer ${secret}` }, body: "{}" });
  console.info("%s %d", new Headers(answer.headers).get("content-type"), answer.status, JSON.parse(answer.body));
  // @ts-expect-error somebody may not be registered
  jwt.first = registration.roles[0];
  // @ts-expect-error there is no such member of a user
  jwt.wrong = user.fristName;
  // @ts-expect-error fetch is synchronous
  fetch("https://example.com").then(() => undefined);
  // @ts-expect-error there are no timers
  setTimeout(() => undefined, 1);
  // @ts-expect-error there is nothing of Node
  process.exit();
};

export const validate: LoginValidation = (result, _user, _registration, context) => {
  if (context.authenticationType === "PING") result.errors.generalErrors.push({ code: "[a]", message: "A", data: 1 });
  // @ts-expect-error an error has a message
  result.errors.fieldErrors["user.email"] = [{ code: "[a]user.email" }];
};

export const convert: SCIMUserRequestConverter = (user, options, scimUser) => {
  user.email = scimUser.emails?.[0]?.value;
  options.anything = scimUser["urn:example:own"];
  // @ts-expect-error a text is no list
  user.preferredLanguages = scimUser.preferredLanguage;
};

// @ts-expect-error a login is not validated by a context
export const wrong: LoginValidation = (result: string) => result;
