import { createHash } from "node:crypto";

/**
 * The script of the pages with automatic forms or passkeys; all other pages have none. A passkey form has its action in
 * `data-passkey` and the service's options in `data-options`; the script puts the authenticator's response into the field
 * `credential` and submits the form.
 */
export const pageScript = `"use strict";
const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
const text = (buffer) => btoa(Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("")).replace(/\\+/g, "-").replace(/\\//g, "_").replace(/=+$/, "");
const ids = (list) => (list || []).map((item) => ({ ...item, id: bytes(item.id) }));
const toOptions = (json) => ({
  ...json,
  challenge: bytes(json.challenge),
  ...(json.user && { user: { ...json.user, id: bytes(json.user.id) } }),
  ...(json.allowCredentials && { allowCredentials: ids(json.allowCredentials) }),
  ...(json.excludeCredentials && { excludeCredentials: ids(json.excludeCredentials) }),
});
const toJson = ({ id, rawId, type, response }) => ({
  id,
  rawId: text(rawId),
  type,
  clientExtensionResults: {},
  response: {
    clientDataJSON: text(response.clientDataJSON),
    ...(response.attestationObject && { attestationObject: text(response.attestationObject), transports: response.getTransports?.() ?? [] }),
    ...(response.authenticatorData && { authenticatorData: text(response.authenticatorData), signature: text(response.signature) }),
    ...(response.userHandle && { userHandle: text(response.userHandle) }),
  },
});
document.querySelector("form[data-send]")?.submit();
for (const form of document.querySelectorAll("form[data-passkey]")) {
  const isNew = form.dataset.passkey === "create";
  if (!window.PublicKeyCredential) continue;
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    if (form.elements.credential.value || event.submitter?.name === "skip") return;
    event.preventDefault();
    try {
      const publicKey = toOptions(JSON.parse(form.dataset.options));
      const made = await (isNew ? navigator.credentials.create({ publicKey }) : navigator.credentials.get({ publicKey }));
      form.elements.credential.value = JSON.stringify(toJson(made));
    } catch (error) {
      form.elements.credential.value = JSON.stringify({ error: error.name });
    }
    form.submit();
  });
}
`;

/** Changes with the script. */
export const pageScriptDigest: string = createHash("sha256").update(pageScript).digest("base64url").slice(0, 16);
