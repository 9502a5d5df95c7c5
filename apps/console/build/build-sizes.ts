import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** An entry of Vite's manifest. */
interface Chunk {
  readonly file: string;
  readonly name?: string;
  readonly isEntry?: boolean;
  /** The keys of the chunks that are loaded with this one. */
  readonly imports?: readonly string[];
  /** The keys of the chunks that this one loads when it needs them. */
  readonly dynamicImports?: readonly string[];
}

type Manifest = Readonly<Record<string, Chunk>>;

/** Bytes of a build after compression with Brotli. */
export interface BuildSizes {
  /** The script that a visitor loads before the sign-in shows. */
  readonly signIn: number;
  /** The script that is loaded before the first page in the frame shows. */
  readonly first: number;
  /** The script that each page adds to that, with everything that the page can load later. */
  readonly pages: Readonly<Record<string, number>>;
  /** All style sheets. */
  readonly styles: number;
}

/** The name of the file with the frame and all that it imports. */
const FRAME = 'frame';

/** @param folder a build of the console */
export async function readBuildSizes(folder: string): Promise<BuildSizes> {
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest;
  const sizeOf = async (files: Iterable<string>) => {
    const stats = await Promise.all(
      [...files].map((file) => stat(join(folder, 'public', `${file}.br`))),
    );
    return stats.reduce((sum, { size }) => sum + size, 0);
  };
  const entries = Object.keys(manifest).filter((key) => manifest[key]!.isEntry);
  const signIn = reached(manifest, entries, staticImports);
  const frame = Object.keys(manifest).filter((key) => manifest[key]!.name === FRAME);
  const first = reached(manifest, [...entries, ...frame], staticImports);
  const pages = Object.keys(manifest).filter((key) => /^src\/pages\/.+-page\.tsx$/.test(key));
  const added = pages.map(async (page) => {
    const files = [...reached(manifest, [page], allImports)].filter((file) => !first.has(file));
    return [page, await sizeOf(files)] as const;
  });
  const assets = await readdir(join(folder, 'public'), { recursive: true });
  return {
    signIn: await sizeOf(signIn),
    first: await sizeOf(first),
    pages: Object.fromEntries(await Promise.all(added)),
    styles: await sizeOf(assets.filter((file) => file.endsWith('.css'))),
  };
}

const staticImports = ({ imports = [] }: Chunk) => imports;
const allImports = ({ imports = [], dynamicImports = [] }: Chunk) => [
  ...imports,
  ...dynamicImports,
];

/** Returns the files of the chunks with these keys, and of all that they import. */
function reached(
  manifest: Manifest,
  keys: readonly string[],
  importsOf: (chunk: Chunk) => readonly string[],
): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [...keys];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (found.has(key)) continue;
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`The build has no chunk of ${key}.`);
    found.add(key);
    // The entry loads all pages, so its own imports do not belong to a page.
    if (chunk.isEntry !== true || keys.includes(key)) waiting.push(...importsOf(chunk));
  }
  return new Set([...found].map((key) => manifest[key]!.file));
}
