/** Whether a text is the URL of a service that may be called: http or https, without a user name or password. */
export function isServiceUrl(text: string): boolean {
  // The parser forgives blanks and breaks that whoever reads the text later would not see.
  if (/[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === "https:" || protocol === "http:") && username === "" && password === "";
}
