// The page for a passkey says the same to everybody: nobody has proved anything yet.
import { simpleWebAuthn } from "latchkey/passkeys";
import { expect } from "vitest";
import { toVisitor } from "../../adapters/oidc/server/visitor.js";
import { toApiRequest } from "../../src/http/transport/inject.js";
import { SoftwareAuthenticator } from "../support/authenticator.js";
import { ids } from "../support/logins.js";
import { type Options, register } from "../support/passkeys.js";
import { requirement } from "../support/requirement.js";
import { login, type Stage, startStage } from "./support/stage.js";

const page = { origin: "http://localhost", rpId: "localhost" };

async function startKnown(): Promise<Stage & { readonly authenticator: SoftwareAuthenticator; readonly passkeyId: string }> {
  const stage = await startStage({}, { passkeys: simpleWebAuthn() });
  await stage.setTenant({
    webAuthnConfiguration: { bootstrapWorkflow: { enabled: true }, enabled: true, relyingPartyId: page.rpId },
  });
  const authenticator = new SoftwareAuthenticator("ES256", page);
  const { id } = await register(stage.world.caller, authenticator, { page });
  // Somebody without a passkey.
  await stage.world.identity.users.create({ user: { email: "bob@example.com", password: "another password" } });
  return { ...stage, authenticator, passkeyId: id };
}

const optionsOf = ({ visitor }: Stage): Options => JSON.parse(visitor.page.find(/data-options="([^"]*)"/)) as Options;

/** What does not differ by chance. */
const shapeOf = ({ challenge, ...rest }: Options): unknown => ({ ...rest, length: challenge.length });

requirement(
  "pages.unknown-users",
  "the page for a passkey is alike for each user that was named, and logs in the owner of any",
  async () => {
    const stage = await startKnown();
    const shapes: unknown[] = [];
    for (const loginId of ["ann@example.com", "bob@example.com", "nobody@example.com"]) {
      stage.ask();
      await stage.visitor.open(login);
      await stage.visitor.send({ loginId, password: "a wrong password" });
      await stage.visitor.open(`${login}/passkey`);
      shapes.push(shapeOf(optionsOf(stage)));
    }
    expect(shapes).toEqual(Array(3).fill(expect.objectContaining({ allowCredentials: [] })));
    expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1);
    const credential = JSON.stringify(stage.authenticator.get(optionsOf(stage)));
    await stage.visitor.send({ credential, rpId: page.rpId });
    expect(stage.ended[0]?.login).toMatchObject({ userId: ids.user, authenticationType: "WEBAUTHN" });
  },
);

requirement("pages.unknown-users", "no start of a visitor shows passkeys, however a user is named", async () => {
  const { passkeyId, world } = await startKnown();
  const start = async (body: object): Promise<unknown> => {
    const sent = { applicationId: ids.application, workflow: "bootstrap", ...body };
    const request = toApiRequest({ method: "POST", url: "/api/webauthn/start", body: sent });
    const answer = await world.identity.handle(request, toVisitor(world.defaultTenantId));
    const { options } = JSON.parse(answer?.body || "{}") as { readonly options?: Options };
    return [answer?.status, options && shapeOf(options)];
  };
  const anybody = await start({});
  for (const named of [{ loginId: "ann@example.com" }, { loginId: "bob@example.com" }, { loginId: "nobody" }])
    expect(await start(named)).toEqual(anybody);
  for (const named of [{ userId: ids.user }, { userId: world.defaultTenantId }, { credentialId: passkeyId }])
    expect(await start(named)).toEqual(anybody);
});
