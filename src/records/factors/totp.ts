import type { Random } from "../../ports/runtime.js";
import { lazily } from "../../shared/async.js";
import { foldOneTimeCode } from "./one-time-code.js";
import { totpSettings } from "./two-factor-state.js";

const stepMs = totpSettings.timeStep * 1_000;

type Totp = typeof import("otplib");

/** Loads the library for one-time passwords. Call it before a transaction that checks codes. */
export const loadTotp: () => Totp | Promise<Totp> = lazily(() => import("otplib"));

/** The limits of a secret in bytes. The minimum is that of authenticators with 80-bit secrets. */
export const secretBytes: { readonly min: number; readonly max: number } = Object.freeze({ min: 10, max: 512 });

/**
 * A new secret (docs/reference/two-factor.md#secrets). The key of its codes is the bytes of its text, not decoded from Base64
 * (docs/reference/two-factor.md).
 */
export interface TwoFactorSecret {
  /** Twenty characters of the alphabet of Base64. */
  readonly secret: string;
  /** The same bytes in Base32, for QR codes. */
  readonly secretBase32Encoded: string;
}

/** Generates a secret. */
export async function createSecret(random: Random): Promise<TwoFactorSecret> {
  const secret = Buffer.from(random(20)).toString("base64").slice(1, 21);
  const { ScureBase32Plugin } = await loadTotp();
  return { secret, secretBase32Encoded: new ScureBase32Plugin().encode(Buffer.from(secret)) };
}

/** The time step of an instant in epoch milliseconds. */
export function stepAt(instant: number): number {
  return Math.floor(instant / stepMs);
}

/** The code of a time step. */
export async function codeOfStep(key: Uint8Array, step: number): Promise<string> {
  const { generateSync, ...library } = await loadTotp();
  return generateSync({ secret: key, epoch: step * totpSettings.timeStep, guardrails: guardrailsOf(library) });
}

/**
 * Returns the time step of a code: the current one or an adjacent one, and later than `after`, the last accepted one. Undefined
 * for a wrong code.
 */
export async function findStep(key: Uint8Array, typed: string, now: number, after: number = -1): Promise<number | undefined> {
  const code = foldOneTimeCode(typed);
  // After the clock was set back, no step is acceptable.
  if (!/^\d{6}$/.test(code) || after > stepAt(now)) return undefined;
  const { verifySync, ...library } = await loadTotp();
  const result = verifySync({
    secret: key,
    token: code,
    epoch: Math.floor(now / 1_000),
    epochTolerance: totpSettings.timeStep,
    guardrails: guardrailsOf(library),
    ...(after >= 0 && { afterTimeStep: after }),
  });
  return result.valid && "timeStep" in result ? result.timeStep : undefined;
}

function guardrailsOf({ createGuardrails }: Pick<Totp, "createGuardrails">) {
  return createGuardrails({ MIN_SECRET_BYTES: secretBytes.min, MAX_SECRET_BYTES: secretBytes.max });
}
