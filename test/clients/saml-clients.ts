import { inflateRawSync } from "node:zlib";
import { Person, readForm } from "./person.ts";
import type { ClientRun } from "./run.ts";
import { samlifyProvider } from "./samlify-provider.ts";
import { load, type Stage, user } from "./stage.ts";

/** Where the service provider takes responses: nobody listens there, and nobody has to. */
const consumer = "http://localhost:4200/acs";

/** The clients of SAML. Single logout is not served. */
export async function samlClients(stage: Stage): Promise<Readonly<Record<string, ClientRun>>> {
  for (const issuer of issuers) await addApplication(stage, issuer);
  return {
    "@node-saml/node-saml": nodeSaml(stage),
    "@node-saml/passport-saml": passportSaml(stage),
    samlify: samlify(stage),
    "samlify as the identity provider": samlifyProvider(stage),
  };
}

const issuers = ["urn:clients:node-saml", "urn:clients:passport-saml", "urn:clients:samlify"];

/** Makes an application that logs in by SAML. */
async function addApplication({ call, userId }: Stage, entityId: string): Promise<void> {
  const made = await call("POST", "/api/key/generate", { key: { name: entityId, algorithm: "RS256", length: 2048 } });
  const { id: keyId } = made.key as { id: string };
  const samlv2Configuration = { enabled: true, issuer: entityId, authorizedRedirectURLs: [consumer], keyId };
  const answer = await call("POST", "/api/application", { application: { name: entityId, samlv2Configuration } });
  const { id: applicationId } = answer.application as { id: string };
  await call("POST", `/api/user/registration/${userId}`, { registration: { applicationId } });
}

async function fetchMetadata({ tenantId, url }: Stage): Promise<string> {
  return (await fetch(`${url}/samlv2/metadata/${tenantId}`)).text();
}

interface ProviderSettings {
  readonly entryPoint: string;
  readonly idpIssuer: string;
  readonly idpCert: readonly string[];
}

function readMetadata(xml: string): ProviderSettings {
  const idpCert = [...xml.matchAll(/<(?:\w+:)?X509Certificate>([^<]+)</g)].map(([, text = ""]) => text.replace(/\s/g, ""));
  const [, entryPoint = ""] = /SingleSignOnService[^>]*Location="([^"]+)"/.exec(xml) ?? [];
  const [, idpIssuer = ""] = /entityID="([^"]+)"/.exec(xml) ?? [];
  return { entryPoint, idpIssuer, idpCert };
}

/** Logs in at the provider; returns the fields that the browser posts to the consumer. */
async function answerRequest(start: string | URL): Promise<Readonly<Record<string, string>>> {
  const person = new Person();
  const html = await person.logInTo(start);
  const form = readForm(html, start);
  if (form?.action.href !== consumer) throw new Error(`The form goes to ${form?.action.href}: ${html.slice(0, 300)}`);
  return form.fields;
}

function nodeSaml(stage: Stage): ClientRun {
  return async (step) => {
    const { SAML } = await load("@node-saml/node-saml");
    const issuer = "urn:clients:node-saml";
    const provider = await step("metadata", async () => readMetadata(await fetchMetadata(stage)));
    const saml = new SAML({
      ...provider,
      idpCert: [...provider.idpCert],
      issuer,
      callbackUrl: consumer,
      audience: issuer,
      wantAuthnResponseSigned: false,
    });
    const fields = await step("login", async () => answerRequest(await saml.getAuthorizeUrlAsync("state", undefined, {})));
    await step("response", async () => {
      const { profile } = await saml.validatePostResponseAsync(fields);
      if (profile.email !== user.email && profile.nameID !== user.email)
        throw new Error(`The profile is ${JSON.stringify(profile)}.`);
    });
  };
}

function passportSaml(stage: Stage): ClientRun {
  return async (step) => {
    const { Strategy } = await load("@node-saml/passport-saml");
    const issuer = "urn:clients:passport-saml";
    const provider = await step("metadata", async () => readMetadata(await fetchMetadata(stage)));
    const settings = {
      ...provider,
      idpCert: [...provider.idpCert],
      issuer,
      callbackUrl: consumer,
      audience: issuer,
      wantAuthnResponseSigned: false,
    };
    const verify = (profile: object, done: (error: null, profile: object) => void) => done(null, profile);
    const authenticate = (
      body?: object,
    ): Promise<{ readonly redirect?: string; readonly profile?: { readonly nameID: string } }> =>
      new Promise((resolve, reject) => {
        const strategy = Object.assign(new Strategy(settings, verify, verify), {
          redirect: (redirect: string) => resolve({ redirect }),
          success: (profile: { readonly nameID: string }) => resolve({ profile }),
          fail: (info: unknown) => reject(new Error(JSON.stringify(info))),
          error: reject,
        });
        strategy.authenticate({ body, query: {}, headers: {} }, {});
      });
    const { redirect = "" } = await step("start", () => authenticate());
    const fields = await step("login", () => answerRequest(redirect));
    await step("response", async () => {
      const { profile } = await authenticate(fields);
      if (profile === undefined) throw new Error("There is no profile.");
    });
  };
}

function samlify(stage: Stage): ClientRun {
  return async (step) => {
    const library = await load("samlify");
    library.setSchemaValidator({ validate: async () => "valid" });
    const entityID = "urn:clients:samlify";
    const document = await step("metadata", () => fetchMetadata(stage));
    const binding = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST";
    const service = library.ServiceProvider({ entityID, assertionConsumerService: [{ Binding: binding, Location: consumer }] });
    const provider = await step("provider", () => library.IdentityProvider({ metadata: document }));
    const fields = await step("login", async () => {
      const { context } = service.createLoginRequest(provider, "redirect");
      inflateRawSync(Buffer.from(new URL(context).searchParams.get("SAMLRequest") ?? "", "base64"));
      return answerRequest(context);
    });
    await step("response", async () => {
      const { extract } = await service.parseLoginResponse(provider, "post", { body: fields });
      if (extract.nameID === undefined) throw new Error("There is no name of the user.");
    });
  };
}
