import { createHash } from 'node:crypto';
import { link, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import sharp from 'sharp';
import { drawPhoto, people } from '../../support/fixtures/draw-photo.ts';

const PICTURES = 24;
const AT_A_TIME = 64;

/** Draws the pictures that all planted crops and photos show, by their digests. */
export async function drawPictures(): Promise<ReadonlyMap<string, Buffer>> {
  const drawn = people(PICTURES).map(async (face) => {
    const photo = Buffer.from(await (await drawPhoto({ faces: [face] })).arrayBuffer());
    const bytes = await sharp(photo).resize(800, 600, { kernel: 'nearest' }).jpeg().toBuffer();
    return [createHash('sha256').update(bytes).digest('hex'), bytes] as const;
  });
  return new Map(await Promise.all(drawn));
}

/** Links a picture to the place of each planted media key, so that they take little room. */
export async function plantMedia(
  client: pg.Client,
  { folder, pictures }: { readonly folder: string; readonly pictures: ReadonlyMap<string, Buffer> },
): Promise<void> {
  const { rows } = await client.query<{ readonly key: string }>(
    'SELECT media_key AS key FROM source_images UNION ALL SELECT crop_key FROM detections',
  );
  const objects = join(folder, 'objects');
  const first = new Map<string, string>();
  for (const { key } of rows) {
    const path = join(objects, key);
    const digest = key.split('/').at(-1)!.slice(0, 64);
    const id = `${dirname(key)}/${digest}`;
    if (first.has(id)) continue;
    first.set(id, path);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, pictures.get(digest)!);
  }
  for (let start = 0; start < rows.length; start += AT_A_TIME) {
    const batch = rows.slice(start, start + AT_A_TIME).map(async ({ key }) => {
      const path = join(objects, key);
      const original = first.get(`${dirname(key)}/${key.split('/').at(-1)!.slice(0, 64)}`)!;
      if (path !== original) await link(original, path);
    });
    await Promise.all(batch);
  }
}
