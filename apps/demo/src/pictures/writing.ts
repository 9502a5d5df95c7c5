import { createRequire } from 'node:module';
import { sharp } from './sharp.ts';

/** The font comes from an npm package, because a small machine or container may have no fonts. */
const FONT = 'DejaVu Sans Bold';
const FONT_FILE = createRequire(import.meta.url).resolve(
  'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
);

/** A rendered text, cropped to its visible pixels. */
export interface Writing {
  readonly png: Buffer;
  /** Both sizes are in pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * Renders a line of text in white.
 *
 * @param size the size of the font in pixels
 */
export async function write(text: string, size: number): Promise<Writing> {
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="white">${escaped(text)}</span>`,
      font: `${FONT} ${size}`,
      fontfile: FONT_FILE,
      dpi: 72,
      rgba: true,
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true });
  return { png: data, width: info.width, height: info.height };
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
