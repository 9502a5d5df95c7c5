import { readFile, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { CatalogEntry } from '@sightline/core/models/catalog-entry';
import { MODEL_CATALOG } from '@sightline/core/models/model-catalog';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { z } from 'zod';

/** The maximum size of the file. A thousand entries with all their class names are smaller. */
const MAX_CATALOG_BYTES = 16 * 1024 ** 2;
/** The largest file that onnxruntime reads. */
const MAX_FILE_BYTES = 2 ** 31 - 1;

const Name = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,99}$/i, 'must be a valid folder name');

const File = z.strictObject({
  address: z
    .string()
    .max(4000)
    .refine(isAddress, 'must be a URL with https, http, s3 or file, or an absolute path')
    .refine(isWithoutCredentials, 'must not contain a user name or password'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits')
    .nullable()
    .default(null),
  bytes: z.int().positive().max(MAX_FILE_BYTES).nullable().default(null),
});

const Entry = z
  .strictObject({
    name: Name,
    task: z.enum(['face', 'object', 'open_vocabulary']),
    version: z.string().min(1).max(100),
    license: z.string().min(1).max(200),
    commercial_use: z.union([z.boolean(), z.literal('unknown')]),
    commercial_use_reason: z.string().max(1000).nullable().default(null),
    provides: z.array(z.enum(['age', 'gender', 'pose', 'landmarks'])).default([]),
    embedding_dim: z.int().positive().nullable().default(null),
    classes: z.array(z.string()).default([]),
    files: z.array(File).max(20).default([]),
  })
  .refine(
    ({ commercial_use, commercial_use_reason }) =>
      commercial_use !== 'unknown' || commercial_use_reason !== null,
    { path: ['commercial_use_reason'], message: 'is needed if the use is unknown' },
  );

/**
 * The models of the built-in catalog and of a file. Models of the file replace built-in models of the same name.
 *
 * @param path the path of the file; null if no file is configured
 * @throws StartError that names the invalid entry and member
 */
export async function readCatalog(path: string | null): Promise<readonly CatalogEntry[]> {
  if (path === null) return MODEL_CATALOG;
  const own = entriesOf(path, await parseFile(path));
  const names = new Set<string>();
  for (const { name } of own) {
    if (names.has(name)) throw unusable(path, `two entries have the name ${name}`);
    names.add(name);
  }
  return [...MODEL_CATALOG.filter(({ name }) => !names.has(name)), ...own];
}

async function parseFile(path: string): Promise<unknown> {
  const text = await readText(path);
  try {
    return JSON.parse(text);
  } catch {
    // The caught error is dropped, because it quotes the file, which may contain secrets.
    throw unusable(path, 'it is not valid JSON');
  }
}

/** Reads a regular file only, because a pipe or a device may never end. */
async function readText(path: string): Promise<string> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) throw unusable(path, 'it is not a regular file');
    if (stats.size > MAX_CATALOG_BYTES) {
      throw unusable(path, `it has more than ${MAX_CATALOG_BYTES} bytes`);
    }
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    throw unusable(path, `it cannot be read (${code})`, { cause });
  }
}

function entriesOf(path: string, content: unknown): readonly CatalogEntry[] {
  const parsed = z.array(Entry).max(1000).safeParse(content);
  if (parsed.success) return parsed.data.map(toEntry);
  const [issue] = parsed.error.issues;
  const [index, ...member] = issue!.path;
  const entry =
    index === undefined ? 'the list' : `entry ${String(index)}${nameOf(content, index)}`;
  const place = member.length === 0 ? entry : `${member.join('.')} of ${entry}`;
  throw unusable(path, `${place}: ${issue!.message}`);
}

/** The name of an entry in error messages. No other value is quoted, because a misplaced value may be a secret. */
function nameOf(content: unknown, index: PropertyKey): string {
  const entry: unknown = (content as Record<PropertyKey, unknown>)[index];
  const named = z.object({ name: Name }).safeParse(entry);
  return named.success ? ` (${named.data.name})` : '';
}

function toEntry({ name, task, version, license, ...entry }: z.infer<typeof Entry>): CatalogEntry {
  return {
    name,
    task,
    version,
    license,
    commercialUse: entry.commercial_use,
    commercialUseReason: entry.commercial_use_reason,
    provides: entry.provides,
    embeddingDim: entry.embedding_dim,
    classes: entry.classes,
    files: entry.files,
  };
}

const ADDRESSES = new Map<string, (url: URL) => boolean>([
  ['https:', () => true],
  ['http:', () => true],
  ['s3:', ({ host, pathname }) => host !== '' && pathname.length > 1 && isDecodable(pathname)],
  ['file:', ({ host, pathname }) => host === '' && isDecodable(pathname)],
]);

function isAddress(text: string): boolean {
  if (isAbsolute(text)) return true;
  const url = URL.parse(text);
  return url !== null && (ADDRESSES.get(url.protocol)?.(url) ?? false);
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Refuses credentials in an address, because downloads would not send them. */
function isWithoutCredentials(address: string): boolean {
  const url = URL.parse(address);
  return url === null || url.username + url.password === '';
}

function unusable(path: string, reason: string, options?: ErrorOptions): StartError {
  return new StartError(
    `The catalog of models in ${path} (SIGHTLINE_MODEL_CATALOG) cannot be used: ${reason}.`,
    options,
  );
}
