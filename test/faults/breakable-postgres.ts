import { join } from 'node:path';
import { migrate } from '@sightline/postgres/migrate';
import { PostgresProcess } from '../support/servers/postgres-process.ts';
import { openSlowProxy } from '../support/servers/slow-proxy.ts';
import { mountSmall } from '../support/fixtures/small-file-system.ts';
import { type BreakableService, type Fault, slowness } from './breakable-service.ts';
import { fullness } from './full-disk.ts';

/** The size of the disk, enough for an empty database and the rows of some photos. */
const DISK_MEGABYTES = 160;

/** A Postgres behind a proxy that can be slow, on a disk that can be full if this account may mount one. */
export async function openBreakablePostgres(): Promise<BreakableService> {
  await using opening = new AsyncDisposableStack();
  const disk = mountSmall(DISK_MEGABYTES);
  if (disk !== null) opening.use(disk);
  const folder = disk === null ? undefined : join(disk.path, 'postgres');
  const server = opening.use(await PostgresProcess.start(folder));
  await migrate(server.connection);
  const { host, port, password, database } = server.connection;
  const proxy = opening.use(await openSlowProxy({ host, port }));
  const resources = opening.move();
  const login = `sightline_app:${encodeURIComponent(password!)}`;
  return {
    settings: {
      SIGHTLINE_DATABASE_URL: `postgres://${login}@${proxy.host}:${proxy.port}/${database}?sslmode=disable`,
    },
    faults: {
      killed: { begin: () => server.kill(), end: () => server.start() },
      hung: hang(server),
      slow: slowness(proxy),
      ...(disk !== null && { full: fullness(disk.path) }),
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function hang(server: PostgresProcess): Fault {
  let resume: () => void;
  return {
    async begin() {
      resume = await server.hang();
    },
    end: () => resume(),
  };
}
