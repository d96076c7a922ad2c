import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert } from "./assert.ts";
import type { ClientRun } from "./run.ts";
import { load, type Stage } from "./stage.ts";

/** Somebody whom the service does not know yet. */
const address = "grace@provider.example";

const entityID = "https://provider.example";
// The template of the library leaves it to its users; profiles 4.1.4.2 demands one.
const statement =
  '<saml:AuthnStatement AuthnInstant="{IssueInstant}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>';

const redirect = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect";

/** samlify as the identity provider, where the service is the service provider. */
export function samlifyProvider({ call, clientId, url }: Stage): ClientRun {
  return async (step) => {
    const library = await load("samlify");
    library.setSchemaValidator({ validate: async () => "valid" });
    const { certificate, privateKey } = createPair();
    const provider = library.IdentityProvider({
      entityID,
      privateKey,
      signingCert: certificate,
      singleSignOnService: [{ Binding: redirect, Location: `${entityID}/sso` }],
      loginResponseTemplate: {
        context: library.SamlLib.defaultLoginResponseTemplate.context.replace("{AuthnStatement}", statement),
        attributes: [
          {
            name: "email",
            valueTag: "user.email",
            nameFormat: "urn:oasis:names:tc:SAML:2.0:attrname-format:basic",
            valueXsiType: "xs:string",
          },
        ],
      },
    });
    const providerId = await step("provider", () => addProvider(call, clientId, certificate));
    const service = await step("metadata", async () =>
      library.ServiceProvider({ metadata: await (await fetch(`${url}/samlv2/sp/metadata/${providerId}`)).text() }),
    );
    const started = await step("start", async () => {
      const body = { applicationId: clientId, identityProviderId: providerId, redirect_uri: `${url}/oauth2/callback` };
      return (await call("POST", "/api/identity-provider/start", body)) as unknown as { code: string; url: string };
    });
    const response: string = await step("response", async () => {
      const query = Object.fromEntries(new URL(started.url).searchParams);
      const request = await provider.parseLoginRequest(service, "redirect", { query });
      const replace = (template: string) => {
        const context = library.SamlLib.replaceTagsByValue(
          template,
          toTags(request.extract.request.id, `${url}/samlv2`, `${url}/samlv2/sp/${providerId}`),
        );
        return { id: "_response", context };
      };
      return (await provider.createLoginResponse(service, request, "post", {}, replace)).context;
    });
    await step("login", async () => {
      const data = { SAMLResponse: response, RelayState: started.code };
      const answer = await call("POST", "/api/identity-provider/login", {
        applicationId: clientId,
        identityProviderId: providerId,
        data,
      });
      const { email } = answer.user as { email: string };
      assert(email === address, `The address is ${email}.`);
    });
  };
}

// samlify writes no certificates.
function createPair(): { readonly certificate: string; readonly privateKey: string } {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-clients-"));
  try {
    const [key, file] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
    const subject = ["-subj", "/CN=provider.example", "-days", "2"];
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", file, ...subject], {
      stdio: "ignore",
    });
    return { certificate: readFileSync(file, "utf8"), privateKey: readFileSync(key, "utf8") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function addProvider(call: Stage["call"], clientId: string, certificate: string): Promise<string> {
  const imported = await call("POST", "/api/key/import", { key: { name: "samlify", certificate } });
  const { id: keyId } = imported.key as { id: string };
  const identityProvider = {
    type: "SAMLv2",
    name: "samlify",
    buttonText: "Log in",
    idpEndpoint: `${entityID}/sso`,
    keyId,
    emailClaim: "email",
    enabled: true,
    domains: ["provider.example"],
    applicationConfiguration: { [clientId]: { enabled: true, createRegistration: true } },
  };
  const made = await call("POST", "/api/identity-provider", { identityProvider });
  return (made.identityProvider as { id: string }).id;
}

function toTags(requestId: string, base: string, audience: string): Readonly<Record<string, string>> {
  const now = Date.now();
  const [instant, end] = [new Date(now).toISOString(), new Date(now + 300_000).toISOString()];
  return {
    ID: `_${randomUUID()}`,
    AssertionID: `_${randomUUID()}`,
    Destination: `${base}/acs`,
    Audience: audience,
    SubjectRecipient: `${base}/acs`,
    AssertionConsumerServiceURL: `${base}/acs`,
    Issuer: entityID,
    IssueInstant: instant,
    StatusCode: "urn:oasis:names:tc:SAML:2.0:status:Success",
    ConditionsNotBefore: instant,
    ConditionsNotOnOrAfter: end,
    SubjectConfirmationDataNotOnOrAfter: end,
    NameIDFormat: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
    NameID: "ada",
    InResponseTo: requestId,
    attrUserEmail: address,
  };
}
