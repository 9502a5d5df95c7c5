import { join } from 'node:path';
import { PostgresProcess } from '../support/servers/postgres-process.ts';
import { openSlowWay } from '../support/servers/slow-proxy.ts';
import { mountSmall } from '../support/fixtures/small-file-system.ts';
import { type BreakableService, type Fault, slowness } from './breakable-service.ts';
import { fullness } from './full-disk.ts';

/** Enough for an empty database and the rows of some photos. */
const DISK_MEGABYTES = 160;

/** A Postgres behind a way that may be slow, on a disk that may be full where this account may mount one. */
export async function openBreakablePostgres(): Promise<BreakableService> {
  await using opening = new AsyncDisposableStack();
  const disk = mountSmall(DISK_MEGABYTES);
  if (disk !== null) opening.use(disk);
  const folder = disk === null ? undefined : join(disk.path, 'postgres');
  const server = opening.use(await PostgresProcess.start(folder));
  const { host, port, user, password, database } = server.connection;
  const way = opening.use(await openSlowWay({ host, port }));
  const resources = opening.move();
  const login = `${user}:${encodeURIComponent(password!)}`;
  return {
    settings: {
      SIGHTLINE_DATABASE_URL: `postgres://${login}@${way.host}:${way.port}/${database}`,
    },
    faults: {
      killed: { begin: () => server.kill(), end: () => server.start() },
      hung: hang(server),
      slow: slowness(way),
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
