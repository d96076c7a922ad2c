import { readJson } from "../server/form-errors.js";
import type { PageCall } from "../server/page-call.js";
import { hasPasskeys } from "./passkey-form.js";

const cookieOf = ({ place }: PageCall): string => `latchkey_no_passkey_${place.tenant?.id ?? ""}`;

/** How long a refusal lasts, in seconds. */
const restSeconds = 90 * 86_400;

/** Whether to offer a passkey after a password login: the user has none, and no offer was declined in this browser recently. */
export async function suggestsPasskey(call: PageCall, userId: string): Promise<boolean> {
  const isPassword = call.flow.amr?.split(" ").includes("pwd") === true;
  if (!isPassword || !hasPasskeys(call) || call.parts.cookies.read(cookieOf(call)) !== undefined) return false;
  const response = await call.callApi({ method: "GET", url: `/api/webauthn?userId=${encodeURIComponent(userId)}` });
  const { credentials } = response.status === 200 ? readJson(response.body) : {};
  return Array.isArray(credentials) && credentials.length === 0;
}

/** Stores in the browser that the user declined. */
export function skipPasskey(call: PageCall): void {
  call.setCookie(cookieOf(call), "later", { maxAge: restSeconds });
}
