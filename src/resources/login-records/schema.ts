/** A login as its record shows it. */
export interface LoginRecord {
  /** The application that the user logged in to; absent for none. */
  readonly applicationId?: string | undefined;
  /** Its name as it is now. */
  readonly applicationName?: string | undefined;
  /** When, in epoch milliseconds. */
  readonly instant: number;
  /** The address of the user; absent where it is unknown. */
  readonly ipAddress?: string | undefined;
  /** The email address of the user at that moment, else the username. */
  readonly loginId?: string | undefined;
  /** The user. */
  readonly userId: string;
}
