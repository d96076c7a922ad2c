/** What a service or an app answers. */
export interface Answer {
  readonly status: number;
  readonly body: {
    readonly groups: readonly object[];
    readonly token: string;
    readonly user: { readonly id: string; readonly registrations: readonly { readonly roles: readonly string[] }[] };
  };
}

/** Calls a service, or an app on one. */
export async function call(url: string, authorization: string, body?: object): Promise<Answer> {
  const headers = { "content-type": "application/json", ...(authorization && { authorization }) };
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(url, { headers, ...init });
  return { status: response.status, body: JSON.parse((await response.text()) || "null") };
}
