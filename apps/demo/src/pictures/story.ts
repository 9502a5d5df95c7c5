import { sharp } from './sharp.ts';
import { overlay, writeTexts } from './overlay.ts';

/** A portrait that was enrolled, as it is shown beside the picture. */
export interface Enrolled {
  readonly label: string;
  readonly portrait: Uint8Array;
}

const QUALITY = 85;

/** Free paper around the portraits, as a share of the height of the picture. */
const GAP = 0.012;

/**
 * The enrolled portraits with their names, one below the other, on the left of an annotated picture:
 * what went in, and what came out. As JPEG.
 *
 * @param enrolled at least one
 */
export async function story(
  enrolled: readonly Enrolled[],
  annotated: Uint8Array,
): Promise<Uint8Array> {
  const { width, height } = await sharp(annotated).metadata();
  const gap = Math.round(height * GAP);
  const side = Math.floor((height - gap * (enrolled.length - 1)) / enrolled.length);
  const tiles = await Promise.all(
    enrolled.map(async (person, i) => ({
      input: await tile(person, side),
      ...{ left: 0, top: i * (side + gap) },
    })),
  );
  const left = side + gap;
  const canvas = { width: left + width, height, channels: 3, background: '#ffffff' } as const;
  return sharp({ create: canvas })
    .composite([...tiles, { input: Buffer.from(annotated), left, top: 0 }])
    .jpeg({ quality: QUALITY, mozjpeg: true })
    .toBuffer();
}

async function tile({ label, portrait }: Enrolled, side: number): Promise<Buffer> {
  // Below the lower edge there is no room for a text: it stands inside.
  const box = { x: 0, y: side, w: 0, h: 0 };
  const size = side / 11;
  const texts = await writeTexts([{ kind: 'known', text: label, box }], size);
  const name = overlay(texts, { width: side, height: side }, size);
  return sharp(portrait)
    .resize({ width: side, height: side, position: 'top' })
    .composite([{ input: Buffer.from(name) }])
    .png()
    .toBuffer();
}
