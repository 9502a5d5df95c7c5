import { QdrantProcess } from '../support/qdrant-process.ts';
import { openSlowWay } from '../support/slow-way.ts';
import { type BreakableService, processFaults, slowness } from './breakable-service.ts';

/** A Qdrant behind a way that may be slow, which may lose what it keeps. */
export async function openBreakableQdrant(): Promise<BreakableService> {
  await using opening = new AsyncDisposableStack();
  const qdrant = opening.use(await QdrantProcess.start());
  const { hostname: host, port } = qdrant.url;
  const way = opening.use(await openSlowWay({ host, port: Number(port) }));
  const resources = opening.move();
  return {
    settings: { SIGHTLINE_QDRANT_URL: `http://${way.host}:${way.port}` },
    faults: {
      ...processFaults(qdrant),
      slow: slowness(way),
      emptied: {
        async begin() {
          await qdrant.kill();
          await qdrant.loseDisk();
        },
        end: () => qdrant.start(),
      },
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
