// Each type of lambda is caused by its protocol, between real peers: no type is only tried by hand.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LambdaType } from "latchkey/lambdas";
import { expect, test } from "vitest";
import { type LambdaTypeRow, lambdaTypes } from "../../src/availability/lambda-types.js";
import { identityProviderTypeRows } from "../../src/records/identity-providers/types.js";
import { logInReconciled, players } from "../identity-providers/support/players.js";
import { root } from "../shape/source-files.js";
import { steps } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import * as logins from "./support/login-causes.js";
import { readTokens, readUserInfo } from "./support/openid-causes.js";
import { logInBySaml } from "./support/saml-causes.js";
import { provisionGroup, provisionUser } from "./support/scim-causes.js";
import { start } from "./support/start.js";

/** How a type is caused, the statements of its lambda, and what these changed. */
interface Cause {
  readonly by: string;
  readonly statements: string;
  readonly run: (statements: string) => Promise<unknown>;
  readonly changed: unknown;
}

const reconciled = `user.data.mark = "lambda";`;
const refused = `result.errors.generalErrors.push({ code: "[closed]", message: "Closed." });`;
const marked = { changed: "lambda" } as const;

const played = players.map(
  (player) =>
    [
      identityProviderTypeRows[player.type].lambda,
      {
        ...{ by: `a login by ${player.type}`, statements: `user.data.mark = ${player.seen};`, changed: player.expected.seen },
        run: async (statements: string) => (await logInReconciled(start, player, statements)).answer.at("user.data.mark"),
      },
    ] as const,
);

const causes: Readonly<Record<string, Cause>> = {
  JWTPopulate: {
    ...{ by: "a login by the code grant", statements: `jwt.mark = "lambda";`, run: readTokens },
    changed: ["lambda", "lambda"],
  },
  UserInfoPopulate: { by: "a call of userinfo", statements: `userInfo.mark = "lambda";`, run: readUserInfo, ...marked },
  ClientCredentialsJWTPopulate: {
    ...{ by: "client credentials", statements: `jwt.mark = "lambda";`, run: logins.readClientToken, ...marked },
  },
  LoginValidation: { by: "a login", statements: refused, run: logins.refuseLogin, changed: [400, "[closed]"] },
  MFARequirement: { by: "a login", statements: "result.required = true;", run: logins.requireFactor, changed: 242 },
  SelfServiceRegistrationValidation: {
    ...{ by: "a form", statements: refused, run: logins.refuseForm, changed: [400, "[closed]"] },
  },
  LDAPConnectorReconcile: {
    ...{ by: "a bind at a directory", run: logins.logInByLdap, changed: "ann" },
    statements: "user.email = userAttributes.mail; user.data.mark = userAttributes.givenName;",
  },
  ExternalJWTReconcile: { by: "a token of another system", statements: reconciled, run: logins.logInByToken, ...marked },
  SAMLv2Populate: {
    ...{ by: "an assertion", statements: `samlResponse.assertion.attributes.mark = ["lambda"];`, changed: { mark: "lambda" } },
    run: (statements) => logInBySaml(statements, "user.data.mark = samlResponse.assertion.attributes.mark[0];"),
  },
  SAMLv2Reconcile: {
    ...{ by: "an assertion", statements: reconciled, run: (statements) => logInBySaml("", statements) },
    changed: { mark: "lambda" },
  },
  SCIMUserRequestConverter: {
    ...{ by: "POST /Users", statements: reconciled, run: (statements) => provisionUser("Request", statements), ...marked },
  },
  SCIMUserResponseConverter: {
    ...{ by: "GET /Users", statements: `scimUser.title = "lambda";`, ...marked },
    run: (statements) => provisionUser("Response", statements),
  },
  SCIMGroupRequestConverter: {
    ...{ by: "POST /Groups", statements: `group.name = "lambda";`, ...marked },
    run: (statements) => provisionGroup("Request", statements),
  },
  SCIMGroupResponseConverter: {
    ...{ by: "GET /Groups", statements: `scimGroup.displayName = "lambda";`, ...marked },
    run: (statements) => provisionGroup("Response", statements),
  },
  ...Object.fromEntries(played),
};

const types = Object.keys(lambdaTypes) as LambdaType[];

test("no type is left out", () => {
  expect(Object.keys(causes).toSorted()).toEqual(types.toSorted());
});

// By default a part of the types: each sets up its protocol.
for (const type of steps(types, 3)) {
  const { by, changed, run, statements } = causes[type] ?? {};
  requirement("lambda.caused", `${by} runs ${type}, which changes what it may`, async () => {
    expect(await run?.(statements ?? "")).toEqual(changed);
  });
}

test("docs/lambdas-places.md has a row for each type, with its arguments", () => {
  const page = readFileSync(join(root, "docs/lambdas-places.md"), "utf8");
  const toCall = ({ functionName, parameters }: LambdaTypeRow): string => `${functionName}(${parameters.join(", ")})`;
  const missing = Object.entries(lambdaTypes).filter(([type, row]) => {
    const line = page.split("\n").find((text) => text.startsWith(`| \`${type}\` |`));
    return line?.includes(toCall(row)) !== true;
  });
  expect(missing.map(([type]) => type)).toEqual([]);
});
