import { overlay } from './overlay.ts';
import { sharp } from './sharp.ts';

export interface Enrolled {
  readonly label: string;
  readonly portrait: Uint8Array;
}

/** The free space between pictures, as a fraction of the annotated picture's height. */
const GAP = 0.012;

/**
 * Draws the enrolled portraits with their names in a column on the left of an annotated picture. The result is a JPEG.
 *
 * @param enrolled at least one portrait
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
      left: 0,
      top: i * (side + gap),
    })),
  );
  const left = side + gap;
  const canvas = { width: left + width, height, channels: 3, background: '#ffffff' } as const;
  return sharp({ create: canvas })
    .composite([...tiles, { input: Buffer.from(annotated), left, top: 0 }])
    .jpeg({ quality: 85, mozjpeg: true })
    .toBuffer();
}

async function tile({ label, portrait }: Enrolled, side: number): Promise<Buffer> {
  // An empty box at the lower edge makes `overlay` draw the name just above the edge, inside the portrait.
  const box = { x: 0, y: side, w: 0, h: 0 };
  const picture = { width: side, height: side };
  const name = await overlay([{ kind: 'known', text: label, box }], picture, side / 11);
  return sharp(portrait)
    .resize({ ...picture, position: 'top' })
    .composite([{ input: Buffer.from(name) }])
    .png()
    .toBuffer();
}
