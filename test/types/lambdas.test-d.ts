// What the compiler promises to whoever runs lambdas in process or in unit tests; checked by `tsc` along with everything else.
// Bodies are checked by `tsc -p test/types/lambda-bodies`.
import type { IdentityService } from "latchkey";
import type {
  ContextOf,
  GivenArguments,
  GivenValue,
  LambdaArgumentsOf,
  LambdaEntity,
  LambdaFunctions,
  LambdaGroup,
  LambdaRegistration,
  LambdaType,
  LambdaTypeName,
  LambdaTypeOf,
  LambdaUser,
} from "latchkey/lambdas";
import type { LambdaHarness } from "latchkey/testing";
import type { Entity, Group, Lambda, LambdaTestResult, Registration, User } from "latchkey/types";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const assertType = <_Check extends true>(): void => undefined;

// Each kind has its arguments and its function, and both are about the same.
assertType<Equal<keyof LambdaArgumentsOf, LambdaType>>();
assertType<Equal<keyof LambdaFunctions, LambdaType>>();
type Data<Type extends LambdaType> = LambdaArgumentsOf[Type][Exclude<keyof LambdaArgumentsOf[Type], "context">];
type Seen<Type extends LambdaType> =
  Parameters<LambdaFunctions[Type]> extends [...infer Others, ContextOf<Type>] ? Others[number] : never;
type SeesItsArguments = { [Type in LambdaType]: Equal<Seen<Type>, Data<Type>> };
assertType<Equal<SeesItsArguments[LambdaType], true>>();
assertType<Equal<LambdaTypeOf<LambdaTypeName>, LambdaType>>();
assertType<Equal<LambdaTypeOf<"SCIMServerUserRequestConverter">, "SCIMUserRequestConverter">>();

// Records of the service are arguments as they are.
assertType<User extends GivenValue<LambdaUser> ? true : false>();
assertType<Registration extends GivenValue<LambdaRegistration> ? true : false>();
assertType<Group extends GivenValue<LambdaGroup> ? true : false>();
assertType<Entity extends GivenValue<LambdaEntity> ? true : false>();

export async function checkRuns({ lambdas }: IdentityService, user: User, lambda: Lambda): Promise<void> {
  // By its id: the answer is what was given.
  const claims = { sub: "a", color: "red" };
  const byId = await lambdas.run("id", { jwt: claims, user, registration: undefined });
  assertType<Equal<typeof byId.jwt, { sub: string; color: string }>>();
  assertType<Equal<typeof byId.user, User>>();

  // By its type: the answer knows what the kind may change.
  const byType = await lambdas.run({ id: "id", type: "JWTPopulate" }, { jwt: claims, user }, { tenantId: "t" });
  assertType<Equal<typeof byType.jwt.color, string>>();
  assertType<Equal<typeof byType.jwt.anything, unknown>>();
  assertType<Equal<typeof byType.user.email, string | undefined>>();
  const validated = await lambdas.run({ id: "id", type: "LoginValidation" }, { user });
  assertType<Equal<typeof validated.result.errors extends object | undefined ? true : false, true>>();
  const converted = await lambdas.run(
    { id: "id", type: "SCIMServerGroupResponseConverter" },
    { scimGroup: {}, group: { name: "G" }, members: [] },
  );
  assertType<Equal<typeof converted.scimGroup.displayName, string | undefined>>();
  const byRecord = await lambdas.run(lambda, { user, result: { required: true } });
  assertType<typeof byRecord.user extends User ? true : false>();

  // @ts-expect-error a JWTPopulate needs claims
  await lambdas.run({ id: "id", type: "JWTPopulate" }, { user });
  // @ts-expect-error an email is a text
  await lambdas.run({ id: "id", type: "JWTPopulate" }, { jwt: {}, user: { email: 7 } });
  // @ts-expect-error there is no such type
  await lambdas.run({ id: "id", type: "Populate" }, { jwt: {}, user });
  // @ts-expect-error arguments have names
  await lambdas.run("id", "jwt");

  type Needed = Exclude<keyof GivenArguments<"SelfServiceRegistrationValidation">, "user">;
  assertType<Equal<Needed, "context" | "formContext" | "registration" | "result">>();
}

export async function checkTrials({ lambdas }: IdentityService): Promise<void> {
  const trial = await lambdas.test({ lambdaId: "id", arguments: { jwt: {} }, tenantId: "t" });
  assertType<Equal<typeof trial, LambdaTestResult>>();
  await lambdas.test({ lambda: { body: "", type: "JWTPopulate" } });
  // @ts-expect-error a lambda has a type
  await lambdas.test({ lambda: { body: "" } });
}

export async function checkHarness(harness: LambdaHarness): Promise<void> {
  const { jwt } = harness.fixture("JWTPopulate", { jwt: { exp: 1 } });
  assertType<Equal<typeof jwt, LambdaArgumentsOf["JWTPopulate"]["jwt"]>>();
  const lambda = harness.load({
    type: "MFARequirement",
    function: (result, user) => {
      result.required = user.active;
    },
  });
  const trial = await lambda.run({ user: { data: { a: 1 } }, registration: undefined });
  assertType<Equal<typeof trial, LambdaTestResult<LambdaArgumentsOf["MFARequirement"]>>>();
  // @ts-expect-error the kind has no such argument
  await lambda.run({ jwt: {} });
  // @ts-expect-error a requirement is no text
  harness.load({ type: "MFARequirement", function: (result: string) => result });
}
