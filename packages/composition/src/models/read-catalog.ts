import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { CatalogEntry } from '@sightline/core/models/catalog-entry';
import { MODEL_CATALOG } from '@sightline/core/models/model-catalog';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { z } from 'zod';

/** Names of folders. */
const Name = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,99}$/i, 'has to be the name of a folder');

const File = z.strictObject({
  address: z
    .string()
    .refine(isAddress, 'has to be an address of https, http, s3 or file, or an absolute path'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'has to be 64 lower-case hex digits')
    .nullable()
    .default(null),
  bytes: z.int().positive().nullable().default(null),
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
 * The models of the product, and those of a file, which replace models of the same name.
 *
 * @param path null: there is no file
 * @throws StartError that names the entry and its member
 */
export async function readCatalog(path: string | null): Promise<readonly CatalogEntry[]> {
  if (path === null) return MODEL_CATALOG;
  const own = entriesOf(path, await parseFile(path));
  const names = new Set(own.map(({ name }) => name));
  if (names.size < own.length) throw unusable(path, 'two entries have the same name');
  return [...MODEL_CATALOG.filter(({ name }) => !names.has(name)), ...own];
}

async function parseFile(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? 'it is no JSON' : (cause as Error).message;
    throw unusable(path, reason, { cause });
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

function nameOf(content: unknown, index: PropertyKey): string {
  const entry: unknown = (content as Record<PropertyKey, unknown>)[index];
  const isNamed = typeof entry === 'object' && entry !== null && 'name' in entry;
  return isNamed && typeof entry.name === 'string' ? ` (${entry.name})` : '';
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

function isAddress(text: string): boolean {
  if (isAbsolute(text)) return true;
  const protocol = URL.parse(text)?.protocol;
  return protocol !== undefined && ['https:', 'http:', 's3:', 'file:'].includes(protocol);
}

function unusable(path: string, reason: string, options?: ErrorOptions): StartError {
  return new StartError(
    `The catalog of models in ${path} (SIGHTLINE_MODEL_CATALOG) cannot be used: ${reason}.`,
    options,
  );
}
