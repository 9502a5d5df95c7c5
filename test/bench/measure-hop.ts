import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type {
  AnalysisRequest,
  ImageAnalysis,
  ImageAnalyzer,
} from '@sightline/core/analysis/image-analyzer';
import { HttpImageAnalyzer } from '@sightline/analysis/http/http-image-analyzer';
import { LocalImageAnalyzer } from '@sightline/analysis/local/local-image-analyzer';
import { limitsOf, openSharedEngine } from '../contract/open-shared-engine.ts';
import { shared } from '../support/fixtures/shared.ts';
import type { KnownAnalysis } from './answering-inference.ts';
import { median, percentile } from './statistics.ts';

const PHOTOS = { small: 'people/010_2.jpg', large: 'people/001_A.jpg' } as const;
const SETUP = { face: true, object: false, workers: 1, queueLimit: 4 };
const ASKED: Omit<AnalysisRequest, 'image'> = {
  faces: { detectionThreshold: 0.5, embed: true, attributes: true, fullFramePass: false },
  renditions: {
    source: { maxSize: 1920, quality: 85 },
    crops: { padding: 0.25, quality: 85 },
  },
};
const ANALYSES = 5;
const WARM_UP = 20;

/** Times in milliseconds, with one request at a time. */
export interface HopFigures {
  readonly photo: keyof typeof PHOTOS;
  /** The sizes of the request, which has the photo, and of the response, which has renditions and vectors. */
  readonly bytes: { readonly request: number; readonly response: number };
  /** The median time of the analysis in this process. */
  readonly analysis: number;
  /** The round trip without the analysis: its median and quartiles. */
  readonly roundTrip: { readonly lower: number; readonly median: number; readonly upper: number };
}

/**
 * Measures the time that a round trip to an inference process adds to an analysis. An inference role in a
 * thread of its own gets the photo and answers at once with a prepared analysis. A real analysis takes a
 * hundred times as long and varies by more than the whole round trip, so comparing two measurements would
 * show nothing.
 */
export async function measureHop(rounds: number): Promise<HopFigures[]> {
  await using engine = await openSharedEngine(SETUP);
  const local = new LocalImageAnalyzer(engine);
  const figures: HopFigures[] = [];
  for (const photo of ['small', 'large'] as const) {
    const bytes = await readFile(shared('photos', PHOTOS[photo]));
    const { answer, milliseconds } = await analyzed(local, bytes);
    figures.push({
      photo,
      bytes: { request: bytes.length, response: sizeOf(answer) },
      analysis: median(milliseconds),
      roundTrip: await timeRoundTrip(
        { answer, status: engine.status(), limits: limitsOf(SETUP) },
        bytes,
        rounds,
      ),
    });
  }
  return figures;
}

async function analyzed(
  local: ImageAnalyzer,
  bytes: Uint8Array,
): Promise<{ readonly answer: ImageAnalysis; readonly milliseconds: readonly number[] }> {
  let answer = await local.analyze({ ...ASKED, image: new Uint8Array(bytes) });
  const milliseconds: number[] = [];
  for (let i = 0; i < ANALYSES; i++) {
    const start = performance.now();
    answer = await local.analyze({ ...ASKED, image: new Uint8Array(bytes) });
    milliseconds.push(performance.now() - start);
  }
  return { answer, milliseconds };
}

async function timeRoundTrip(
  known: KnownAnalysis,
  bytes: Uint8Array,
  rounds: number,
): Promise<HopFigures['roundTrip']> {
  const thread = new Worker(new URL('answering-inference.ts', import.meta.url), {
    workerData: known,
  });
  await using resources = new AsyncDisposableStack();
  resources.defer(async () => {
    await thread.terminate();
  });
  const [url] = (await once(thread, 'message')) as [string];
  const http = resources.use(new HttpImageAnalyzer({ urls: [new URL(url)] }));
  const times: number[] = [];
  for (let round = -WARM_UP; round < rounds; round++) {
    const image = new Uint8Array(bytes);
    const start = performance.now();
    await http.analyze({ ...ASKED, image });
    if (round >= 0) times.push(performance.now() - start);
  }
  return {
    lower: percentile(times, 0.25),
    median: median(times),
    upper: percentile(times, 0.75),
  };
}

function sizeOf({ faces, source }: ImageAnalysis): number {
  const parts = (faces?.items ?? []).flatMap(({ embedding, crop }) => [
    embedding?.byteLength ?? 0,
    crop?.jpeg.length ?? 0,
  ]);
  return parts.reduce((total, size) => total + size, source?.jpeg.length ?? 0);
}
