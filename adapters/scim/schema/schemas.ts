import { groupSchema } from "./group-schema.js";
import { readCustomSchemas } from "./read-schemas.js";
import type { ResourceType, ScimSchema } from "./types.js";
import { enterpriseSchema, userSchema } from "./user-schema.js";

export { commonAttributes } from "./common-attributes.js";
export { groupSchema, groupSchemaId } from "./group-schema.js";
export type {
  AttributePath,
  ResourceType,
  SchemaExtension,
  ScimAttribute,
  ScimAttributeType,
  ScimResource,
  ScimSchema,
} from "./types.js";
export { enterpriseSchema, enterpriseSchemaId, userSchema, userSchemaId } from "./user-schema.js";

/** Users at `/Users`: core attributes and the Enterprise extension. */
export const userType: ResourceType = {
  id: "User",
  name: "User",
  description: "User account",
  endpoint: "/Users",
  schema: userSchema,
  extensions: [{ schema: enterpriseSchema, required: false }],
};

/** Users at `/EnterpriseUsers`: the same attributes at a separate endpoint. */
export const enterpriseUserType: ResourceType = {
  ...userType,
  id: "EnterpriseUser",
  name: "EnterpriseUser",
  description: "User account of an organization",
  endpoint: "/EnterpriseUsers",
};

/** Groups at `/Groups`. */
export const groupType: ResourceType = {
  id: "Group",
  name: "Group",
  description: "Group of users",
  endpoint: "/Groups",
  schema: groupSchema,
  extensions: [],
};

/** The resource types of a tenant, and the problems of its custom schemas. */
export interface ResourceTypes {
  readonly user: ResourceType;
  readonly enterpriseUser: ResourceType;
  readonly group: ResourceType;
  /** All schemas, each once, for `/Schemas`. */
  readonly schemas: readonly ScimSchema[];
  /** The problem of each invalid custom schema, in one sentence; `[]` without any. */
  readonly problems: readonly string[];
}

/**
 * Returns the resource types with the custom schemas of a tenant as extensions. `custom` is a list of schemas, an object with
 * `Resources`, or an object of schemas by URN. A URN that ends with `:Group` extends groups; every other one extends users.
 * Leaves out invalid schemas and reports them in `problems`. Never throws.
 */
export function createResourceTypes(custom?: unknown): ResourceTypes {
  const { schemas, problems } = readCustomSchemas(custom, [userSchema, enterpriseSchema, groupSchema]);
  const isOfGroups = ({ id }: ScimSchema) => id.toLowerCase().endsWith(":group");
  const ofUsers = schemas.filter((schema) => !isOfGroups(schema));
  return {
    user: withExtensions(userType, ofUsers),
    enterpriseUser: withExtensions(enterpriseUserType, ofUsers),
    group: withExtensions(groupType, schemas.filter(isOfGroups)),
    schemas: [userSchema, groupSchema, enterpriseSchema, ...schemas],
    problems,
  };
}

function withExtensions(type: ResourceType, schemas: readonly ScimSchema[]): ResourceType {
  if (schemas.length === 0) return type;
  return { ...type, extensions: [...type.extensions, ...schemas.map((schema) => ({ schema, required: false }))] };
}
