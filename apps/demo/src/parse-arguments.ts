import { parseArgs } from 'node:util';
import { StartError } from '@sightline/platform/lifecycle/start-error';

export interface Arguments {
  readonly scenario:
    | { readonly kind: 'party' }
    | { readonly kind: 'photo'; readonly path: string }
    | { readonly kind: 'folder'; readonly path: string; readonly enroll: number };
  readonly out: string;
}

const USAGE =
  'Use make demo, make demo PHOTO=photo.jpg, or make demo FOLDER=people ENROLL=1; OUT=folder says where pictures go.';

/** @throws StartError if the arguments are invalid */
export function parseArguments(words: readonly string[]): Arguments {
  const { photo, folder, enroll, out } = read(words);
  if (photo !== undefined && folder !== undefined) {
    throw new StartError(`Give either PHOTO or FOLDER, not both. ${USAGE}`);
  }
  if (photo !== undefined) return { scenario: { kind: 'photo', path: photo }, out };
  if (folder !== undefined) {
    return { scenario: { kind: 'folder', path: folder, enroll: count(enroll) }, out };
  }
  return { scenario: { kind: 'party' }, out };
}

function read(words: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        photo: { type: 'string' },
        folder: { type: 'string' },
        enroll: { type: 'string', default: '1' },
        out: { type: 'string', default: './demo-output' },
      },
    });
    return values;
  } catch (error) {
    throw new StartError(`${(error as Error).message}. ${USAGE}`, { cause: error });
  }
}

function count(text: string): number {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  throw new StartError(`ENROLL is ${text}, but has to be a whole number from 1 to 99. ${USAGE}`);
}
