import type { LambdaArguments } from "../../availability/lambda-types.js";

const mask = "***";

/** The shortest part of a secret in Base64 to search for: shorter ones occur by chance. */
const minEncodedLength = 8;

/** Replaces secrets in texts: plain, and encoded as JSON, a URL, a form or Base64. */
export function redactorOf(secrets: Iterable<string>): (text: string) => string {
  const forms = [...new Set([...secrets].flatMap(formsOf))].sort((a, b) => b.length - a.length);
  const replace = (text: string, form: string): string => (text.length < form.length ? text : text.replaceAll(form, mask));
  return (text) => forms.reduce(replace, text);
}

function formsOf(secret: string): readonly string[] {
  if (secret === "") return [];
  const text = secret.toWellFormed();
  const escaped = escapeAsJson(text);
  const encoded = encodeURIComponent(text);
  const inForm = new URLSearchParams([["", text]]).toString().slice(1);
  return [
    secret,
    text,
    escaped,
    escapeAsJson(escaped),
    encoded,
    withLowerHex(encoded),
    inForm,
    withLowerHex(inForm),
    ...inBase64(text),
  ];
}

function withLowerHex(encoded: string): string {
  return encoded.replace(/%[\dA-F]{2}/g, (byte) => byte.toLowerCase());
}

function escapeAsJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

// After another text, as in Basic credentials, the same bytes have one of three Base64 encodings. Only characters of nothing but
// the secret count.
function inBase64(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const inner = [0, 1, 2].map((shift) => {
    const end = Math.floor(((shift + bytes.length) * 8) / 6);
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
    return encoded.slice(Math.ceil((shift * 8) / 6), end);
  });
  const whole = bytes.toString("base64");
  const parts = [whole.replace(/=+$/, ""), ...inner].filter((part) => part.length >= minEncodedLength);
  return [whole, ...parts].flatMap((part) => [part, part.replaceAll("+", "-").replaceAll("/", "_")]);
}

/** Members with secret content: names that contain these words. */
const secretWords =
  /password|passphrase|passcode|pwd|secret|token|credential|salt|authori[sz]ation|cookie|apikey|privatekey|recoverycode|verificationid|twofactorid|twofactortrustid/i;

/** Decoded claims of an OpenID provider, in members with names like tokens. */
const readTokens: ReadonlySet<string> = new Set(["idToken", "id_token"]);

// Never starts within a word, so that each character is scanned a few times at most.
const signedToken = /(?<![\w-])eyJ[\w-]*\.[\w-]+\.[\w-]*/g;

/** The arguments of a lambda as JSON for logs: without secrets by name, and without signed tokens. */
export function redactArguments(given: LambdaArguments): string {
  return JSON.stringify(given, (name, value: unknown) => {
    const isSecret = secretWords.test(name.replaceAll(/[-_]/g, ""));
    if (typeof value === "string") return isSecret ? mask : value.replace(signedToken, mask);
    const tellsNothing = typeof value === "boolean" || value === null || value === undefined;
    const isReadToken = readTokens.has(name) && typeof value === "object";
    return isSecret && !tellsNothing && !isReadToken ? mask : value;
  });
}
