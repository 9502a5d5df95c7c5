import { readFile } from 'node:fs/promises';
import type { AnalysisRequest, ImageAnalyzer } from '@sightline/core/detections/image-analyzer';
import { HttpImageAnalyzer } from '@sightline/inference-http/http-image-analyzer';
import { LocalImageAnalyzer } from '@sightline/inference-local/local-image-analyzer';
import { openInferenceServer } from '../contract/inference-server.ts';
import { shared } from '../support/shared.ts';
import { median, percentile } from './statistics.ts';

const PHOTOS = { small: 'people/010_2.jpg', large: 'people/001_A.jpg' } as const;
const ASKED: Omit<AnalysisRequest, 'image'> = {
  faces: { detectionThreshold: 0.5, embed: true, attributes: true, fullFramePass: false },
  renditions: {
    source: { maxSize: 1920, quality: 85 },
    crops: { padding: 0.25, quality: 85 },
  },
};

/** In milliseconds; medians of one analysis at a time. */
export interface HopFigures {
  readonly photo: keyof typeof PHOTOS;
  readonly bytes: number;
  readonly local: number;
  readonly http: number;
  /** What an analysis takes longer over HTTP: the quartiles of the differences of neighbours. */
  readonly added: { readonly lower: number; readonly median: number; readonly upper: number };
}

interface Analyzers {
  readonly local: ImageAnalyzer;
  readonly http: ImageAnalyzer;
}

/**
 * What the way to an inference process adds to an analysis. Both analyzers use the same engine, and
 * both ends of the connection share one event loop, so that the figure is rather too large.
 */
export async function measureHop(rounds: number): Promise<HopFigures[]> {
  const setup = { face: true, object: false, workers: 1, queueLimit: 4 };
  await using server = await openInferenceServer(setup);
  await using http = new HttpImageAnalyzer({ urls: [server.url] });
  const analyzers = { local: new LocalImageAnalyzer(server.engine), http };
  const figures: HopFigures[] = [];
  for (const photo of ['small', 'large'] as const) {
    const bytes = await readFile(shared('photos', PHOTOS[photo]));
    figures.push({ photo, bytes: bytes.length, ...(await timeBoth(analyzers, bytes, rounds)) });
  }
  return figures;
}

async function timeBoth(
  { local, http }: Analyzers,
  bytes: Uint8Array,
  rounds: number,
): Promise<Pick<HopFigures, 'local' | 'http' | 'added'>> {
  const time = async (analyzer: ImageAnalyzer) => {
    const image = new Uint8Array(bytes);
    const start = performance.now();
    await analyzer.analyze({ ...ASKED, image });
    return performance.now() - start;
  };
  await time(local);
  await time(http);
  const times = { local: [] as number[], http: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    times.local.push(await time(local));
    times.http.push(await time(http));
  }
  const added = times.http.map((taken, round) => taken - times.local[round]!);
  return {
    local: median(times.local),
    http: median(times.http),
    added: {
      lower: percentile(added, 0.25),
      median: median(added),
      upper: percentile(added, 0.75),
    },
  };
}
