import pg from 'pg';
import { explainConnection } from './explain-connection.ts';
import {
  clientConfig,
  type PostgresConnection,
  type SessionOptions,
} from './postgres-connection.ts';

/**
 * Connects for work outside of the doors.
 *
 * @throws SchemaMismatch, StoreUnavailable if the login fails; what the use throws
 */
export async function withClient<T>(
  connection: PostgresConnection,
  session: SessionOptions,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(clientConfig(connection, session));
  // A connection that is lost while idle fails the next query.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw explainConnection(error, connection, session.role ?? connection.user);
  }
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
