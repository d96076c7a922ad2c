import { type MapOptions, type MovedUser, type Row, type Source, toFlag, toInstant, toObject, toText } from "./source.js";

// A dump of any user model: `manage.py dumpdata auth.user`.
function mapDjango({ fields, model, pk }: Row): MovedUser | undefined {
  const row = toObject(fields);
  const password = toText(row.password);
  if (password === undefined || (toText(row.username) ?? toText(row.email)) === undefined) return undefined;
  const groups = Array.isArray(row.groups) ? row.groups.map((group) => toText([group].flat()[0])) : [];
  const ranks = [
    toFlag(row.is_staff) === true ? "staff" : undefined,
    toFlag(row.is_superuser) === true ? "superuser" : undefined,
  ];
  return {
    id: `${String(model)}:${String(pk)}`,
    fields: {
      email: toText(row.email),
      username: toText(row.username),
      active: toFlag(row.is_active) !== false,
      firstName: toText(row.first_name),
      lastName: toText(row.last_name),
      insertInstant: toInstant(row.date_joined),
      lastLoginInstant: toInstant(row.last_login),
      // An unusable password starts with an exclamation mark.
      passwordHash: password.startsWith("!") ? undefined : password,
      data: { django: { id: pk } },
    },
    roles: [...groups, ...ranks].filter((role) => role !== undefined),
  };
}

// The table AspNetUsers; the case of its column names depends on the database.
function mapAspNet(given: Row): MovedUser {
  const row: Row = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
  const [email, username] = [toText(row.email), toText(row.username)];
  const lockedUntil = toFlag(row.lockoutenabled) === false ? undefined : toInstant(row.lockoutend);
  return {
    id: toText(row.id),
    fields: {
      email,
      username: username?.toLowerCase() === email?.toLowerCase() ? undefined : username,
      active: lockedUntil === undefined || lockedUntil < Date.now(),
      verified: toFlag(row.emailconfirmed),
      mobilePhone: toText(row.phonenumber),
      passwordHash: toText(row.passwordhash),
      data: { aspnet: { id: row.id } },
    },
    roles: toText(row.roles)?.split(/[;,]/) ?? [],
    losses: toFlag(row.twofactorenabled) === true ? ["second factors"] : [],
  };
}

// The output of `wp user list` with the fields of the guide.
function mapWordPress(row: Row): MovedUser {
  const registered = toText(row.user_registered);
  return {
    id: toText(row.ID),
    fields: {
      email: toText(row.user_email),
      username: toText(row.user_login),
      active: true,
      fullName: toText(row.display_name),
      firstName: toText(row.first_name),
      lastName: toText(row.last_name),
      // UTC without a time zone.
      insertInstant: registered?.startsWith("0000") ? undefined : toInstant(registered && `${registered.replace(" ", "T")}Z`),
      passwordHash: toText(row.user_pass),
      data: { wordpress: { id: row.ID } },
    },
    roles: toText(row.roles)?.split(",") ?? [],
  };
}

const flags = ["active", "verified", "passwordChangeRequired"];
const lists = ["preferredLanguages"];
const instants = ["insertInstant", "lastLoginInstant", "passwordLastUpdateInstant", "verifiedInstant"];

// Columns have the names of user fields, or the map assigns them; `data.…` is free.
function mapTable(row: Row, { columns }: MapOptions): MovedUser {
  const fields: Record<string, unknown> = { active: true };
  const data: Record<string, unknown> = {};
  let roles: readonly string[] = [];
  for (const [column, value] of Object.entries(row)) {
    const field = Object.hasOwn(columns, column) ? (columns[column] ?? "") : column;
    const text = toText(value);
    if (field === "roles") roles = text?.split(/[;,]/).map((role) => role.trim()) ?? [];
    else if (field.startsWith("data.")) data[field.slice("data.".length)] = text;
    else if (field !== "" && text !== undefined) fields[field] = toField(field, text);
  }
  const { id, ...rest } = fields;
  return { id: toText(id), fields: { ...rest, data }, roles };
}

function toField(field: string, text: string): unknown {
  if (flags.includes(field)) return toFlag(text) ?? text;
  if (instants.includes(field)) return toInstant(text) ?? text;
  return lists.includes(field) ? text.split(/[;,]/) : text;
}

/** Frameworks and tables, which store their own users. */
export const frameworkSources: Readonly<Record<"aspnet" | "csv" | "django" | "wordpress", Source>> = {
  aspnet: { map: mapAspNet },
  csv: { map: mapTable },
  django: { map: mapDjango },
  wordpress: { map: mapWordPress },
};
