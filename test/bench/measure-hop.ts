import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { AnalysisRequest, ImageAnalysis } from '@sightline/core/analysis/image-analyzer';
import { HttpImageAnalyzer } from '@sightline/analysis/http/http-image-analyzer';
import { LocalImageAnalyzer } from '@sightline/analysis/local/local-image-analyzer';
import { limitsOf, openSharedEngine } from '../contract/open-shared-engine.ts';
import { shared } from '../support/fixtures/shared.ts';
import type { KnownAnalysis } from './answering-inference.ts';
import { type Measured, repeat } from './bench.ts';
import { grouped, quartilesCell } from './cells.ts';
import { markdownTable } from './markdown-table.ts';
import { median, timed } from './statistics.ts';
import { WORKLOADS } from './workloads.ts';

const PHOTOS = { small: 'people/010_2.jpg', large: 'people/001_A.jpg' };
const SETUP = { face: true, object: false, workers: 1, queueLimit: 4 };
const ASKED: Omit<AnalysisRequest, 'image'> = WORKLOADS.detect.analysis;
const ANALYSES = 5;
const WARM_UP = 20;
const ROUND_TRIPS = 200;

/**
 * Measures the time that a round trip to an inference process adds to an analysis. An inference role in a
 * thread of its own gets the photo and answers at once with a prepared analysis. A real analysis takes a
 * hundred times as long and varies by more than the whole round trip, so comparing two measurements would
 * show nothing.
 */
export async function measureHop(): Promise<Measured> {
  await using engine = await openSharedEngine(SETUP);
  const local = new LocalImageAnalyzer(engine);
  const rows: string[][] = [];
  const medians: number[] = [];
  for (const [photo, path] of Object.entries(PHOTOS)) {
    const bytes = await readFile(shared('photos', path));
    const request = () => ({ ...ASKED, image: new Uint8Array(bytes) });
    const answer = await local.analyze(request());
    const analyses = await repeat(ANALYSES, () => timed(() => local.analyze(request())));
    const known = { answer, status: engine.status(), limits: limitsOf(SETUP) };
    const roundTrips = await timeRoundTrips(known, bytes);
    medians.push(median(roundTrips));
    rows.push([
      photo,
      kibibytes(bytes.length),
      kibibytes(sizeOf(answer)),
      median(analyses).toFixed(0),
      quartilesCell(roundTrips),
    ]);
  }
  const text = `The round trip to an inference process, in milliseconds: photos are sent to a process that answers with an analysis
made beforehand, renditions included; the median, and the quartiles. The analysis itself, one at a time, is beside
it.

${markdownTable(['photo', 'request, KiB', 'response, KiB', 'analysis', 'round trip'], rows)}`;
  const goal = 'latency added by the round trip to an inference process, median';
  return { text, goals: [[goal, 'at most 3 ms', `${Math.max(...medians).toFixed(1)} ms`]] };
}

async function timeRoundTrips(known: KnownAnalysis, bytes: Uint8Array): Promise<number[]> {
  const script = new URL('answering-inference.ts', import.meta.url);
  const thread = new Worker(script, { workerData: known });
  await using resources = new AsyncDisposableStack();
  resources.defer(() => thread.terminate().then(() => undefined));
  const [url] = (await once(thread, 'message')) as [string];
  const http = resources.use(new HttpImageAnalyzer({ urls: [new URL(url)] }));
  const times = await repeat(WARM_UP + ROUND_TRIPS, () => {
    const image = new Uint8Array(bytes);
    return timed(() => http.analyze({ ...ASKED, image }));
  });
  return times.slice(WARM_UP);
}

/** The bytes of the renditions and vectors. */
function sizeOf({ faces, source }: ImageAnalysis): number {
  const parts = (faces?.items ?? []).flatMap(({ embedding, crop }) => [
    embedding?.byteLength ?? 0,
    crop?.jpeg.length ?? 0,
  ]);
  return parts.reduce((total, size) => total + size, source?.jpeg.length ?? 0);
}

function kibibytes(bytes: number): string {
  return grouped(Math.round(bytes / 1024));
}
