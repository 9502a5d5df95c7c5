import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '@sightline/platform/lifecycle/start-error';

/** The usual file extensions of the image formats that the service accepts. */
const PHOTO = /\.(?:jpe?g|png|webp|bmp|gif|tiff?|hei[cf]|avif|mpo)$/i;

/** A person and the photos in the person's folder. */
export interface FolderOfPerson {
  /** The name of the folder, trimmed because the service trims names. */
  readonly name: string;
  /** The paths of the photos, at least one, ordered by file name. */
  readonly photos: readonly string[];
}

const EXPECTED = 'one folder for each person, with photos in it, as in Ada/1.jpg';

/**
 * Finds the people in a folder, ordered by name.
 *
 * @throws StartError if the folder cannot be read or contains no folder with photos
 */
export async function peopleFolder(folder: string): Promise<FolderOfPerson[]> {
  const people: FolderOfPerson[] = [];
  for (const name of await namesIn(folder)) {
    const photos = await photosIn(join(folder, name));
    if (photos.length > 0) people.push({ name: name.trim(), photos });
  }
  if (people.length > 0) return people;
  throw new StartError(`There are no people in ${folder}: it has to hold ${EXPECTED}.`);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return visible(await readdir(folder));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const reason = code === 'ENOENT' ? 'no such folder' : (error as Error).message;
    throw new StartError(`${folder} cannot be read: ${reason}. It has to hold ${EXPECTED}.`);
  }
}

/** Returns an empty list if the path is not a folder. */
async function photosIn(folder: string): Promise<string[]> {
  try {
    const names = visible(await readdir(folder)).filter((name) => PHOTO.test(name));
    return names.map((name) => join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return [];
    throw new StartError(`${folder} cannot be read: ${(error as Error).message}`);
  }
}

/** The names that do not begin with a dot, in numeric order, so that 2.jpg comes before 10.jpg. */
function visible(names: readonly string[]): string[] {
  const { compare } = new Intl.Collator('en', { numeric: true });
  return names.filter((name) => !name.startsWith('.')).sort(compare);
}
