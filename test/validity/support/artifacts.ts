import * as client from "openid-client";
import { Browser } from "../../oidc/support/browser.js";
import { ada, beginLogin, completeLogin, logIn } from "../../oidc/support/provider.js";
import { addFactor, deviceGrant, type Stage, toLogin } from "./stage.js";

/** Tries to use an artifact: whether it was of use. */
type Use = () => Promise<boolean>;

const isOk = ({ status }: { readonly status: number }): boolean => status === 200 || status === 202;

// A login, and what is done with its tokens.
async function logInto(stage: Stage, fields: object = {}): Promise<{ readonly token: string; readonly refreshToken: string }> {
  const answer = await stage.host.post("/api/login", { ...toLogin(stage), ...fields });
  if (!isOk(answer)) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body as { readonly token: string; readonly refreshToken: string };
}

// The list of refresh tokens has exactly those that can be used.
function asListed({ identity, userId }: Stage, use: Use): Use {
  return async () => {
    const { refreshTokens } = await identity.jwt.list({ userId });
    const tokenId = refreshTokens[0]?.id;
    if (tokenId !== undefined) await identity.jwt.retrieve({ tokenId });
    const isUsed = await use();
    if (isUsed !== (tokenId !== undefined)) throw new Error(`The list has ${refreshTokens.length} tokens. Used: ${isUsed}.`);
    return isUsed;
  };
}

const scope = "openid email profile offline_access";

async function startVerified(stage: Stage): Promise<string> {
  const { identity, userId } = stage;
  for (const email of ["first@example.com", ada.email]) await identity.users.patch({ userId, patch: { user: { email } } });
  const path = `/api/user/verify-email?email=${ada.email}&sendVerifyEmail=false`;
  return (await stage.host.put(path, {})).textAt("verificationId");
}

async function waitForFactor(stage: Stage): Promise<string> {
  await addFactor(stage);
  return (await stage.host.post("/api/login", toLogin(stage))).textAt("twoFactorId");
}

/** Every artifact: how it is made, and how it is used. The kinds of the code (`artifactRules`) are named where there is one. */
export const artifacts: Readonly<Record<string, { readonly kind: string; readonly make: (stage: Stage) => Promise<Use> }>> = {
  "access token, validated": {
    kind: "accessToken",
    make: async (stage) => {
      const { token } = await logInto(stage);
      return async () => isOk(await stage.as(token).get("/api/jwt/validate"));
    },
  },
  "access token at GET /api/user": {
    kind: "accessToken",
    make: async (stage) => {
      const { token } = await logInto(stage);
      return async () => isOk(await stage.as(token).get("/api/user"));
    },
  },
  "access token at userinfo": {
    kind: "accessToken",
    make: async (stage) => {
      const { token } = await logInto(stage);
      return async () => isOk(await stage.as(token).get("/oauth2/userinfo"));
    },
  },
  "access token, introspected": {
    kind: "accessToken",
    make: async (stage) => {
      const { token } = await logInto(stage);
      return async () => (await client.tokenIntrospection(stage.config, token).catch(() => ({ active: false }))).active;
    },
  },
  "access token without a recorded session": {
    kind: "accessToken",
    make: async (stage) => {
      const { token } = await logInto(stage, { applicationId: undefined });
      return async () => isOk(await stage.as(token).get("/api/jwt/validate"));
    },
  },
  "refresh token": {
    kind: "refreshToken",
    make: async (stage) => {
      const { refreshToken } = await logInto(stage);
      return asListed(stage, async () => isOk(await stage.admin.post("/api/jwt/refresh", { refreshToken })));
    },
  },
  "passwordless code": {
    kind: "passwordless",
    make: async (stage) => {
      const { applicationId, host } = stage;
      const code = (await host.post("/api/passwordless/start", { applicationId, loginId: ada.email })).textAt("code");
      return async () => {
        const { status } = await stage.admin.post("/api/passwordless/login", { code });
        return status === 200 || status === 202 || status === 242;
      };
    },
  },
  "change-password id": {
    kind: "changePassword",
    make: async (stage) => {
      const body = { loginId: ada.email, sendForgotPasswordEmail: false };
      const id = (await stage.host.post("/api/user/forgot-password", body)).textAt("changePasswordId");
      return async () => isOk(await stage.admin.post(`/api/user/change-password/${id}`, { password: "a third good password" }));
    },
  },
  "one-time password": {
    kind: "oneTimePassword",
    make: async (stage) => {
      const { token } = await logInto(stage);
      const body = { currentPassword: ada.password, password: "the second good password" };
      const oneTimePassword = (await stage.as(token).post("/api/user/change-password", body)).textAt("oneTimePassword");
      const login = { applicationId: stage.applicationId, oneTimePassword };
      return async () => {
        const { status } = await stage.admin.post("/api/login", login);
        return status === 200 || status === 202 || status === 242;
      };
    },
  },
  "email verification id": {
    kind: "emailVerification",
    make: async (stage) => {
      const verificationId = await startVerified(stage);
      return async () => isOk(await stage.admin.post("/api/user/verify-email", { verificationId }));
    },
  },
  "two-factor id": {
    kind: "twoFactorLogin",
    make: async (stage) => {
      const twoFactorId = await waitForFactor(stage);
      const { applicationId } = stage;
      return async () => {
        stage.pass(60_000);
        return isOk(await stage.admin.post("/api/two-factor/login", { applicationId, code: stage.codeNow(), twoFactorId }));
      };
    },
  },
  "trusted device": {
    kind: "twoFactorTrust",
    make: async (stage) => {
      const twoFactorId = await waitForFactor(stage);
      const body = { applicationId: stage.applicationId, code: stage.codeNow(), trustComputer: true, twoFactorId };
      const id = (await stage.host.post("/api/two-factor/login", body)).textAt("twoFactorTrustId");
      const path = `/api/two-factor/status?userId=${stage.userId}&twoFactorTrustId=${id}`;
      return async () => {
        const answer = await stage.admin.get(path);
        return isOk(answer) && answer.text.includes(id);
      };
    },
  },
  "session of a browser": {
    kind: "browserSession",
    make: async (stage) => {
      const browser = new Browser();
      await completeLogin(stage.config, {}, browser);
      return async () => {
        const { url } = await beginLogin(stage.config, { prompt: "none", scope: "openid" });
        return (await browser.follow(url)).url.searchParams.has("code");
      };
    },
  },
  "held login": {
    kind: "heldLogin",
    make: async (stage) => {
      const browser = new Browser();
      const { url } = await beginLogin(stage.config, { scope: "openid" });
      const page = await browser.follow(url);
      const answer = await browser.send(page.url, { loginId: ada.email, password: ada.password });
      const next = new URL(answer.headers.get("location") ?? "", page.url);
      return async () => (await browser.follow(next)).url.searchParams.has("code");
    },
  },
  "authorization code": {
    kind: "authorizationCode",
    make: async (stage) => {
      const { checks, url } = await beginLogin(stage.config);
      const ended = await logIn(new Browser(), url);
      return () => works(client.authorizationCodeGrant(stage.config, ended, checks));
    },
  },
  "device code": {
    kind: "deviceCode",
    make: async (stage) => {
      const { device_code } = await allowDevice(stage);
      return () => works(client.genericGrantRequest(stage.config, deviceGrant, { device_code }));
    },
  },
  "OpenID refresh token": {
    kind: "openIdRefreshToken",
    make: async (stage) => {
      const { refresh_token: token = "" } = await completeLogin(stage.config, { scope });
      return asListed(stage, () => works(client.refreshTokenGrant(stage.config, token)));
    },
  },
  "OpenID access token": {
    kind: "accessToken",
    make: async (stage) => {
      const { access_token: token } = await completeLogin(stage.config);
      return () => works(client.fetchUserInfo(stage.config, token, stage.userId));
    },
  },
};

/** A device that Ada has allowed and that did not poll yet. */
async function allowDevice({ config, publicUrl }: Stage): Promise<client.DeviceAuthorizationResponse> {
  const started = await client.initiateDeviceAuthorization(config, { scope });
  const browser = new Browser();
  const page = new URL(started.verification_uri);
  const readFields = async (answer: Response): Promise<Readonly<Record<string, string>>> =>
    ((await answer.json()) as { readonly form: { readonly fields: Readonly<Record<string, string>> } }).form.fields;
  const entry = await readFields(await browser.send(page));
  const confirm = await readFields(await browser.send(page, { ...entry, user_code: started.user_code }));
  const begun = await browser.send(page, confirm);
  const login = await browser.follow(new URL(begun.headers.get("location") ?? "", publicUrl));
  const answer = await browser.send(login.url, { loginId: ada.email, password: ada.password });
  await browser.follow(new URL(answer.headers.get("location") ?? "", login.url));
  return started;
}

function works(call: Promise<unknown>): Promise<boolean> {
  return call.then(
    () => true,
    (error: unknown) => {
      // A fault of the service is no refusal.
      if (error instanceof Error && /50\d/.test(String(error.cause ?? ""))) throw error;
      return false;
    },
  );
}
