import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type BoundingBox, intersectionOverUnion } from '@sightline/core/analysis/geometry';
import { IMAGE_FORMATS } from '@sightline/core/sources/image-format';
import { describeWithShared } from '@sightline/test/support/gates/describe-with-shared';
import { shared } from '@sightline/test/support/fixtures/shared';
import type { FacePipeline } from '../faces/face-pipeline.ts';
import { discoverPacks } from '../packs/discover-packs.ts';
import { openFacePack, type OpenPack } from '../packs/open-pack.ts';
import { sniffFormat } from './sniff-format.ts';
import { decode, fixture, FIXTURES } from './testing/fixture.ts';

/** The outline of the face in master.svg, in pixels. */
const DRAWN_FACE: BoundingBox = { x: 92, y: 34, w: 88, h: 113 };

const REFERENCE = 'master.png';
const LOSSLESS = ['master.webp', 'master.bmp', 'master.tiff'];
const LOSSY: [name: string, minOverlap: number][] = [
  ['master.jpg', 0.97],
  ['master.mpo', 0.97],
  ['master-lossy.webp', 0.97],
  ['master.avif', 0.97],
  ['master.heic', 0.97],
  ['master-grid.avif', 0.97],
  ['master-grid.heic', 0.97],
  // The GIF has only 256 dithered colors, so its face may be found slightly further from the reference.
  ['master.gif', 0.95],
];

describeWithShared('the face of the same image in every format', () => {
  let pack: OpenPack<FacePipeline>;
  let reference: BoundingBox;

  beforeAll(async () => {
    const { packs } = await discoverPacks(shared('packs'));
    const faces = packs.find(({ manifest }) => manifest.name === 'insightface')!;
    pack = await openFacePack(faces, { provider: 'cpu', intraOpThreads: 1 });
    reference = await boxOfTheFace(REFERENCE);
  });
  afterAll(async () => {
    await pack[Symbol.asyncDispose]();
  });

  async function boxOfTheFace(name: string): Promise<BoundingBox> {
    const faces = await pack.pipeline.analyze(
      await decode(fixture(name)),
      {
        detectionThreshold: 0.7,
        embed: false,
        attributes: false,
        fullFramePass: false,
        upright: false,
      },
      () => undefined,
    );
    expect(faces).toHaveLength(1);
    return faces[0]!.bbox;
  }

  test('the matrix covers every supported format and every master', () => {
    const names = [REFERENCE, ...LOSSLESS, ...LOSSY.map(([name]) => name)];
    expect([...names].sort()).toEqual(FIXTURES.filter((name) => name.startsWith('master')).sort());
    const formats = new Set(names.map((name) => sniffFormat(fixture(name))));
    expect([...formats].sort()).toEqual([...IMAGE_FORMATS].sort());
  });

  test('finds the face where it was drawn', () => {
    expect(intersectionOverUnion(reference, DRAWN_FACE)).toBeGreaterThan(0.8);
  });

  test.each(LOSSLESS)('%s: the same box, to the pixel', async (name) => {
    const box = await boxOfTheFace(name);
    expect(largestShift(box, reference)).toBeLessThanOrEqual(1);
  });

  test.each(LOSSY)('%s: IoU of at least %d', async (name, minOverlap) => {
    const box = await boxOfTheFace(name);
    expect(intersectionOverUnion(box, reference)).toBeGreaterThanOrEqual(minOverlap);
  });
});

function largestShift(a: BoundingBox, b: BoundingBox): number {
  const edges = ({ x, y, w, h }: BoundingBox) => [x, y, x + w, y + h];
  const [from, to] = [edges(a), edges(b)];
  return Math.max(...from.map((edge, i) => Math.abs(edge - to[i]!)));
}
