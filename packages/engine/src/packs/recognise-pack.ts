import { join } from 'node:path';
import type { FaceAttribute, ModelTask } from '@sightline/core/models/model';
import { type PackComponent, type PackManifest, taskOfRole } from './manifest.ts';
import { readModelFile } from './model-file.ts';
import { onFile, PackRejected } from './pack-rejected.ts';
import { recogniseRole } from './recognise-role.ts';
import { packRevision } from './revision.ts';

export interface RecognisedPack {
  readonly manifest: PackManifest;
  /** Files that are left out, a sentence each. */
  readonly warnings: readonly string[];
}

interface RecognisedFiles {
  readonly components: readonly PackComponent[];
  readonly provides: readonly FaceAttribute[];
  readonly warnings: readonly string[];
}

/**
 * Makes the manifest of a folder that has none, from its ONNX files in the order of their names:
 * the first file of a role has it, as in insightface (Python). Nobody said under which licence the
 * files are, so commercial use counts as not allowed. The version is the beginning of the revision.
 *
 * @param folder the pack's name and the names of all files in it
 * @throws PackRejected if a file is unsafe or broken, or if the files make no pack
 */
export async function recognisePack(
  directory: string,
  folder: { readonly name: string; readonly files: readonly string[] },
): Promise<RecognisedPack> {
  const visible = folder.files.filter((name) => !name.startsWith('.'));
  const files = visible.filter((name) => name.endsWith('.onnx')).sort();
  if (files.length === 0) {
    throw new PackRejected('The folder holds neither a manifest.json nor an .onnx file.');
  }
  const { components, provides, warnings } = await recogniseFiles(directory, files);
  const task = taskOf(components, warnings);
  const manifest = {
    name: folder.name,
    task,
    version: packRevision(components).slice(0, 12),
    license: 'unknown',
    commercial_use: false,
    provides,
    components,
  };
  return { manifest, warnings };
}

async function recogniseFiles(
  directory: string,
  files: readonly string[],
): Promise<RecognisedFiles> {
  const components: PackComponent[] = [];
  const provides: FaceAttribute[] = [];
  const warnings: string[] = [];
  for (const file of files) {
    const { sha256, model } = await onFile(file, () => readModelFile(join(directory, file)));
    const recognition = recogniseRole(model);
    if (recognition.component === null) {
      warnings.push(`${file} is left out: it ${recognition.reason}.`);
      continue;
    }
    const { role } = recognition.component;
    const first = components.find((component) => component.role === role);
    if (first !== undefined) {
      warnings.push(`${file} is left out: ${first.file} already is the ${role}.`);
      continue;
    }
    components.push({ ...recognition.component, file, sha256 });
    provides.push(...recognition.provides);
  }
  return { components, provides, warnings };
}

function taskOf(components: readonly PackComponent[], warnings: readonly string[]): ModelTask {
  const tasks = new Set(components.map(({ role }) => taskOfRole(role)));
  const [task] = tasks;
  if (task === undefined) {
    throw new PackRejected(['No file has a role that is known here.', ...warnings].join(' '));
  }
  if (tasks.size > 1) {
    throw new PackRejected('Face models and an object detector need a folder each.');
  }
  if (task === 'face' && !components.some(({ role }) => role === 'FaceDetector')) {
    const others = components.map(({ file, role }) => `${file} (${role})`).join(', ');
    throw new PackRejected(
      [`No file is a face detector, which ${others} cannot do without.`, ...warnings].join(' '),
    );
  }
  return task;
}
