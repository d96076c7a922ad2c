/** The id of the built-in connector, the same in every storage: it checks passwords against the stored hashes. */
export const builtInConnectorId = "e3306678-a53a-4964-9040-1c96f36dda72";
