import type { SmsMessage } from "latchkey/ports";
import { expect } from "vitest";
import { type Answer, expectOk } from "./answer.js";
import { type Flows, startFlows } from "./flows.js";
import { anybody, arrangeLogin, ids, loginBody } from "./logins.js";
import { makeTemplate } from "./mails.js";
import { codeAt, secret, stepMs } from "./two-factor.js";
import { type Start, uuid } from "./world.js";

/** The mail template with a code. */
export const codeTemplateId: string = uuid(840);

/** The second-factor path of the user of `arrangeLogin`. */
export const factorPath: string = `/api/user/two-factor/${ids.user}`;

/** A service that allows methods of every kind, with the user and application of `arrangeLogin`. */
export interface Factors extends Flows {
  /** Starts the delivery; returns the next text message. */
  readonly nextText: () => Promise<SmsMessage>;
  /** The code of the next mail. */
  readonly nextCode: () => Promise<string>;
  /** Adds an authenticator; returns its id. Uses its current code and advances the clock. */
  readonly addAuthenticator: () => Promise<string>;
  /** Adds the address with the code of a mail; returns the id. */
  readonly addEmail: (email?: string) => Promise<string>;
  /** Logs in with the password; expects 242; returns the `twoFactorId`. */
  readonly begin: (fields?: object) => Promise<string>;
  /** Completes a login with the next code of the authenticator. */
  readonly finish: (twoFactorId: string, fields?: object) => Promise<Answer>;
}

/** Starts the service. */
export async function startFactors(start: Start, multiFactorConfiguration: object = {}): Promise<Factors> {
  const texts: SmsMessage[] = [];
  const sendSms = async (message: SmsMessage): Promise<{ readonly kind: "ok" }> => {
    texts.push(message);
    return { kind: "ok" };
  };
  const flows = await startFlows(start, {}, { sendSms });
  const { world } = flows;
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the service's own language.
  await makeTemplate(world, { name: "Code", defaultTextTemplate: "code ${code}" }, codeTemplateId);
  const email = { enabled: true, templateId: codeTemplateId };
  await flows.setTenant({ multiFactorConfiguration: { email, sms: { enabled: true }, ...multiFactorConfiguration } });
  await arrangeLogin(world);
  const methodsOf = async (): Promise<Answer> => world.caller.get(`/api/user/${ids.user}`);
  const nextCode = async (): Promise<string> => (await flows.nextMail("code")).words[1] ?? "";
  const add = async (body: object): Promise<string> => {
    const count = ((await methodsOf()).at("user.twoFactor.methods") as unknown[] | undefined)?.length ?? 0;
    expectOk(await world.caller.post(factorPath, body));
    return (await methodsOf()).textAt(`user.twoFactor.methods.${count}.id`);
  };
  const nextText = async (): Promise<SmsMessage> => {
    await world.identity.settle();
    return texts.shift() ?? expect.fail("There is no text message.");
  };
  return {
    ...flows,
    nextText,
    nextCode,
    addAuthenticator: async () => {
      const id = await add({ code: codeAt(secret, world.clock.instant), method: "authenticator", secret });
      world.clock.advance(stepMs);
      return id;
    },
    addEmail: async (address = "ann@mail.example") => {
      const target = { email: address, method: "email" };
      expectOk(await world.caller.post("/api/two-factor/send", { ...target, userId: ids.user }));
      return add({ ...target, code: await nextCode() });
    },
    begin: async (fields = {}) => {
      const answer = await world.caller.post("/api/login", loginBody(fields));
      if (answer.status !== 242) throw new Error(`${answer.status} ${answer.text}`);
      return answer.textAt("twoFactorId");
    },
    finish: async (twoFactorId, fields = {}) => {
      const code = codeAt(secret, world.clock.advance(stepMs));
      return anybody(world).post("/api/two-factor/login", { code, twoFactorId, ...fields });
    },
  };
}
