// Each of the 27 kinds of lambdas, run in process on the sample arguments: what it changed, what it may not change, what its failure did.
import type { LambdaArgumentsOf, LambdaType } from "latchkey/lambdas";
import { memoryStorage } from "latchkey/memory";
import { describe, expect } from "vitest";
import { lambdaTypes } from "../../src/availability/lambda-types.js";
import { sampleArguments } from "../../src/lambdas/types/sample-arguments.js";
import { testRunner } from "../support/lambda-runner.js";
import { makeLambda } from "../support/lambdas.js";
import { requirement } from "../support/requirement.js";
import { startWorld, type World } from "../support/world.js";

/** What a body does: changes that count, as a script and as what they come to, and changes that do not. */
interface Work<Type extends LambdaType> {
  readonly allowed: string;
  readonly effect: (args: LambdaArgumentsOf[Type]) => void;
  readonly forbidden: string;
}

/** Who somebody is stays, and so does what the provider said. */
const whoSomebodyIs = `user.id = "x"; user.tenantId = "x"; registration.applicationId = "x"; delete registration.id; context.tenant = 1;`;

function reconcile<Type extends LambdaType>(source?: string): Work<Type> {
  return {
    allowed: `user.data.color = "red"; delete user.lastName; registration.roles.push("new"); registration.data = { a: [1, null] };`,
    effect: (args) => {
      const { user, registration } = args as LambdaArgumentsOf["HYPRReconcile"];
      user.data.color = "red";
      delete user.lastName;
      registration.roles.push("new");
      registration.data = { a: [1, null] };
    },
    forbidden: source === undefined ? whoSomebodyIs : `${whoSomebodyIs} ${source}.more = 1; delete ${source}.email;`,
  };
}

const works: { readonly [Type in LambdaType]: Work<Type> } = {
  JWTPopulate: {
    allowed: `jwt.color = user.data.color; jwt.roles = []; delete jwt.email; jwt.exp -= 60; jwt.tid2 = context.tenant.id;`,
    effect: ({ jwt, user }) => {
      Object.assign(jwt, { color: user.data.color, roles: [], exp: (jwt.exp ?? 0) - 60, tid2: user.tenantId });
      delete jwt.email;
    },
    forbidden: `for (const name of ["amr", "auth_time", "cnf", "gty", "iat", "sub", "tid", "tty"]) jwt[name] = "x";
      user.data.color = "x"; registration.roles = []; context.scopes = [];`,
  },
  ClientCredentialsJWTPopulate: {
    allowed: `jwt.region = targetEntities[0].data.region; jwt.client = recipientEntity.name; delete jwt.jti;`,
    effect: ({ jwt }) => {
      Object.assign(jwt, { region: "eu", client: "Reports" });
      delete jwt.jti;
    },
    forbidden: `for (const name of ["amr", "aud", "cnf", "exp", "gty", "iat", "permissions", "sub", "tid", "tty", "use"]) jwt[name] = 1;
      recipientEntity.name = "x"; targetEntities.pop(); permissions.all = ["write"];`,
  },
  UserInfoPopulate: {
    allowed: `userInfo.plan = registration.data.plan; delete userInfo.birthdate;`,
    effect: ({ userInfo }) => {
      userInfo.plan = "team";
      delete userInfo.birthdate;
    },
    forbidden: `userInfo.sub = "x"; user.email = "x"; jwt.roles = []; registration.roles = [];`,
  },
  SAMLv2Populate: {
    allowed: `samlResponse.assertion.attributes.roles = [...registration.roles];`,
    effect: ({ samlResponse, registration }) => {
      samlResponse.assertion.attributes.roles = registration?.roles ?? [];
    },
    forbidden: `user.email = "x"; registration.roles.push("x"); context.more = 1;`,
  },
  OpenIDReconcile: reconcile("id_token"),
  SAMLv2Reconcile: reconcile("samlResponse"),
  ExternalJWTReconcile: reconcile("jwt"),
  AppleReconcile: reconcile("idToken"),
  GoogleReconcile: reconcile("idToken"),
  FacebookReconcile: reconcile("facebookUser"),
  TwitterReconcile: reconcile("twitterUser"),
  LinkedInReconcile: reconcile("linkedInUser"),
  HYPRReconcile: reconcile(),
  EpicGamesReconcile: reconcile("userInfo"),
  NintendoReconcile: reconcile("userInfo"),
  SonyPSNReconcile: reconcile("userInfo"),
  SteamReconcile: reconcile("userInfo"),
  TwitchReconcile: reconcile("userInfo"),
  XboxReconcile: reconcile("userInfo"),
  LDAPConnectorReconcile: {
    allowed: `user.email = userAttributes.mail; user.data.groups = userAttributes.memberOf.length;`,
    effect: ({ user }) => {
      user.email = "ada@provider.example";
      user.data.groups = 2;
    },
    forbidden: `user.id = "x"; delete user.tenantId; userAttributes.mail = "x";`,
  },
  SCIMGroupRequestConverter: {
    allowed: `group.name = scimGroup.displayName; members.push({ userId: scimGroup.members[0].value }); options.roleIds = ["r"];`,
    effect: ({ group, members, options, scimGroup }) => {
      group.name = "Editors";
      members.push({ userId: scimGroup.members?.[0]?.value ?? "" });
      options.roleIds = ["r"];
    },
    forbidden: `group.id = "x"; group.tenantId = "x"; scimGroup.displayName = "x";`,
  },
  SCIMGroupResponseConverter: {
    allowed: `scimGroup.displayName = group.name; scimGroup.members = members.map(({ userId }) => ({ value: userId }));`,
    effect: ({ scimGroup, members }) => {
      scimGroup.displayName = "Editors";
      scimGroup.members = members.map(({ userId }) => ({ value: userId }));
    },
    forbidden: `group.name = "x"; members.pop(); context.tenant = null;`,
  },
  SCIMUserRequestConverter: {
    allowed: `user.username = scimUser.userName; user.data.title = "Countess"; options.sendSetPasswordEmail = true;`,
    effect: ({ user, options }) => {
      Object.assign(user, { username: "ada", data: { title: "Countess" } });
      options.sendSetPasswordEmail = true;
    },
    forbidden: `user.id = "x"; user.tenantId = "x"; scimUser.userName = "x";`,
  },
  SCIMUserResponseConverter: {
    allowed: `scimUser.userName = user.username; scimUser["urn:example"] = { a: 1 };`,
    effect: ({ scimUser }) => void Object.assign(scimUser, { userName: "ada", "urn:example": { a: 1 } }),
    forbidden: `user.username = "x"; delete user.email;`,
  },
  SelfServiceRegistrationValidation: {
    allowed: `result.errors.fieldErrors["user.data.zip"] = [{ code: "[invalid]user.data.zip", message: formContext.form.name }];`,
    effect: ({ result }) => {
      result.errors.fieldErrors["user.data.zip"] = [{ code: "[invalid]user.data.zip", message: "Sign up" }];
    },
    forbidden: `result.more = 1; user.email = "x"; registration.roles = []; formContext.step = 9;`,
  },
  LoginValidation: {
    allowed: `result.errors.generalErrors.push({ code: "[closed]", message: context.authenticationType, data: [1] });`,
    effect: ({ result }) => void result.errors.generalErrors.push({ code: "[closed]", message: "PASSWORD", data: [1] }),
    forbidden: `result.isRight = true; user.active = false; registration.roles = ["admin"]; context.authenticationType = "x";`,
  },
  MFARequirement: {
    allowed: `result.required = context.action === "login"; result.sendSuspiciousLoginEvent = true;`,
    effect: ({ result }) => void Object.assign(result, { required: true, sendSuspiciousLoginEvent: true }),
    forbidden: `result.more = 1; user.active = false; context.action = "x";`,
  },
};

const runner = testRunner();
const names = Object.keys(works) as LambdaType[];

async function start(): Promise<World> {
  return startWorld(memoryStorage(), { lambdas: { runner } });
}

async function makeOf(world: World, type: LambdaType, script: string): Promise<string> {
  const { functionName, parameters } = lambdaTypes[type];
  const body = `function ${functionName}(${parameters.join(", ")}) {\n${script}\nreturn { user: 1, jwt: 1, result: 1 };\n}`;
  return makeLambda(world, type, { body });
}

describe.each(names)("a lambda of the type %s", <Type extends LambdaType>(type: Type) => {
  const { allowed, forbidden, effect }: Work<Type> = works[type];

  requirement("lambda.changes", "changes what its kind may change, and nothing else", async () => {
    const world = await start();
    const after = await world.identity.lambdas.run(await makeOf(world, type, `${allowed}\n${forbidden}`), sampleArguments(type));
    const expected = sampleArguments(type);
    effect(expected);
    expect(after).toEqual(expected);
  });

  requirement("lambda.failures", "that fails leaves everything as it was where it populates, and refuses elsewhere", async () => {
    const world = await start();
    const id = await makeOf(world, type, `${allowed}\nthrow new Error("This one fails.");`);
    const run = world.identity.lambdas.run(id, sampleArguments(type));
    if (type.endsWith("Populate")) expect(await run).toEqual(sampleArguments(type));
    else {
      const refusal = { status: 400, code: "[LambdaFailed]", message: expect.stringContaining("This one fails.") };
      await expect(run).rejects.toMatchObject(refusal);
    }
  });
});
