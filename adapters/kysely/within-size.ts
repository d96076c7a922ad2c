import { ResultTooLarge, type SizeLimit } from "latchkey/storage";
import type { Query } from "./fragment.js";
import type { SqlConnection, SqlRow } from "./sql-connection.js";

/**
 * The rows of a query for records, which are measured before they are read: very many large texts would not fit into the process.
 * @throws ResultTooLarge when their JSON is larger than the limit.
 */
export async function readWithin(connection: SqlConnection, query: Query, limit: SizeLimit): Promise<readonly SqlRow[]> {
  const text = `select coalesce(sum(octet_length(measured.json)), 0) as bytes from (${query.sql}) as measured`;
  const size = await connection.first(text, query.parameters);
  if (Number(size?.bytes) > limit.maxBytes) throw new ResultTooLarge(limit.maxBytes);
  return connection.all(query.sql, query.parameters);
}
