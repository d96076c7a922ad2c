const plainName = /^[A-Za-z_$][\w$]*$/;

/** A path as field errors write it: `group.name`, `steps[0].fields[1]`, and map keys that are no plain name in brackets. */
export function formatPath(segments: readonly PropertyKey[]): string {
  let path = "";
  for (const segment of segments) {
    const text = String(segment);
    if (typeof segment !== "number" && plainName.test(text)) path += path === "" ? text : `.${text}`;
    else path += `[${text.length > 100 ? `${text.slice(0, 100)}…` : text}]`;
  }
  return path;
}
