import { readFile } from 'node:fs/promises';
import type { AnalysisRequest, ImageAnalyzer } from '@sightline/core/detections/image-analyzer';
import { HttpImageAnalyzer } from '@sightline/inference-http/http-image-analyzer';
import { LocalImageAnalyzer } from '@sightline/inference-local/local-image-analyzer';
import { openInferenceServer } from '../contract/inference-server.ts';
import { shared } from '../support/shared.ts';
import { median } from './statistics.ts';

const PHOTOS = { small: 'people/010_2.jpg', large: 'people/001_A.jpg' } as const;
const ROUNDS = Number(process.argv[2] ?? 30);
const ASKED: Omit<AnalysisRequest, 'image'> = {
  faces: { detectionThreshold: 0.5, embed: true, attributes: true, fullFramePass: false },
  renditions: {
    source: { maxSize: 1920, quality: 85 },
    crops: { padding: 0.25, quality: 85 },
  },
};

/** In milliseconds; medians of one analysis at a time. */
interface HopFigures {
  readonly bytes: number;
  readonly local: number;
  readonly http: number;
  /** What an analysis takes longer over HTTP: the median of the differences of neighbours. */
  readonly added: number;
}

/**
 * What the way to an inference process adds to an analysis. Both analyzers use the same engine, and
 * both ends of the connection share one event loop, so that the figure is rather too large.
 */
async function measureHop(
  analyzers: { readonly local: ImageAnalyzer; readonly http: ImageAnalyzer },
  bytes: Uint8Array,
): Promise<HopFigures> {
  const time = async (analyzer: ImageAnalyzer) => {
    const image = new Uint8Array(bytes);
    const start = performance.now();
    await analyzer.analyze({ ...ASKED, image });
    return performance.now() - start;
  };
  await time(analyzers.local);
  await time(analyzers.http);
  const times = { local: [] as number[], http: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    times.local.push(await time(analyzers.local));
    times.http.push(await time(analyzers.http));
  }
  return {
    bytes: bytes.length,
    local: median(times.local),
    http: median(times.http),
    added: median(times.http.map((taken, round) => taken - times.local[round]!)),
  };
}

const setup = { face: true, object: false, workers: 1, queueLimit: 4 };
await using server = await openInferenceServer(setup);
await using http = new HttpImageAnalyzer({ urls: [server.url] });
const local = new LocalImageAnalyzer(server.engine);
for (const [name, path] of Object.entries(PHOTOS)) {
  const figures = await measureHop({ local, http }, await readFile(shared('photos', path)));
  process.stdout.write(`${JSON.stringify({ photo: name, ...figures })}\n`);
}
