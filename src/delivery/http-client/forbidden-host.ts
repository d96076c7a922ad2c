/** Says that calls may not go to a host, and what to do about it. */
export function forbiddenHost(host: string): string {
  const advice = "Set a public URL, or pass allowPrivateNetwork: true (npm start: LATCHKEY_ALLOW_PRIVATE_NETWORK=1).";
  return `calls may not go to ${host}, which is this machine or a private network. ${advice}`;
}
