import { idOf, someIdOf } from "./ids.ts";

/** Bodies that are accepted, by the path of their operation, or by its method and path: what is made large is put into these. Each number gives other unique values. */
export function legalBody(method: string, path: string, number: number): Readonly<Record<string, unknown>> {
  return bodies.find(([pattern]) => pattern.test(path) || pattern.test(`${method} ${path}`))?.[1](number) ?? {};
}

const name = (number: number): string => `Large ${number}`;
const email = (number: number): string => `large${number}@example.com`;

type LegalBodies = readonly (readonly [pattern: RegExp, toBody: (number: number) => Readonly<Record<string, unknown>>])[];

const loginId = "user1@example.com";
const applicationId = idOf("application", 0);
const issuer = "https://provider.example.com";
const credential = { id: "a", type: "public-key", response: {} };

/** Of users, their accounts and what is done to them. */
const accountBodies: LegalBodies = [
  [/^\/api\/user\/export/, () => ({ search: { queryString: "*" } })],
  [/^\/api\/user\/import/, (number) => ({ users: [{ email: email(number) }] })],
  [
    /^\/api\/user\/refresh-token\/import/,
    (number) => ({ refreshTokens: [{ token: `a refresh token ${number}`, userId: someIdOf("user", number) }] }),
  ],
  [/^\/api\/user-action-reason/, (number) => ({ userActionReason: { code: `L${number}`, text: name(number) } })],
  [/^\/api\/user-action/, (number) => ({ userAction: { name: name(number) } })],
  [
    /^\/api\/user\/action/,
    (number) => {
      const user = someIdOf("user", number);
      return { action: { actioneeUserId: user, actionerUserId: user, userActionId: idOf("stranger", 2) } };
    },
  ],
  [
    /^\/api\/user\/comment/,
    (number) => ({ userComment: { comment: "Large", commenterId: idOf("user", 1), userId: someIdOf("user", number) } }),
  ],
  [/^\/api\/user\/forgot-password/, () => ({ loginId })],
  [/^\/api\/user\/verify-/, () => ({ verificationId: "a" })],
  [
    /^\/api\/identity-provider\/link/,
    (number) => {
      const account = { identityProviderId: idOf("stranger", 3), identityProviderUserId: name(number) };
      return { identityProviderLink: { ...account, userId: someIdOf("user", number) } };
    },
  ],

  [
    /^\/api\/identity-provider\/start/,
    () => ({ applicationId, identityProviderId: idOf("stranger", 3), redirect_uri: "https://shop.example.com/callback" }),
  ],
  [/^\/api\/jwt\/reconcile/, () => ({ applicationId, encodedJWT: "a", identityProviderId: idOf("stranger", 3) })],
  [/^\/api\/identity-provider\/login/, () => ({ applicationId, identityProviderId: idOf("stranger", 3), data: { token: "a" } })],
  [
    /^\/api\/identity-provider/,
    (number) => ({
      identityProvider: { name: name(number), type: "OpenIDConnect", buttonText: "Log in", oauth2: { client_id: "a", issuer } },
    }),
  ],
  [
    /^\/api\/webauthn\/register\/start/,
    (number) => ({ displayName: name(number), userId: someIdOf("user", number), workflow: "general" }),
  ],
  [/^\/api\/webauthn\/import/, () => ({ credentials: [] })],
  [/^\/api\/webauthn\/start/, () => ({ applicationId, loginId, workflow: "general" })],
  [/^\/api\/webauthn/, () => ({ origin: "https://shop.example.com", rpId: "shop.example.com", credential })],
  [/^\/api\/identity\/verify\/(send|complete)/, () => ({ verificationId: "a" })],
  [/^\/api\/identity\/verify/, () => ({ loginId, loginIdType: "email" })],
  [/^\/api\/passwordless\/start/, () => ({ applicationId, loginId })],
  [/^\/api\/passwordless/, () => ({ code: "a" })],
];

const bodies: LegalBodies = [
  [/^\/api\/integration/, () => ({ integrations: {} })],
  [/\/search$/, () => ({ search: {} })],
  [
    /^\/api\/tenant/,
    (number) => ({ tenant: { name: name(number), lambdaConfiguration: { constants: { number }, secrets: { crm: "x" } } } }),
  ],
  [/^\/api\/api-key/, (number) => ({ apiKey: { name: name(number) } })],
  [/\/role(\/|$)/, (number) => ({ role: { name: name(number) } })],
  [/^\/api\/application/, (number) => ({ application: { name: name(number) } })],
  [
    /^\/api\/user\/registration$/,
    (number) => ({ user: { email: email(number) }, registration: { applicationId: idOf("application", 0) } }),
  ],
  [
    /^\/api\/user\/registration/,
    (number) => ({ registration: { applicationId: idOf("application", number % 2 === 0 ? 0 : 1) } }),
  ],
  [
    /^\/api\/user\/consent/,
    (number) => {
      const user = someIdOf("user", number);
      return { userConsent: { consentId: idOf("consent", 1), giverUserId: user, userId: user } };
    },
  ],
  [/^PUT \/api\/user\/two-factor/, () => ({ methodId: idOf("stranger", 4) })],
  [/^\/api\/user\/two-factor/, () => ({ code: "123456", method: "authenticator", secret: "a secret of the soak" })],
  [/^\/api\/user\/change-password/, () => ({ password: "a password of the soak" })],
  ...accountBodies,
  [/^\/api\/user/, (number) => ({ user: { email: email(number) } })],
  [/^\/api\/group\/member/, () => ({ members: {} })],
  [/^\/api\/group/, (number) => ({ group: { name: name(number) } })],
  [/^\/api\/key\/generate/, (number) => ({ key: { name: name(number), algorithm: "HS256" } })],
  [
    /^\/api\/key\/import/,
    (number) => ({ key: { name: name(number), algorithm: "HS256", secret: `${"secret".repeat(8)}${number}` } }),
  ],
  [/^\/api\/key/, (number) => ({ key: { name: name(number) } })],
  [/^\/api\/consent/, (number) => ({ consent: { name: name(number), defaultMinimumAgeForSelfConsent: 1 } })],
  [/^\/api\/form\/(.*\/)?(validate|describe)/, () => ({})],
  [/^\/api\/form\/field/, (number) => ({ field: { name: name(number), key: `user.data.large${number}` } })],
  [/^\/api\/form/, (number) => ({ form: { name: name(number), type: "adminUser", steps: [{ fields: [idOf("field", 0)] }] } })],
  [/^\/api\/email\/send/, () => ({ userIds: [idOf("user", 0)] })],
  [/^\/api\/email/, (number) => ({ emailTemplate: { name: name(number), ...texts } })],
  [/^\/api\/message\/template/, (number) => ({ messageTemplate: { name: name(number), defaultTemplate: "Hello" } })],
  [/^\/api\/theme/, (number) => ({ theme: { name: name(number) } })],
  [
    /^\/api\/connector/,
    (number) => ({
      connector: {
        name: name(number),
        type: "Generic",
        authenticationURL: "https://logins.example.com",
        connectTimeout: 1,
        readTimeout: 1,
      },
    }),
  ],
  [
    /^\/api\/messenger/,
    (number) => ({
      messenger: { name: name(number), type: "Generic", url: "https://texts.example.com", connectTimeout: 1, readTimeout: 1 },
    }),
  ],
  [
    /^\/api\/ip-acl/,
    (number) => ({ ipAccessControlList: { name: name(number), entries: [{ action: "Allow", startIPAddress: "*" }] } }),
  ],
  [/\/permission(\/|$)/, (number) => ({ permission: { name: `large${number}` } })],
  [/^\/api\/entity\/type/, (number) => ({ entityType: { name: name(number) } })],
  [/\/grant$/, () => ({ grant: { userId: idOf("user", 0), permissions: ["read"] } })],
  [/^\/api\/entity/, (number) => ({ entity: { name: name(number), type: { id: idOf("entityType", 0) } } })],
  [/^\/api\/webhook\/.*test/, () => ({ message: "a" })],
  [/^\/api\/webhook/, () => ({ webhook: { url: "https://receiver.example.com/", connectTimeout: 1, readTimeout: 1 } })],
  [/^\/api\/lambda\/.*restore/, () => ({ version: 1 })],
  [
    /^\/api\/lambda/,
    (number) => ({ lambda: { name: name(number), type: "JWTPopulate", body: "function populate(jwt, user) {}" } }),
  ],
  [/^\/api\/system\/audit-log\/export/, () => ({ search: { message: "Large" } })],
  [/^\/api\/system\/audit-log/, () => ({ auditLog: { message: "large", insertUser: "soak" } })],
  [/^\/api\/system\/webhook-event-log/, () => ({ search: { start: 1 } })],
  [/^\/api\/moderation/, () => ({ type: "contentApproval", approvals: {} })],
  [/^\/api\/two-factor\/start/, (number) => ({ userId: someIdOf("user", number) })],
  [/^\/api\/two-factor\/status/, (number) => ({ userId: someIdOf("user", number) })],
  [/^\/api\/two-factor\/login/, () => ({ code: "123456", twoFactorId: "a" })],
  [/^PUT \/api\/login$/, () => ({ applicationId, userId: idOf("user", 1) })],
  [/^\/api\/login$/, () => ({ loginId: "user1@example.com", password: "wrong", applicationId: idOf("application", 0) })],
];

const texts = { defaultSubject: "Hello", defaultHtmlTemplate: "Hello", defaultTextTemplate: "Hello" };
