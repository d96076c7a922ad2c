const phoneShape = /^\+?[\d ()./-]{3,40}$/;

/** The most that a text message says, in UTF-16 units. */
export const maxTextLength = 1_600;

/** Whether a text message could be sent to what somebody calls a number. */
export function isPhone(value: unknown): value is string {
  return typeof value === "string" && phoneShape.test(value.trim()) && /\d.*\d.*\d/.test(value);
}
