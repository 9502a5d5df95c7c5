import pg from 'pg';
import { explainConnection } from './explain-connection.ts';
import {
  clientConfig,
  type PostgresConnection,
  type SessionOptions,
} from './postgres-connection.ts';

/**
 * Logs in for something outside of the doors.
 *
 * @throws SchemaMismatch or StoreUnavailable if that fails, with a sentence; what the use throws
 */
export async function withClient<T>(
  connection: PostgresConnection,
  session: SessionOptions,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(clientConfig(connection, session));
  // What breaks while nobody asks is told to the next who does.
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
