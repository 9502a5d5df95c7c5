import { type RunningStandalone, startStandalone } from '../support/services/running-standalone.ts';
import { BareLoop } from './bare-loop.ts';
import type { Bench } from './bench.ts';
import { LoadGenerator } from './load-generator.ts';
import type { Photo } from './photos.ts';
import type { Subject } from './subjects.ts';

/** A service and a bare loop with the same models. Only one of them works at a time. */
export interface Sides extends AsyncDisposable {
  readonly service: RunningStandalone;
  readonly bare: BareLoop;
  readonly served: LoadGenerator;
  readonly photos: readonly Photo[];
}

export async function openSides(bench: Bench, { models, settings }: Subject): Promise<Sides> {
  const { workers } = bench;
  const { small: photos } = await bench.photos();
  await using opening = new AsyncDisposableStack();
  const service = opening.use(await startStandalone(threads(workers, settings)));
  const bytes = photos.map((photo) => photo.bytes);
  const bare = opening.use(await BareLoop.start({ models, photos: bytes }, workers));
  const loaded = { urls: [service.url], apiKey: service.apiKey };
  const served = opening.use(new LoadGenerator(loaded, photos));
  const resources = opening.move();
  return { service, bare, served, photos, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/**
 * The sides with the first models, which most measures use.
 *
 * @param more settings of the service
 */
export async function openFirstSides(
  bench: Bench,
  more: Readonly<Record<string, string>> = {},
): Promise<Sides> {
  const [subject] = await bench.subjects();
  return openSides(bench, { ...subject!, settings: { ...subject!.settings, ...more } });
}

export function threads(
  workers: number,
  settings: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    SIGHTLINE_PROVIDER: 'cpu',
    SIGHTLINE_WORKERS: String(Math.max(1, workers)),
    ...settings,
  };
}

/** The number of requests in flight that keeps the workers busy without a long queue. */
export function inFlight({ workers }: Bench): number {
  return 3 * workers;
}
