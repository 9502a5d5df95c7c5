import { overlay } from './overlay.ts';
import { sharp } from './sharp.ts';

/** An enrolled portrait. */
export interface Enrolled {
  readonly label: string;
  readonly portrait: Uint8Array;
}

/** Free space between the pictures, as a share of the height of the annotated one. */
const GAP = 0.012;

/**
 * The enrolled portraits with their names, one below the other, on the left of an annotated picture,
 * as JPEG.
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
  // The box is empty and at the lower edge, so that its text is drawn above it, inside the portrait.
  const box = { x: 0, y: side, w: 0, h: 0 };
  const picture = { width: side, height: side };
  const name = await overlay([{ kind: 'known', text: label, box }], picture, side / 11);
  return sharp(portrait)
    .resize({ ...picture, position: 'top' })
    .composite([{ input: Buffer.from(name) }])
    .png()
    .toBuffer();
}
