/** Whether a text field holds something. */
export function isGiven(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}
