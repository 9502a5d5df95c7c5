import pg from 'pg';
import { logIn } from './doors/log-in.ts';
import { explainConnection } from './explain-connection.ts';
import {
  clientConfig,
  type PostgresConnection,
  type SessionOptions,
} from './postgres-connection.ts';

/**
 * Connects without a pool, for example to migrate.
 *
 * @throws SchemaMismatch or StoreUnavailable if the login fails; errors of `use`
 */
export async function withClient<T>(
  connection: PostgresConnection,
  session: SessionOptions,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await logIn(connection, () => connect(connection, session)).catch(
    (error: unknown) => {
      throw explainConnection(error, connection, session.role ?? connection.user);
    },
  );
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

async function connect(
  connection: PostgresConnection,
  session: SessionOptions,
): Promise<pg.Client> {
  const client = new pg.Client(clientConfig(connection, session));
  // If a connection is lost while idle, the next query fails, so this event needs no handling.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
