import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ModelLoadFailed } from '@sightline/core/models/model-errors';
import type { OnnxModel } from '../onnx/onnx-model.ts';
import {
  type ModelPack,
  type PackComponent,
  type PackManifest,
  parseManifest,
} from './manifest.ts';
import { keepContents, type ModelContents } from './model-contents.ts';
import { readModelFile, readRegularFile, readTokenizerFile } from './model-file.ts';
import { lacksClasses, withDefaultClasses } from './default-classes.ts';
import { onFile, PackRejected } from './pack-rejected.ts';
import { recognizePack } from './recognize-pack.ts';
import { packRevision } from './revision.ts';
import { readUltralyticsMetadata } from './ultralytics-metadata.ts';

export const MANIFEST = 'manifest.json';
const MAX_MANIFEST_BYTES = 1024 * 1024;

export interface FolderNote {
  readonly folder: string;
  readonly reason: string;
}

export interface PackDiscovery {
  readonly packs: readonly ModelPack[];
  /** The folders that are not valid packs, with the reasons. */
  readonly rejected: readonly FolderNote[];
  /** The folders that contain files which their packs do not use. */
  readonly warnings: readonly FolderNote[];
}

/**
 * Finds the packs in a folder. Each subfolder is a pack of that name, described by its
 * `manifest.json`. Without a manifest, the pack consists of the recognized ONNX files. A subfolder
 * may also have a single inner folder with all these files. Files are parsed, checked and compared
 * with the digests of the manifest. Hidden names are skipped.
 *
 * @param contents gets the files that were read
 * @throws ModelLoadFailed if the folder itself cannot be read
 */
export async function discoverPacks(
  modelsDir: string,
  contents: ModelContents = new Map(),
): Promise<PackDiscovery> {
  const packs: ModelPack[] = [];
  const rejected: FolderNote[] = [];
  const warnings: FolderNote[] = [];
  for (const folder of await listCandidates(modelsDir)) {
    try {
      const found = await readPack(resolve(modelsDir, folder), folder, contents);
      packs.push(found.pack);
      warnings.push(...found.warnings.map((reason) => ({ folder, reason })));
    } catch (error) {
      if (!(error instanceof PackRejected)) throw error;
      rejected.push({ folder, reason: error.message });
    }
  }
  return { packs, rejected, warnings };
}

/** Lists folders, and also model files that should be in a folder. */
async function listCandidates(modelsDir: string): Promise<string[]> {
  const candidates: string[] = [];
  for (const name of await listNames(modelsDir)) {
    // `stat` follows links, because a pack may be stored elsewhere.
    const stats = await stat(join(modelsDir, name)).catch(() => null);
    if (stats === null || stats.isDirectory() || name.endsWith('.onnx')) candidates.push(name);
  }
  return candidates;
}

async function listNames(modelsDir: string): Promise<string[]> {
  try {
    const names = await readdir(modelsDir);
    return names.filter((name) => !isHidden(name)).sort();
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    const sentence = `The models folder ${modelsDir} cannot be read (${code}).`;
    throw new ModelLoadFailed(sentence, {}, { cause });
  }
}

/**
 * Reads one folder as a pack of that name.
 *
 * @throws PackRejected
 */
export async function readPack(
  directory: string,
  name: string,
  contents: ModelContents,
): Promise<{ pack: ModelPack; warnings: readonly string[] }> {
  const { path, files } = await packFolder(directory, name);
  const { manifest, warnings } = files.includes(MANIFEST)
    ? { manifest: await readManifest(path, name, contents), warnings: [] }
    : await recognizePack(path, { name, files }, contents);
  const revision = packRevision(manifest.components);
  return { pack: { manifest, directory: path, revision }, warnings };
}

interface PackFolder {
  readonly path: string;
  readonly files: readonly string[];
}

/**
 * Returns the folder with a pack's files: the given folder, or the single folder in it. Some
 * archives (such as that of antelopev2) contain such an inner folder. Links to folders inside a
 * pack are not followed.
 *
 * @throws PackRejected
 */
async function packFolder(directory: string, name: string): Promise<PackFolder> {
  const outer = await listFolder(directory, name);
  const [inner, ...others] = outer.filter((entry) => !isHidden(entry.name));
  if (inner === undefined || others.length > 0 || !inner.isDirectory()) {
    return { path: directory, files: outer.map((entry) => entry.name) };
  }
  const path = join(directory, inner.name);
  const files = await listFolder(path, join(name, inner.name));
  return { path, files: files.map((entry) => entry.name) };
}

function listFolder(path: string, name: string): Promise<Dirent[]> {
  return readdir(path, { withFileTypes: true }).catch((cause: unknown) => {
    const what = name.endsWith('.onnx')
      ? 'must be in a folder of its own'
      : 'cannot be read as a folder';
    throw new PackRejected(`${name} ${what}.`, { cause });
  });
}

/** Returns whether a name is hidden, or is that of the folder that macOS adds to archives. */
function isHidden(name: string): boolean {
  return name.startsWith('.') || name === '__MACOSX';
}

async function readManifest(
  directory: string,
  name: string,
  contents: ModelContents,
): Promise<PackManifest> {
  const manifest = await onFile(MANIFEST, async () => {
    const bytes = await readRegularFile(join(directory, MANIFEST), MAX_MANIFEST_BYTES);
    return parseManifest(Buffer.from(bytes).toString('utf8'));
  });
  if (manifest.name !== name) {
    throw new PackRejected(
      `${MANIFEST} has the name ${JSON.stringify(manifest.name)}, which is not the name of its folder.`,
    );
  }
  const components: PackComponent[] = [];
  for (const component of manifest.components) {
    const { file, sha256 } = component;
    const read = await onFile(file, () => readModelFile(join(directory, file), sha256));
    keepContents(contents, read);
    await readTokenizers(directory, component, contents);
    components.push(withClasses(component, read.model));
  }
  return { ...manifest, components };
}

async function readTokenizers(
  directory: string,
  { tokenizer = [] }: PackComponent,
  contents: ModelContents,
): Promise<void> {
  for (const { file, sha256 } of tokenizer) {
    const path = join(directory, file);
    keepContents(contents, await onFile(file, () => readTokenizerFile(path, sha256)));
  }
}

function withClasses(component: PackComponent, { metadata }: OnnxModel): PackComponent {
  if (!lacksClasses(component)) return component;
  const classes = readUltralyticsMetadata(metadata)?.classes;
  return classes == null ? withDefaultClasses(component) : { ...component, classes };
}
