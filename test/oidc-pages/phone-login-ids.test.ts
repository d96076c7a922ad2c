// Phone numbers as login ids of messages.
import { expect, test } from "vitest";
import { expectOk } from "../support/answer.js";
import { ids } from "../support/logins.js";
import { makeMessageTemplate } from "../support/messengers.js";
import { uuid } from "../support/world.js";
import { login, type Stage, startStage } from "./support/stage.js";

const phoneNumber = "+15550100";

async function startWithPhone(): Promise<Stage> {
  const stage = await startStage();
  const { setTenant, world } = stage;
  const forgotPasswordTemplateId = await makeMessageTemplate(
    world,
    { name: "F", defaultTemplate: "f ${changePasswordId}" },
    uuid(841),
  );
  const passwordlessTemplateId = await makeMessageTemplate(world, { name: "P", defaultTemplate: "p ${oneTimeCode!}" }, uuid(842));
  await setTenant({ phoneConfiguration: { forgotPasswordTemplateId, passwordlessTemplateId } });
  expectOk(await world.caller.patch(`/api/user/${ids.user}`, { user: { phoneNumber } }));
  return stage;
}

test("a forgotten password is changed by the link of a text", async () => {
  const { nextText, visitor } = await startWithPhone();
  await visitor.open(`/password/forgot?client_id=${ids.application}`);
  expect((await visitor.send({ loginId: "+1 (555) 0100" })).title).toBe("Check your messages");
  const [, id = ""] = (await nextText()).text.split(" ");
  await visitor.open(`/password/change/${id}?client_id=${ids.application}`);
  const chosen = { password: "another horse battery", "confirm.password": "another horse battery" };
  expect((await visitor.send(chosen)).title).toBe("Password changed");
});

test("the code of a text logs in without a password; the page of an unknown number looks the same", async () => {
  const { ended, nextText, setApplication, visitor } = await startWithPhone();
  await setApplication({ passwordlessConfiguration: { enabled: true, phoneLoginStrategy: "FormField" } });
  await visitor.open(`${login}/passwordless`);
  const unknown = await visitor.send({ loginId: "+15559999" });
  await visitor.open(`${login}/passwordless`);
  const known = await visitor.send({ loginId: phoneNumber });
  expect(known.text).toBe(unknown.text);
  const [, oneTimeCode = ""] = (await nextText()).text.split(" ");
  await visitor.send({ oneTimeCode });
  expect(ended).toMatchObject([{ login: { userId: ids.user, amr: ["otp"] } }]);
});
