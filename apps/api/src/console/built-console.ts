import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { z } from 'zod';

/** The content codings in which the build stores files, the smallest first, with the endings of their names. */
const ENDINGS = { br: '.br', gzip: '.gz' } as const;

export type Coding = keyof typeof ENDINGS;

/** The file that the build writes beside the folder of the pages. */
const Build = z.object({ style_hashes: z.array(z.string().regex(/^sha256-[\w+/]+=*$/)) });

export interface ConsoleFile {
  /** The absolute paths, by content coding. */
  readonly copies: Readonly<Partial<Record<Coding, string>>>;
  readonly path: string;
  /** The entity tag of all copies, which is the same in every process that has the same build. */
  readonly etag: string;
}

/** A build of apps/console. */
export interface BuiltConsole {
  /** By their paths in URLs, below the console's own, such as `/assets/main-4f2a.js`. */
  readonly files: ReadonlyMap<string, ConsoleFile>;
  /** The page, which is the same for all paths. */
  readonly page: ConsoleFile;
  /** The hashes of the constant style sheets that the console's libraries insert, such as `sha256-...`. */
  readonly styleHashes: readonly string[];
}

/** @throws StartError if the folder has no console */
export function readBuiltConsole(folder: string): BuiltConsole {
  try {
    const { style_hashes: styleHashes } = Build.parse(
      JSON.parse(readFileSync(join(folder, 'build.json'), 'utf8')),
    );
    const files = listFiles(join(folder, 'public'));
    const page = files.get('/index.html');
    if (page === undefined) throw new Error('index.html is missing');
    return { files, page, styleHashes };
  } catch (cause) {
    const message = `SIGHTLINE_CONSOLE_DIR: ${folder} has no built console. Set it to off, or unset it and use make start, which builds one.`;
    throw new StartError(message, { cause });
  }
}

function listFiles(folder: string): ReadonlyMap<string, ConsoleFile> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length));
  const all = new Set(names);
  const isCopy = (name: string) =>
    Object.values(ENDINGS).some(
      (ending) => name.endsWith(ending) && all.has(name.slice(0, -ending.length)),
    );
  return new Map(
    names
      .filter((name) => !isCopy(name))
      .map((name) => {
        const copies = Object.entries(ENDINGS)
          .filter(([, ending]) => all.has(name + ending))
          .map(([coding, ending]) => [coding, folder + name + ending]);
        const path = folder + name;
        const file = {
          path,
          etag: `W/"${createHash('sha256').update(readFileSync(path)).digest('base64url')}"`,
          copies: Object.fromEntries(copies) as ConsoleFile['copies'],
        };
        return [name.replaceAll(sep, '/'), file];
      }),
  );
}
