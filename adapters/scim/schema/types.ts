/** A SCIM resource as JSON: attributes under canonical names, extensions under their URN (RFC 7643, 3). */
export type ScimResource = Readonly<Record<string, unknown>>;

/** Type of an attribute's values (RFC 7643, 2.3). */
export type ScimAttributeType = "string" | "boolean" | "decimal" | "integer" | "dateTime" | "binary" | "reference" | "complex";

/** Definition of one attribute (RFC 7643, 7). It is what `/Schemas` answers. */
export interface ScimAttribute {
  /** Canonical name; requests may write it in any case. */
  readonly name: string;
  /** Type of the value, or of each value. */
  readonly type: ScimAttributeType;
  /** Whether the attribute holds a list. */
  readonly multiValued: boolean;
  /** What the attribute means, for people. */
  readonly description: string;
  /** Whether a resource must have it. */
  readonly required: boolean;
  /** Suggested values; other values are accepted (RFC 7643, 7). */
  readonly canonicalValues?: readonly string[];
  /** Whether comparisons of texts respect case. */
  readonly caseExact: boolean;
  /** When clients may set it. `immutable` may be set once. */
  readonly mutability: "readOnly" | "readWrite" | "immutable" | "writeOnly";
  /** When responses contain it. */
  readonly returned: "always" | "never" | "default" | "request";
  /** Where its value is unique. */
  readonly uniqueness: "none" | "server" | "global";
  /** What a reference may point to: names of resource types, `external` or `uri`. */
  readonly referenceTypes?: readonly string[];
  /** Attributes of a complex value. They are never complex themselves. */
  readonly subAttributes?: readonly ScimAttribute[];
}

/** A named set of attributes (RFC 7643, 7). */
export interface ScimSchema {
  /** URN of the schema. */
  readonly id: string;
  /** Name for people. */
  readonly name: string;
  /** What the schema describes. */
  readonly description: string;
  /** Its attributes, without those that every resource has. */
  readonly attributes: readonly ScimAttribute[];
}

/** A schema whose attributes a resource may have under the URN of the schema. */
export interface SchemaExtension {
  /** The extension. */
  readonly schema: ScimSchema;
  /** Whether a resource must have it. */
  readonly required: boolean;
}

/** A kind of resource and its endpoint (RFC 7643, 6). */
export interface ResourceType {
  /** Id in `/ResourceTypes`, such as `User`. */
  readonly id: string;
  /** Name of the type. */
  readonly name: string;
  /** What the type describes. */
  readonly description: string;
  /** Path below the base URL, such as `/Users`. */
  readonly endpoint: string;
  /** The core schema. */
  readonly schema: ScimSchema;
  /** Schemas of further attributes, in the order of responses. */
  readonly extensions: readonly SchemaExtension[];
}

/** An attribute or sub-attribute of a resource, found by a path of a request. */
export interface AttributePath {
  /** URN of the extension that declares the attribute; undefined for the core schema and common attributes. */
  readonly extension?: string | undefined;
  /** The attribute. Inside the brackets of a value path it is the sub-attribute of a value. */
  readonly attribute: ScimAttribute;
  /** The part after the dot, such as `familyName` of `name.familyName`. */
  readonly sub?: ScimAttribute | undefined;
  /** Canonical path: `userName`, `emails.value`, `meta.created`, `urn:…:2.0:User:department`. */
  readonly text: string;
}
