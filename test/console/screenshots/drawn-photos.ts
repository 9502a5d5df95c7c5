import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import sharp, { type Sharp } from 'sharp';

/** Drawings of people who do not exist. */
const PICTURES = resolve(import.meta.dirname, '../../../apps/demo/pictures');

export const PEOPLE = ['Ada', 'Kofi', 'Mei', 'Walter'];

/** The ways in which a drawing becomes another photo of the same people. */
const CHANGES: Readonly<Record<string, (picture: Sharp) => Sharp>> = {
  faded: (picture) => picture.linear(0.35, 150),
  coarse: (picture) => picture.resize({ width: 110 }),
  soft: (picture) => picture.blur(6),
  gray: (picture) => picture.grayscale(),
  evening: (picture) => picture.modulate({ brightness: 0.6, saturation: 1.3 }),
  tilted: (picture) => picture.rotate(12, { background: '#d9c7ad' }),
  // The newest face is the cover of a person, so the clearest photos are the last ones.
  mirrored: (picture) => picture.flop(),
};

/** Parts of the group picture, as left, top, width and height. */
const PARTS: Readonly<Record<string, readonly [number, number, number, number]>> = {
  'at-the-table': [0, 0, 1600, 1000],
  'ada-and-kofi': [150, 100, 560, 760],
  'walter-and-rosa': [590, 100, 560, 760],
  rosa: [820, 120, 320, 420],
  'rosa-and-mei': [820, 100, 560, 760],
  plant: [1300, 330, 300, 500],
  'cups-and-fruit': [0, 640, 1300, 360],
};

export async function portraitOf(person: string): Promise<File> {
  const path = join(PICTURES, 'portraits', `${person.toLowerCase()}.jpg`);
  return new File([new Uint8Array(await readFile(path))], `${person}.jpg`, { type: 'image/jpeg' });
}

/** Changed copies of the portraits and of parts of the group picture. */
export async function drawnPhotos(): Promise<readonly File[]> {
  const party = await readFile(join(PICTURES, 'party.jpg'));
  const files: Promise<File>[] = [];
  for (const [name, change] of Object.entries(CHANGES)) {
    for (const person of PEOPLE) {
      const portrait = Buffer.from(await (await portraitOf(person)).arrayBuffer());
      files.push(encoded(change(sharp(portrait)), `${person}-${name}`));
    }
    for (const [part, [left, top, width, height]] of Object.entries(PARTS)) {
      const cut = await sharp(party).extract({ left, top, width, height }).png().toBuffer();
      files.push(encoded(change(sharp(cut)), `${part}-${name}`));
    }
  }
  return Promise.all(files);
}

async function encoded(picture: Sharp, name: string): Promise<File> {
  const bytes = await picture.jpeg({ quality: 90 }).toBuffer();
  return new File([new Uint8Array(bytes)], `${name}.jpg`, { type: 'image/jpeg' });
}
