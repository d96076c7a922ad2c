import type { InteractionHost, Interactions, ProviderPage } from "latchkey/oidc";
import type { ApiRequest, ApiResponse } from "latchkey/ports";

/** Pages without a look: each answers what it shows as JSON, and takes a form. They wait between a password that is right and the login. */
export const createPlainPages = (wait: () => Promise<void>): Interactions => ({
  handle: async (request, host) => {
    const interaction = await host.find(request);
    if (interaction === undefined) return request.path.startsWith("/oauth2/interaction/") ? json(404, {}) : undefined;
    if (request.method !== "POST") return json(200, interaction);
    const form = new URLSearchParams(request.body?.kind === "text" ? request.body.text : await readBody(request));
    if (form.has("abort")) return host.abort(request);
    if (interaction.prompt === "consent") return host.consent(request, form.get("scopes")?.split(" "));
    return logIn(request, host, { form, wait, ...interaction });
  },
  show: async (page: ProviderPage) => json(page.kind === "error" ? page.status : 200, page),
});

/** The same, which wait for nothing. */
export const plainPages: Interactions = createPlainPages(async () => undefined);

async function logIn(
  request: ApiRequest,
  host: InteractionHost,
  {
    applicationId,
    form,
    tenantId,
    wait,
  }: {
    readonly form: URLSearchParams;
    readonly applicationId: string;
    readonly tenantId: string;
    readonly wait: () => Promise<void>;
  },
): Promise<ApiResponse> {
  const body = { applicationId, loginId: form.get("loginId"), password: form.get("password"), noJWT: true };
  const answer = await host.call(request, { method: "POST", url: "/api/login", body }, tenantId);
  if (answer.status !== 200 && answer.status !== 202) return json(answer.status, {});
  const { user } = JSON.parse(answer.body) as { readonly user: { readonly id: string } };
  await wait();
  return host.login(request, {
    userId: user.id,
    acr: "password",
    amr: ["pwd"],
    authenticationType: form.get("type") ?? undefined,
  });
}

async function readBody({ body }: ApiRequest): Promise<string> {
  if (body?.kind !== "stream") return "";
  const chunks: Uint8Array[] = [];
  for await (const chunk of body.stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function json(status: number, value: object): ApiResponse {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
}
