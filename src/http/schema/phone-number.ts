const phoneShape = /^\+?[\d ()./-]{3,40}$/;

/** The longest text message, in UTF-16 units. */
export const maxTextLength = 1_600;

/** Whether a value could be the phone number of a text message. */
export function isPhone(value: unknown): value is string {
  return typeof value === "string" && phoneShape.test(value.trim()) && /\d.*\d.*\d/.test(value);
}
