import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ModelLoadFailed } from '@sightline/core/models/model-errors';
import { COCO_CLASSES } from '@sightline/core/models/coco-classes';
import type { OnnxModel } from '../onnx/onnx-model.ts';
import {
  type ModelPack,
  type PackComponent,
  type PackManifest,
  parseManifest,
} from './manifest.ts';
import { readModelFile, readRegularFile } from './model-file.ts';
import { onFile, PackRejected } from './pack-rejected.ts';
import { recognisePack } from './recognise-pack.ts';
import { packRevision } from './revision.ts';
import { readUltralyticsMetadata } from './ultralytics-metadata.ts';

const MANIFEST = 'manifest.json';
const MAX_MANIFEST_BYTES = 1024 * 1024;

/** A folder and one sentence about it. */
export interface FolderNote {
  readonly folder: string;
  readonly reason: string;
}

export interface PackDiscovery {
  /** In the order of their names. */
  readonly packs: readonly ModelPack[];
  /** What is no pack. */
  readonly rejected: readonly FolderNote[];
  /** Files that a pack leaves out. */
  readonly warnings: readonly FolderNote[];
}

/**
 * Looks for packs in a folder: each folder in it is a pack of that name, as its `manifest.json`
 * says or, without one, as its ONNX files are recognised. Files are parsed, checked and, where a
 * manifest names digests, compared with them. Names that begin with a dot are passed over.
 *
 * @throws ModelLoadFailed if the folder itself cannot be read
 */
export async function discoverPacks(modelsDir: string): Promise<PackDiscovery> {
  const packs: ModelPack[] = [];
  const rejected: FolderNote[] = [];
  const warnings: FolderNote[] = [];
  for (const folder of await listCandidates(modelsDir)) {
    try {
      const found = await readPack(resolve(modelsDir, folder), folder);
      packs.push(found.pack);
      warnings.push(...found.warnings.map((reason) => ({ folder, reason })));
    } catch (error) {
      if (!(error instanceof PackRejected)) throw error;
      rejected.push({ folder, reason: error.message });
    }
  }
  return { packs, rejected, warnings };
}

/** Folders, and model files that lie where a folder should be. */
async function listCandidates(modelsDir: string): Promise<string[]> {
  const candidates: string[] = [];
  for (const name of await listNames(modelsDir)) {
    // Follows links: a pack may well be kept elsewhere.
    const stats = await stat(join(modelsDir, name)).catch(() => null);
    if (stats === null || stats.isDirectory() || name.endsWith('.onnx')) candidates.push(name);
  }
  return candidates;
}

async function listNames(modelsDir: string): Promise<string[]> {
  try {
    const names = await readdir(modelsDir);
    return names.filter((name) => !name.startsWith('.')).sort();
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    const sentence = `The folder of models ${modelsDir} cannot be read (${code}).`;
    throw new ModelLoadFailed(sentence, {}, { cause });
  }
}

async function readPack(
  directory: string,
  name: string,
): Promise<{ pack: ModelPack; warnings: readonly string[] }> {
  const files = await readdir(directory).catch((cause: unknown) => {
    const what = name.endsWith('.onnx')
      ? 'needs a folder of its own'
      : 'cannot be read as a folder';
    throw new PackRejected(`${name} ${what}.`, { cause });
  });
  const { manifest, warnings } = files.includes(MANIFEST)
    ? { manifest: await readManifest(directory, name), warnings: [] }
    : await recognisePack(directory, { name, files });
  const revision = packRevision(manifest.components);
  return { pack: { manifest, directory, revision }, warnings };
}

async function readManifest(directory: string, name: string): Promise<PackManifest> {
  const manifest = await onFile(MANIFEST, async () => {
    const bytes = await readRegularFile(join(directory, MANIFEST), MAX_MANIFEST_BYTES);
    return parseManifest(bytes.toString('utf8'));
  });
  if (manifest.name !== name) {
    throw new PackRejected(
      `${MANIFEST} names the pack ${JSON.stringify(manifest.name)}, not as its folder.`,
    );
  }
  const components: PackComponent[] = [];
  for (const component of manifest.components) {
    const { file, sha256 } = component;
    const { model } = await onFile(file, () => readModelFile(join(directory, file), sha256));
    components.push(withClasses(component, model));
  }
  return { ...manifest, components };
}

/** Gives an object detector its class names where the manifest leaves them out. */
function withClasses(component: PackComponent, { metadata }: OnnxModel): PackComponent {
  if (component.role !== 'ObjectDetector' || component.classes !== undefined) return component;
  return { ...component, classes: readUltralyticsMetadata(metadata)?.classes ?? COCO_CLASSES };
}
