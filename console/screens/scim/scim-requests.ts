import { apiUrl, send } from "../../app/api.js";

/** The path below which the service answers SCIM requests. */
export const scimPath = "/api/scim/resource/v2";

/** A response of the SCIM server of a tenant. */
export interface ScimAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Sends a GET request to the SCIM server of the current tenant, as the signed-in person. */
export async function readScim(path: string, signal?: AbortSignal): Promise<ScimAnswer> {
  const response = await send(apiUrl(scimPath + path), {
    headers: { accept: "application/scim+json" },
    ...(signal && { signal }),
  });
  const text = await response.text();
  return { status: response.status, body: parse(text) };
}

function parse(text: string): ScimAnswer["body"] {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Returns the `detail` of a response, or its status code. */
export function detailOf({ body, status }: ScimAnswer): string {
  return typeof body.detail === "string" ? body.detail : String(status);
}
