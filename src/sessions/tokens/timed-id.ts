/** Makes a UUID of version 7 (RFC 9562, 5.7) from a random UUID and an instant in epoch milliseconds. */
export function toTimedId(id: string, instant: number): string {
  const time = Math.max(0, instant).toString(16).padStart(12, "0").slice(-12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${id.slice(15, 18)}-${"89ab"[Number.parseInt(id[19] ?? "0", 16) % 4]}${id.slice(20)}`;
}

/** The instant of a UUID of version 7; undefined for any other value. */
export function readTimedId(id: unknown): number | undefined {
  const found =
    typeof id === "string" ? /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.exec(id) : null;
  return found === null ? undefined : Number.parseInt(`${found[1]}${found[2]}`, 16);
}
