import { createHash } from "node:crypto";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { expect, onTestFinished, test, vi } from "vitest";
import { toHostPasswords } from "../../src/security/password-hashes/host-passwords.js";
import { createRuntime } from "../../src/shared/default-runtime.js";
import { requirement } from "../support/requirement.js";

const password = "correct horse battery";
const hash = createHash("sha1").update(`pepper${password}`).digest("hex");
const applicationId = "2d1f5c9e-1f5c-4c1e-9c1f-5c9e1f5c4c1e";
const id = "6c1f5c9e-1f5c-4c1e-9c1f-5c9e1f5c4c1e";

type Options = Parameters<typeof createIdentityService>[0];
type Schemes = NonNullable<Options["passwordSchemes"]>;

async function start(passwordSchemes: Schemes | undefined, passwordHash: string, more: Partial<Options> = {}) {
  const storage = more.storage ?? memoryStorage();
  const identity = await createIdentityService({ ...more, storage, passwordSchemes });
  await identity.applications.create({ applicationId, application: { name: "Shop" } });
  const imported = identity.bulkUsers.import({ users: [{ id, username: "ada", active: true, passwordHash }] });
  const login = async (given: string): Promise<boolean> => {
    const login = { loginId: "ada", password: given };
    return identity.logins.login(login).then(
      () => true,
      () => false,
    );
  };
  return { identity, imported, login };
}

const acme = {
  accepts: (text: string) => /^[\da-f]{40}$/.test(text),
  verify: vi.fn((given: string, text: string) => createHash("sha1").update(`pepper${given}`).digest("hex") === text),
};

requirement(
  "users.import-own-scheme",
  "a scheme of the host checks its hashes, until the first login replaces them",
  async () => {
    const { identity, imported, login } = await start({ "acme-sha1": acme }, `acme-sha1$${hash}`);
    await imported;
    expect([await login("wrong"), await login(password)]).toEqual([false, true]);
    expect(acme.verify.mock.calls).toEqual([
      ["wrong", hash],
      [password, hash],
    ]);
    acme.verify.mockClear();
    expect([await login("wrong"), await login(password)]).toEqual([false, true]);
    expect(acme.verify).not.toHaveBeenCalled();
    await identity.close();
  },
);

requirement(
  "users.import-own-scheme",
  "a current password is checked by the host's scheme, and so is an earlier one",
  async () => {
    const { identity, imported } = await start({ "acme-sha1": acme }, `acme-sha1$${hash}`);
    await imported;
    const { tenants } = await identity.tenants.list();
    const rules = { passwordValidationRules: { rememberPreviousPasswords: { enabled: true, count: 3 } } };
    await identity.tenants.patch({ tenantId: tenants[0]?.id ?? "", patch: { tenant: rules } });
    const change = (currentPassword: string, next: string): Promise<unknown> =>
      identity.logins.changePassword({ loginId: "ada", currentPassword, password: next });
    await expect(change("wrong", "another password 1")).rejects.toMatchObject({ fieldErrors: { currentPassword: [{}] } });
    await expect(change(password, password)).rejects.toMatchObject({ fieldErrors: { password: [{}] } });
    await change(password, "another password 1");
    await identity.close();
  },
);

requirement("users.import-own-scheme", "a text that the scheme does not accept is refused", async () => {
  for (const text of ["acme-sha1$short", "acme-sha1$", "acme-sha1", `other$${hash}`, hash]) {
    const { identity, imported } = await start({ "acme-sha1": acme }, text);
    await expect(imported).rejects.toMatchObject({
      fieldErrors: { "users[0].passwordHash": [{ code: "[invalid]users[0].passwordHash" }] },
    });
    await identity.close();
  }
});

const ill: readonly (readonly [string, Schemes[string]["verify"]])[] = [
  [
    "throws",
    () => {
      throw new Error("down");
    },
  ],
  ["rejects", () => Promise.reject(new Error("down"))],
];
test.each(ill)("a scheme that %s lets nobody in, and is logged", async (_name, verify) => {
  const error = vi.fn();
  const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error };
  const { identity, imported, login } = await start({ acme: { verify } }, "acme$anything", { logger });
  await imported;
  expect(await login(password)).toBe(false);
  expect(error).toHaveBeenCalledWith(expect.anything(), "passwordSchemes.acme did not check a password");
  await identity.close();
});

test("a scheme that does not answer in ten seconds lets nobody in, and is logged", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const { matches } = toHostPasswords(
    { slow: { verify: () => new Promise<boolean>(() => undefined) } },
    createRuntime({ logger }),
  );
  const checked = matches(password, "slow$anything");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await checked).toBe(false);
  expect(logger.error).toHaveBeenCalledOnce();
});

test("only true lets in", async () => {
  const verify = (): boolean => JSON.parse('"yes"');
  const { identity, imported, login } = await start({ acme: { verify } }, "acme$anything");
  await imported;
  expect(await login(password)).toBe(false);
  await identity.close();
});

test.each(["bcrypt", "scrypt", "argon2", "salted-md5", "Acme", "a$b", "", "constructor_"])(
  "a scheme cannot be called %s",
  async (name) => {
    const options = { storage: memoryStorage(), passwordSchemes: { [name]: { verify: () => true } } };
    await expect(createIdentityService(options)).rejects.toThrow(TypeError);
  },
);
