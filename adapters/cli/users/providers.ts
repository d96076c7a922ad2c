import {
  type MapOptions,
  type MovedUser,
  type Row,
  type Source,
  toFactor,
  toFlag,
  toInstant,
  toObject,
  toRows,
  toText,
  toTexts,
} from "./source.js";

const links = "links to identity providers";
const factors = "second factors";

// Two files: the users, and their hashes from Auth0's support.
function mapAuth0(row: Row, { passwords }: MapOptions): MovedUser {
  const id = toText(row.user_id) ?? toText(row._id) ?? toText(row._ID);
  const email = toText(row.email);
  const key = id?.replace(/^auth0\|/, "");
  const custom = row.custom_password_hash === undefined ? undefined : JSON.stringify(row.custom_password_hash);
  const isSocial = toRows(row.identities).some(({ provider }) => provider !== "auth0");
  const given = toRows(row.mfa_factors);
  const methods = given.map(toAuth0Factor).filter((method) => method !== undefined);
  const hasOthers = given.length > methods.length || (methods.length === 0 && toTexts(row.multifactor).length > 0);
  const data = { id, userMetadata: row.user_metadata, appMetadata: row.app_metadata };
  return {
    id,
    fields: {
      email,
      username: toText(row.username),
      active: toFlag(row.blocked) !== true,
      verified: toFlag(row.email_verified),
      firstName: toText(row.given_name),
      lastName: toText(row.family_name),
      fullName: toText(row.name),
      mobilePhone: toText(row.phone_number),
      imageUrl: toText(row.picture),
      preferredLanguages: toLanguages(row.locale),
      insertInstant: toInstant(row.created_at),
      lastLoginInstant: toInstant(row.last_login),
      passwordHash:
        toText(row.passwordHash) ?? toText(row.password_hash) ?? custom ?? passwords.get(key ?? "") ?? passwords.get(email ?? ""),
      twoFactor: toFactors(methods),
      data: { auth0: data },
    },
    roles: toTexts(toObject(row.app_metadata).roles),
    losses: [...(isSocial ? [links] : []), ...(hasOthers ? [factors] : [])],
  };
}

function toAuth0Factor({ email, phone, totp }: Row): Row | undefined {
  const [address, number] = [toText(toObject(email).value), toText(toObject(phone).value)];
  if (address !== undefined) return { method: "email", email: address };
  return number === undefined ? toFactor(toObject(totp).secret) : { method: "sms", mobilePhone: number };
}

function toFactors(methods: readonly Row[]): Row | undefined {
  return methods.length === 0 ? undefined : { methods };
}

// The import accepts `en_US`; sources may have `en-US`.
function toLanguages(value: unknown): readonly string[] | undefined {
  const text = toText(value);
  return text === undefined ? undefined : [text.replaceAll("-", "_")];
}

function mapKeycloak(row: Row): MovedUser | undefined {
  if (toText(row.serviceAccountClientId) !== undefined) return undefined;
  const attributes = toObject(row.attributes);
  const credentials = toRows(row.credentials);
  const password = credentials.find(({ type }) => type === "password");
  const methods = credentials.map(toKeycloakFactor).filter((method) => method !== undefined);
  const others = credentials.filter((credential) => credential.type !== "password" && toKeycloakFactor(credential) === undefined);
  const clientRoles = Object.entries(toObject(row.clientRoles)).flatMap(([client, roles]) =>
    toTexts(roles).map((role) => `${client}:${role}`),
  );
  return {
    id: toText(row.id),
    fields: {
      email: toText(row.email),
      username: toText(row.username),
      active: toFlag(row.enabled) !== false,
      verified: toFlag(row.emailVerified),
      firstName: toText(row.firstName),
      lastName: toText(row.lastName),
      mobilePhone: toTexts(attributes.phoneNumber)[0],
      preferredLanguages: toLanguages(toTexts(attributes.locale)[0]),
      insertInstant: toInstant(row.createdTimestamp),
      passwordHash: password && toKeycloakHash(password),
      passwordLastUpdateInstant: toInstant(password?.createdDate),
      passwordChangeRequired: toTexts(row.requiredActions).includes("UPDATE_PASSWORD") || undefined,
      twoFactor: toFactors(methods),
      data: { keycloak: { id: row.id, attributes: row.attributes } },
    },
    roles: [...toTexts(row.realmRoles), ...clientRoles, ...toTexts(row.groups)],
    losses: [...(toRows(row.federatedIdentities).length > 0 ? [links] : []), ...(others.length > 0 ? [factors] : [])],
  };
}

// Before version 8, the credential itself had these members.
function toKeycloakHash(credential: Row): string | undefined {
  const { credentialData, hashedSaltedValue, hashIterations, salt, secretData } = credential;
  if (secretData !== undefined) return JSON.stringify({ credentialData, secretData });
  if (hashedSaltedValue === undefined) return undefined;
  const data = { algorithm: credential.algorithm ?? "pbkdf2", hashIterations };
  return JSON.stringify({ credentialData: data, secretData: { salt, value: hashedSaltedValue } });
}

// The secret's text is the key, unless it has an encoding. The service does not support other digests and periods.
function toKeycloakFactor({ type, ...credential }: Row): Row | undefined {
  const [data, secret] = [toObject(credential.credentialData), toText(toObject(credential.secretData).value)];
  const isOurs = data.subType === "totp" && data.digits === 6 && data.period === 30 && data.algorithm === "HmacSHA1";
  if (type !== "otp" || secret === undefined || !isOurs) return undefined;
  const name = toText(credential.userLabel);
  const method = data.secretEncoding === "BASE32" ? toFactor(secret) : { method: "authenticator", secret };
  return method && { ...method, ...(name !== undefined && { name }) };
}

function mapFirebase(row: Row, { firebase }: MapOptions): MovedUser {
  const [hash, salt] = [toText(row.passwordHash), toText(row.salt)];
  const hasHash = hash !== undefined && salt !== undefined && firebase !== undefined;
  const providers = toRows(row.providerUserInfo).filter(({ providerId }) => providerId !== "password" && providerId !== "phone");
  const claims = toObject(row.customAttributes);
  return {
    id: toText(row.localId),
    fields: {
      email: toText(row.email),
      phoneNumber: toText(row.phoneNumber),
      active: toFlag(row.disabled) !== true,
      verified: toFlag(row.emailVerified),
      fullName: toText(row.displayName),
      imageUrl: toText(row.photoUrl),
      insertInstant: toInstant(row.createdAt),
      lastLoginInstant: toInstant(row.lastSignedInAt ?? row.lastLoginAt),
      passwordHash: hasHash ? `${firebase}$${toStandardBase64(salt)}$${toStandardBase64(hash)}` : undefined,
      data: { firebase: { id: row.localId, claims } },
    },
    roles: [...toTexts([claims.role]), ...toTexts(claims.roles)],
    losses: [...(providers.length > 0 ? [links] : []), ...(toRows(row.mfaInfo).length > 0 ? [factors] : [])],
  };
}

function toStandardBase64(text: string): string {
  return text.replaceAll("-", "+").replaceAll("_", "/");
}

function mapSupabase(row: Row): MovedUser | undefined {
  if (toText(row.deleted_at) !== undefined) return undefined;
  const [own, ours] = [toObject(row.raw_user_meta_data), toObject(row.raw_app_meta_data)];
  const providers = toTexts(ours.providers).filter((name) => name !== "email" && name !== "phone");
  const bannedUntil = toInstant(row.banned_until);
  return {
    id: toText(row.id),
    fields: {
      email: toText(row.email),
      phoneNumber: toPhone(row.phone),
      active: bannedUntil === undefined || bannedUntil < Date.now(),
      verified: toText(row.email_confirmed_at ?? row.confirmed_at) !== undefined,
      fullName: toText(own.full_name ?? own.name),
      imageUrl: toText(own.avatar_url),
      insertInstant: toInstant(row.created_at),
      lastLoginInstant: toInstant(row.last_sign_in_at),
      passwordHash: toText(row.encrypted_password),
      data: { supabase: { id: row.id, userMetadata: own, appMetadata: ours } },
    },
    roles: toTexts(ours.roles ?? [ours.role]),
    losses: providers.length > 0 ? [links] : [],
  };
}

// Stored without the plus sign.
function toPhone(value: unknown): string | undefined {
  const text = toText(value);
  return text === undefined || text.startsWith("+") ? text : `+${text}`;
}

function mapCognito(row: Row): MovedUser {
  const attributes = Object.fromEntries(toRows(row.Attributes).map(({ Name, Value }) => [String(Name), Value]));
  const { sub, email, email_verified, name, given_name, family_name, phone_number, locale, picture, identities, ...rest } =
    attributes;
  const username = toText(row.Username);
  const hasFactor = toRows(row.MFAOptions).length + toTexts(row.UserMFASettingList).length > 0;
  return {
    id: toText(sub) ?? username,
    fields: {
      email: toText(email),
      username: username === sub || username === email ? undefined : username,
      active: toFlag(row.Enabled) !== false,
      verified: toFlag(email_verified) ?? false,
      fullName: toText(name),
      firstName: toText(given_name),
      lastName: toText(family_name),
      mobilePhone: toText(phone_number),
      imageUrl: toText(picture),
      preferredLanguages: toLanguages(locale),
      insertInstant: toInstant(row.UserCreateDate),
      data: { cognito: { id: sub, username, status: row.UserStatus, attributes: rest } },
    },
    losses: [...(toText(identities) === undefined ? [] : [links]), ...(hasFactor ? [factors] : [])],
  };
}

/** Identity providers, which store users for others. */
export const providerSources: Readonly<Record<"auth0" | "cognito" | "firebase" | "keycloak" | "supabase", Source>> = {
  auth0: { map: mapAuth0 },
  cognito: { path: "$.Users.*", map: mapCognito },
  firebase: { path: "$.users.*", map: mapFirebase },
  keycloak: { path: "$.users.*", map: mapKeycloak },
  supabase: { map: mapSupabase },
};
