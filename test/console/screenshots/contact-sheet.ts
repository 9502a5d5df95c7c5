import sharp from 'sharp';

const COLUMNS = 4;
const TILE = { width: 480, height: 720 };

/** Puts pictures beside each other, so that many are looked at together. */
export async function writeContactSheet(path: string, pictures: readonly string[]): Promise<void> {
  const tiles = pictures.map(async (picture, index) => ({
    input: await sharp(picture)
      .resize({ ...TILE, fit: 'cover', position: 'top' })
      .toBuffer(),
    left: (index % COLUMNS) * TILE.width,
    top: Math.floor(index / COLUMNS) * TILE.height,
  }));
  const sheet = {
    width: COLUMNS * TILE.width,
    height: Math.ceil(pictures.length / COLUMNS) * TILE.height,
    channels: 3,
    background: '#808080',
  } as const;
  await sharp({ create: sheet })
    .composite(await Promise.all(tiles))
    .png()
    .toFile(path);
}
