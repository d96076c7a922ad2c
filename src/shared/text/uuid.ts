const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The lower-case form of an 8-4-4-4-12 hexadecimal UUID of any version, or undefined (docs/reference/wire.md#ids). */
export function parseUuid(text: string): string | undefined {
  return uuidShape.test(text) ? text.toLowerCase() : undefined;
}
