/** docs/operations.md */
import assert from "node:assert/strict";
import { postgresStorage } from "latchkey/postgres"; // npm install pg
import pg from "pg";

{
  const storage = postgresStorage({ connectionString: "postgres://identity@db.example.com/app", schema: "identity" });
  assert.equal(storage.capabilities.isDurable, true);
  await storage.close();
}

{
  const pool = new pg.Pool({ connectionString: "postgres://app@db.example.com/app" });
  const storage = postgresStorage({ pool }); // a pool of your own, which stays open
  await storage.close();
  await pool.end();
}

{
  const storage = postgresStorage({
    connectionString: "postgres://identity@pooler.example.com:6432/app",
    pooling: "transaction",
    sessionConnectionString: "postgres://identity@db.example.com/app",
  });
  await storage.close();
}

{
  const storage = postgresStorage({
    connectionString: "postgres://identity@db.example.com/app",
    readFrom: ["postgres://identity@replica-1.example.com/app", "postgres://identity@replica-2.example.com/app"],
  });
  await storage.close();
}
