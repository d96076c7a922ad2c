/** A SCIM resource as JSON: attributes under canonical names, extensions under their URN (RFC 7643, 3). */
export type ScimResource = Readonly<Record<string, unknown>>;

/** Type of an attribute's values (RFC 7643, 2.3). */
export type ScimAttributeType = "string" | "boolean" | "decimal" | "integer" | "dateTime" | "binary" | "reference" | "complex";

/** Definition of one attribute (RFC 7643, 7), as `/Schemas` returns it. */
export interface ScimAttribute {
  /** Canonical name; case-insensitive in requests. */
  readonly name: string;
  readonly type: ScimAttributeType;
  readonly multiValued: boolean;
  readonly description: string;
  readonly required: boolean;
  /** Suggested values; other values are accepted (RFC 7643, 7). */
  readonly canonicalValues?: readonly string[];
  /** Whether text comparisons are case-sensitive. */
  readonly caseExact: boolean;
  /** When clients may set it. `immutable` may be set once. */
  readonly mutability: "readOnly" | "readWrite" | "immutable" | "writeOnly";
  /** When responses contain it. */
  readonly returned: "always" | "never" | "default" | "request";
  /** Where its value is unique. */
  readonly uniqueness: "none" | "server" | "global";
  /** Targets of a reference: names of resource types, `external` or `uri`. */
  readonly referenceTypes?: readonly string[];
  /** Attributes of a complex value. Never complex themselves. */
  readonly subAttributes?: readonly ScimAttribute[];
}

/** A named set of attributes (RFC 7643, 7). */
export interface ScimSchema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Its attributes, without the common ones. */
  readonly attributes: readonly ScimAttribute[];
}

/** A schema with further attributes, which a resource has under the schema's URN. */
export interface SchemaExtension {
  readonly schema: ScimSchema;
  readonly required: boolean;
}

/** A kind of resource and its endpoint (RFC 7643, 6). */
export interface ResourceType {
  /** Id in `/ResourceTypes`, such as `User`. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Path below the base URL, such as `/Users`. */
  readonly endpoint: string;
  readonly schema: ScimSchema;
  /** Extensions, in the order of responses. */
  readonly extensions: readonly SchemaExtension[];
}

/** An attribute or sub-attribute of a resource, resolved from a path of a request. */
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
