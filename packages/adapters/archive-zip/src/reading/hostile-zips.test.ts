import { expect, test } from '@jest/globals';
import { localFileOf } from '@sightline/core/media/testing/local-file-of';
import { rawZip } from '../zip-reading/testing/raw-zip.ts';
import { sampleFiles, zipOf } from '../testing/sample-archive.ts';
import { zipArchiveReader } from './open-archive.ts';

const MAX_BYTES = 1024 ** 2 * 8;

const MODEL = { name: 'faces', revision: 'a'.repeat(64), embedding_dim: 2 };
const LIBRARY = sampleFiles({
  models: [MODEL],
  identities: [{ label: 'Ann' }],
  images: [{ detections: [{ identity: 1, looks: { 1: Float32Array.of(0.6, 0.8) } }] }],
});
const refusalOfArchive = (zip: Uint8Array) =>
  zipArchiveReader.open(localFileOf(zip), MAX_BYTES).then(
    () => null,
    (error: unknown) => error,
  );

test('an archive that another program compressed again can be read', async () => {
  const files = [...LIBRARY].map(([name, data]) => ({ name, data, isDeflated: true }));
  const zip = rawZip([{ name: 'pages/' }, ...files]);
  const archive = await zipArchiveReader.open(localFileOf(zip), MAX_BYTES);
  const [image] = await Array.fromAsync(archive.images());
  expect(image!.detections[0]!.vectors[0]!.vector).toEqual(Float32Array.of(0.6, 0.8));
});

test('an archive that is cut off anywhere is refused', async () => {
  const zip = await zipOf(LIBRARY);
  for (let end = 4; end < zip.length; end += 97) {
    const refusal = await refusalOfArchive(zip.subarray(0, end));
    expect(refusal).toMatchObject({ code: 'archive_invalid' });
  }
});

test('an archive with a flipped byte is refused, unless the byte does not matter', async () => {
  const zip = await zipOf(LIBRARY);
  for (let at = 0; at < zip.length; at += 7) {
    const flipped = Uint8Array.from(zip);
    flipped[at]! ^= 0x41;
    const refusal = await refusalOfArchive(flipped);
    // Some fields of a ZIP, such as its times, do not matter to the reader.
    if (refusal !== null) {
      expect(['archive_invalid', 'unsupported_media_type', 'file_too_large']).toContain(
        (refusal as { code?: string }).code,
      );
    }
  }
});
