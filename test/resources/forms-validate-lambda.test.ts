import type { DirectoryApplication } from "latchkey/ports";
import { describe, expect } from "vitest";
import { codesOf, expectOk, expectRefusal } from "../support/answer.js";
import { managedField } from "../support/families/forms-and-consents.js";
import { makeFieldFor, makeFormOf, validate } from "../support/forms.js";
import { testRunner } from "../support/lambda-runner.js";
import { missingRunner } from "../support/lambda-runs.js";
import { makeLambda } from "../support/lambdas.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, makeTenant, uuid, type World } from "../support/world.js";

const lambdas = { runner: testRunner() };
const parameters = "result, user, registration, formContext, context";

interface Stage {
  readonly formId: string;
  readonly lambdaId: string;
  readonly applicationId: string;
}

/** A form for a name and a zip code in two steps, an application that uses it, and its lambda with this body. */
async function setStage(world: World, body: string): Promise<Stage> {
  const zip = await makeFieldFor(world, "user.data.zip", { required: true });
  const formId = await makeFormOf(world, [await managedField(world, "user.lastName")], [zip]);
  const text = `function validate(${parameters}) { ${body} }`;
  const lambdaId = await makeLambda(world, "SelfServiceRegistrationValidation", { body: text });
  return { formId, lambdaId, applicationId: await makeUser(world, formId, lambdaId, "Shop") };
}

/** Makes an application that uses a form, and answers its id. */
async function makeUser(world: World, formId: string, lambdaId: string, name: string, caller = world.caller): Promise<string> {
  const registrationConfiguration = { enabled: true, type: "advanced", formId };
  const lambdaConfiguration = { selfServiceRegistrationValidationId: lambdaId };
  const application = { name, lambdaConfiguration, registrationConfiguration };
  const bound = caller === world.caller ? caller.inTenant(world.defaultTenantId) : caller;
  return expectOk(await bound.post("/api/application", { application })).textAt("application.id");
}

const submission = { "user.lastName": "Lee", "user.data.zip": "12345" };

forEachStorage((start) => {
  describe("the lambda of an application", () => {
    requirement("form-use.lambda", "refuses with exactly its own errors", async () => {
      const world = await start({ lambdas });
      const body = `if (user.data.zip === "00000") {
          result.errors.fieldErrors["user.data.zip"] = [{ code: "[invalid]user.data.zip", message: "No such town.", data: { zip: user.data.zip } }];
          result.errors.generalErrors.push({ code: "[NoTown]", message: "There is no town." });
        }`;
      const { formId, applicationId } = await setStage(world, body);
      const accepted = expectOk(await validate(world, formId, { submission }));
      expect(accepted.body).toEqual({
        consents: {},
        registration: { applicationId },
        user: { lastName: "Lee", data: { zip: "12345" } },
      });
      const refused = await validate(world, formId, { submission: { ...submission, "user.data.zip": "00000" } });
      expect([refused.status, refused.body]).toEqual([
        400,
        {
          fieldErrors: {
            "user.data.zip": [{ code: "[invalid]user.data.zip", message: "No such town.", data: { zip: "00000" } }],
          },
          generalErrors: [{ code: "[NoTown]", message: "There is no town." }],
        },
      ]);
    });

    requirement("form-use.lambda", "is not asked while a field is wrong", async () => {
      const world = await start({ lambdas });
      const { formId } = await setStage(world, 'result.errors.generalErrors.push({ code: "[Never]", message: "Never." });');
      expectRefusal(await validate(world, formId, { submission: {} }), 400, "[blank]user.data.zip");
      expect(codesOf(await validate(world, formId, { submission }))).toEqual(["[Never]"]);
    });

    requirement("form-use.lambda-context", "sees the objects without a password, and where in the form it is", async () => {
      const world = await start({ lambdas });
      const body = "throw new Error(JSON.stringify({ user, registration, formContext, context, result }));";
      const { formId, applicationId } = await setStage(world, body);
      const user = { password: "a secret that stays here", lastName: "Lee" };
      const registration = { roles: ["reader"] };
      const see = async (request: object): Promise<Readonly<Record<string, unknown>>> => {
        const answer = await validate(world, formId, { user, registration, ...request });
        expectRefusal(answer, 400, "[LambdaFailed]");
        expect(answer.text).not.toContain(user.password);
        const message = answer.textAt("generalErrors.0.message");
        return JSON.parse(message.slice(message.indexOf("{")));
      };
      const second = await see({ submission: { "user.data.zip": "12345" }, step: 2 });
      expect(second).toMatchObject({
        context: { application: { id: applicationId }, tenant: { id: world.defaultTenantId } },
        formContext: { form: { id: formId, type: "selfServiceUser" }, step: 2, stepIndex: 1, totalSteps: 2 },
        registration: { applicationId, roles: ["reader"] },
        result: { errors: { fieldErrors: {}, generalErrors: [] } },
        user: { lastName: "Lee", data: { zip: "12345" } },
      });
      const { fields } = second.formContext as { readonly fields: Readonly<Record<string, { readonly key: string }>> };
      expect(Object.entries(fields).map(([key, field]) => [key, field.key])).toEqual([
        ["user.lastName", "user.lastName"],
        ["user.data.zip", "user.data.zip"],
      ]);
      expect(await see({ submission: {}, step: 1 })).toMatchObject({ formContext: { step: 1, stepIndex: 0, totalSteps: 2 } });
      expect(await see({ submission })).toMatchObject({ formContext: { step: 2, stepIndex: 1 } });
    });

    requirement("form-use.lambda-context", "changes nothing that it was shown", async () => {
      const world = await start({ lambdas });
      const { formId, applicationId } = await setStage(
        world,
        'user.lastName = "Evil"; user.data = {}; registration.roles = ["admin"]; registration.applicationId = "x"; formContext.step = 9;',
      );
      const answer = expectOk(await validate(world, formId, { submission, registration: { roles: ["reader"] } }));
      expect(answer.at("user")).toEqual({ lastName: "Lee", data: { zip: "12345" } });
      expect(answer.at("registration")).toEqual({ applicationId, roles: ["reader"] });
    });

    requirement("form-use.lambda-failure", "fails as a whole when it throws or leaves something else behind", async () => {
      const world = await start({ lambdas });
      const bodies = [
        'throw new Error("out of order");',
        "result.errors = null;",
        'result.errors.generalErrors = "no";',
        'result.errors.fieldErrors["user.email"] = { code: "a" };',
      ];
      const { formId, lambdaId } = await setStage(world, "");
      expectOk(await validate(world, formId, { submission }));
      for (const body of bodies) {
        const lambda = { body: `function validate(${parameters}) { ${body} }` };
        expectOk(await world.caller.patch(`/api/lambda/${lambdaId}`, { lambda }));
        expectRefusal(await validate(world, formId, { submission }), 400, "[LambdaFailed]");
      }
    });

    requirement("form-use.lambda-failure", "fails as a whole when it never ends", async () => {
      const world = await start({ lambdas: { runner: testRunner({ keepsLimits: true }) } });
      const { formId } = await setStage(world, "for (;;);");
      expectRefusal(await validate(world, formId, { submission }), 400, "[LambdaFailed]");
    });

    requirement("form-use.lambda-failure", "is not skipped where nothing runs lambdas", async () => {
      const world = await start({ lambdas: { runner: missingRunner() } });
      const { formId } = await setStage(world, "");
      expectRefusal(await validate(world, formId, { submission }), 400, "[LambdaFailed]");
    });
  });

  describe("the application", () => {
    const refusing = 'result.errors.generalErrors.push({ code: "[No]", message: "No." });';

    requirement("form-use.application", "must be named where several use the form", async () => {
      const world = await start({ lambdas });
      const { formId, applicationId } = await setStage(world, refusing);
      expect(codesOf(await validate(world, formId, { submission }))).toEqual(["[No]"]);
      const plain = await makeLambda(world, "SelfServiceRegistrationValidation");
      const another = await makeUser(world, formId, plain, "Another");
      expectRefusal(await validate(world, formId, { submission }), 400, "[missing]applicationId");
      expect(codesOf(await validate(world, formId, { submission, applicationId }))).toEqual(["[No]"]);
      const answer = expectOk(await validate(world, formId, { submission, applicationId: another }));
      expect(answer.at("registration")).toEqual({ applicationId: another });
    });

    requirement("form-use.application", "may be named for a form that it does not use, and for fields without one", async () => {
      const world = await start({ lambdas });
      const { applicationId } = await setStage(world, refusing);
      const fieldIds = [await managedField(world, "user.firstName")];
      const another = await makeFormOf(world, fieldIds);
      expectOk(await validate(world, another, { submission }));
      expect(codesOf(await validate(world, another, { submission, applicationId }))).toEqual(["[No]"]);
      const post = (body: object): ReturnType<typeof validate> => world.caller.post("/api/form/validate", { fieldIds, ...body });
      expectOk(await post({ submission }));
      expect(codesOf(await post({ submission, applicationId }))).toEqual(["[No]"]);
    });

    requirement("form-use.application", "is one of the caller's tenant, and active", async () => {
      const world = await start({ lambdas });
      const { formId, lambdaId, applicationId } = await setStage(world, refusing);
      const other = await callerOfTenant(world, await makeTenant(world, "Other"));
      const path = `/api/form/${formId}/validate`;
      expectOk(await other.post(path, { submission }));
      for (const id of [applicationId, uuid(9)])
        expectRefusal(await other.post(path, { submission, applicationId: id }), 400, "[invalid]applicationId");
      await makeUser(world, formId, lambdaId, "Of the other", other);
      expect(codesOf(await other.post(path, { submission }))).toEqual(["[No]"]);
      await world.caller.inTenant(world.defaultTenantId).delete(`/api/application/${applicationId}`);
      expectOk(await world.caller.inTenant(world.defaultTenantId).post(path, { submission }));
      expectRefusal(await validate(world, formId, { submission, applicationId }), 400, "[invalid]applicationId");
    });
  });

  requirement(
    ["form-use.application", "form-use.lambda"],
    "an application of the host's own directory has its lambda too",
    async () => {
      const applications: DirectoryApplication[] = [];
      const nobody = async (): Promise<[]> => [];
      const people = { findUsers: nobody, findRoles: nobody, findRegistrations: nobody };
      const world = await start({ lambdas, directory: { ...people, findApplications: async () => applications } });
      const body = `function validate(${parameters}) { result.errors.generalErrors.push({ code: "[No]", message: context.application.id }); }`;
      const selfServiceRegistrationValidationId = await makeLambda(world, "SelfServiceRegistrationValidation", { body });
      const rest = { name: "Forum", lambdaConfiguration: { selfServiceRegistrationValidationId } };
      applications.push({ ...rest, id: uuid(1), tenantId: world.defaultTenantId }, { ...rest, id: uuid(2), tenantId: uuid(99) });
      const formId = await makeFormOf(world, [await managedField(world, "user.lastName")]);
      const caller = world.caller.inTenant(world.defaultTenantId);
      const post = (applicationId?: string): ReturnType<typeof validate> =>
        caller.post(`/api/form/${formId}/validate`, { submission, applicationId });
      expectOk(await post());
      expect((await post(uuid(1))).at("generalErrors")).toEqual([{ code: "[No]", message: uuid(1) }]);
      for (const id of [uuid(2), uuid(3)]) expectRefusal(await post(id), 400, "[invalid]applicationId");
    },
  );
});
