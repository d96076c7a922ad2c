import type { LambdaType } from "../../availability/lambda-types.js";
import type { LambdaArgumentsOf, LambdaContext } from "./lambda-arguments.js";
import type { OpenRecord } from "./lambda-shapes.js";
import {
  applicationId,
  context,
  group,
  jwt,
  members,
  person,
  recipientEntity,
  registration,
  samlResponse,
  sampleId,
  scimGroup,
  scimUser,
  seconds,
  targetEntity,
  user,
} from "./sample-values.js";

/** Arguments for each kind of lambda, of the size and shape of real ones: the default of lambda tests. */

const inTenant: LambdaContext = { tenant: context.tenant, eventInfo: context.eventInfo };
const account = { user, registration, context };
const ofPlayer = (userInfo: OpenRecord) => ({ ...account, userInfo });
const result = { errors: { fieldErrors: {}, generalErrors: [] } };

const samples: LambdaArgumentsOf = {
  JWTPopulate: { ...account, jwt, context: { ...context, authenticationType: "PASSWORD", scopes: ["openid", "offline_access"] } },
  OpenIDReconcile: {
    ...account,
    jwt: person,
    id_token: person,
    tokens: {
      access_token: "access-token",
      expires_in: 3_600,
      id_token: "id-token",
      scope: "openid email",
      token_type: "Bearer",
    },
  },
  SAMLv2Reconcile: { ...account, samlResponse },
  SAMLv2Populate: { ...account, samlResponse },
  AppleReconcile: { ...account, idToken: { ...person, is_private_email: "false", iss: "https://appleid.apple.com" } },
  ExternalJWTReconcile: { ...account, jwt: person },
  FacebookReconcile: {
    ...account,
    facebookUser: {
      id: "10150000000000001",
      email: "ada@provider.example",
      first_name: "Ada",
      last_name: "Lovelace",
      name: "Ada Lovelace",
      picture: { data: { height: 50, url: "https://provider.example/ada.png", width: 50 } },
    },
  },
  GoogleReconcile: { ...account, idToken: { ...person, hd: "provider.example", iss: "https://accounts.google.com" } },
  HYPRReconcile: account,
  TwitterReconcile: {
    ...account,
    twitterUser: {
      id_str: "783214",
      email: "ada@provider.example",
      followers_count: 1_815,
      lang: "en",
      location: "London",
      name: "Ada Lovelace",
      profile_image_url_https: "https://provider.example/ada.png",
      screen_name: "ada",
    },
  },
  LDAPConnectorReconcile: {
    user,
    userAttributes: {
      cn: "Ada Lovelace",
      givenName: "Ada",
      mail: "ada@provider.example",
      memberOf: ["cn=engineering,ou=groups,dc=example,dc=com", "cn=writers,ou=groups,dc=example,dc=com"],
      sn: "Lovelace",
      uid: "ada",
    },
    context,
  },
  LinkedInReconcile: {
    ...account,
    linkedInUser: {
      id: "yrZCpj2Z12",
      emailAddress: "ada@provider.example",
      localizedFirstName: "Ada",
      localizedLastName: "Lovelace",
      profilePicture: { displayImage: "urn:li:digitalmediaAsset:C4D00" },
    },
  },
  EpicGamesReconcile: ofPlayer({ account_id: "f3f3f3f3", displayName: "ada", preferredLanguage: "en" }),
  NintendoReconcile: ofPlayer({ id: "n-1815", birthday: "1985-12-10", country: "GB", language: "en-GB", nickname: "ada" }),
  SonyPSNReconcile: ofPlayer({ user_id: "1815", age: 44, country_code: "GB", locale: "en_GB", online_id: "ada" }),
  SteamReconcile: ofPlayer({
    steamid: "76561190000000001",
    avatarfull: "https://provider.example/ada.png",
    loccountrycode: "GB",
    personaname: "ada",
    realname: "Ada Lovelace",
  }),
  TwitchReconcile: ofPlayer({
    id: "141981764",
    broadcaster_type: "partner",
    display_name: "Ada",
    email: "ada@provider.example",
    login: "ada",
    profile_image_url: "https://provider.example/ada.png",
  }),
  XboxReconcile: ofPlayer({ agg: "Adult", gtg: "Ada 1815", uhs: "1815", xid: "2533270000000001" }),
  ClientCredentialsJWTPopulate: {
    jwt: {
      aud: targetEntity.id,
      exp: seconds + 3_600,
      iat: seconds,
      iss: "https://id.example.com",
      jti: sampleId(6),
      permissions: { [targetEntity.id]: ["read"] },
      sub: recipientEntity.id,
      tid: user.tenantId,
      use: "client_credentials",
    },
    recipientEntity,
    targetEntities: [targetEntity],
    permissions: { [targetEntity.id]: ["read"] },
    context: { ...inTenant, scopes: [`target-entity:${targetEntity.id}:read`] },
  },
  SCIMGroupRequestConverter: {
    group: { name: "", data: {} },
    members: [],
    options: { applicationId },
    scimGroup,
    context: inTenant,
  },
  SCIMGroupResponseConverter: {
    scimGroup: { schemas: scimGroup.schemas, displayName: "" },
    group,
    members,
    context: inTenant,
  },
  SCIMUserRequestConverter: {
    user: { ...user, data: {}, memberships: [], registrations: [] },
    options: { applicationId },
    scimUser,
    context: inTenant,
  },
  SCIMUserResponseConverter: {
    scimUser: { schemas: scimUser.schemas, userName: "" },
    user,
    context: inTenant,
  },
  SelfServiceRegistrationValidation: {
    ...account,
    result,
    formContext: {
      fields: { "user.email": "ada@example.com", "user.data.zip": "EC1A" },
      form: { id: sampleId(11), name: "Sign up", type: "registration" },
      step: 1,
      stepIndex: 0,
      totalSteps: 2,
    },
  },
  UserInfoPopulate: {
    ...account,
    userInfo: {
      applicationId,
      birthdate: "1985-12-10",
      email: "ada@example.com",
      email_verified: true,
      family_name: "Lovelace",
      given_name: "Ada",
      roles: ["editor", "reader"],
      sub: user.id,
      tid: user.tenantId,
    },
    jwt,
  },
  LoginValidation: { ...account, result, context: { ...context, authenticationType: "PASSWORD" } },
  MFARequirement: {
    ...account,
    result: { required: false, sendSuspiciousLoginEvent: false },
    context: {
      ...context,
      action: "login",
      authenticationThreats: [],
      authenticationType: "PASSWORD",
      clientRisk: { status: "LOW" },
      policies: { tenantLoginPolicy: "Enabled" },
    },
  },
};

/** Fresh arguments for a kind of lambda, all of them. */
export function sampleArguments<Type extends LambdaType>(type: Type): LambdaArgumentsOf[Type] {
  // By way of JSON, so that no object is shared.
  return JSON.parse(JSON.stringify(samples[type])) as LambdaArgumentsOf[Type];
}
