import { join } from 'node:path';
import type { FaceAttribute, ModelTask } from '@sightline/core/models/model';
import { type PackComponent, type PackManifest, taskOfRole } from './manifest.ts';
import { withDefaultClasses } from './default-classes.ts';
import { keepContents, type ModelContents } from './model-contents.ts';
import { readModelFile, readTokenizerFile } from './model-file.ts';
import { onFile, PackRejected } from './pack-rejected.ts';
import { recognizeRole } from './recognize-role.ts';
import { packRevision } from './revision.ts';

export interface RecognizedPack {
  readonly manifest: PackManifest;
  readonly warnings: readonly string[];
}

interface RecognizedFiles {
  readonly components: readonly PackComponent[];
  readonly provides: readonly FaceAttribute[];
  readonly warnings: readonly string[];
}

/**
 * Builds the manifest of a folder that has none, from its ONNX files sorted by name. Uses the first
 * file of each role, as insightface (Python) does. The license is unknown, so commercial use counts
 * as not allowed. The version is the beginning of the revision.
 *
 * @param folder the pack's name and the names of all files in it
 * @param contents gets the files that were read
 * @throws PackRejected if a file is unsafe or damaged, or if the files do not form a pack
 */
export async function recognizePack(
  directory: string,
  folder: { readonly name: string; readonly files: readonly string[] },
  contents: ModelContents,
): Promise<RecognizedPack> {
  const visible = folder.files.filter((name) => !name.startsWith('.'));
  const files = visible.filter((name) => name.endsWith('.onnx')).sort();
  if (files.length === 0) {
    throw new PackRejected('The folder contains neither a manifest.json nor an .onnx file.');
  }
  const recognized = await recognizeFiles(directory, files, contents);
  const { provides, warnings } = recognized;
  const task = taskOf(recognized.components, warnings);
  const components =
    task === 'open_vocabulary'
      ? await withTokenizer(directory, { components: recognized.components, names: visible })
      : recognized.components;
  const manifest = {
    name: folder.name,
    task,
    version: packRevision(components).slice(0, 12),
    license: 'unknown',
    commercial_use: false,
    commercial_use_reason: 'The pack has no manifest, so its license is not known.',
    provides,
    components,
  };
  return { manifest, warnings };
}

async function recognizeFiles(
  directory: string,
  files: readonly string[],
  contents: ModelContents,
): Promise<RecognizedFiles> {
  const components: PackComponent[] = [];
  const provides: FaceAttribute[] = [];
  const warnings: string[] = [];
  for (const file of files) {
    const read = await onFile(file, () => readModelFile(join(directory, file)));
    const { sha256, model } = read;
    const recognition = recognizeRole(model);
    if (recognition.component === null) {
      warnings.push(`${file} is skipped: it ${recognition.reason}.`);
      continue;
    }
    const { role } = recognition.component;
    const first = components.find((component) => component.role === role);
    if (first !== undefined) {
      warnings.push(`${file} is skipped: ${first.file} already has the role ${role}.`);
      continue;
    }
    keepContents(contents, read);
    components.push(withDefaultClasses({ ...recognition.component, file, sha256 }));
    provides.push(...recognition.provides);
  }
  return { components, provides, warnings };
}

/** The names under which the `transformers` library saves the files of a tokenizer. */
const TOKENIZERS = [['tokenizer.json'], ['vocab.json', 'merges.txt']] as const;

/** @throws PackRejected if the folder lacks the tokenizer or a role of an open vocabulary */
async function withTokenizer(
  directory: string,
  found: { readonly components: readonly PackComponent[]; readonly names: readonly string[] },
): Promise<readonly PackComponent[]> {
  const files = TOKENIZERS.find((names) => names.every((name) => found.names.includes(name)));
  const roles = found.components.map(({ role }) => role);
  if (!roles.includes('OpenVocabularyDetector') || !roles.includes('TextEncoder') || !files) {
    throw new PackRejected(
      'An open vocabulary needs a detector, a text encoder and its tokenizer (tokenizer.json, or vocab.json and merges.txt) in one folder; files of other names need a manifest.json.',
    );
  }
  const tokenizer = await Promise.all(
    files.map(async (file) => {
      const { sha256 } = await onFile(file, () => readTokenizerFile(join(directory, file)));
      return { file, sha256 };
    }),
  );
  return found.components.map((component) =>
    component.role === 'TextEncoder' ? { ...component, tokenizer } : component,
  );
}

function taskOf(components: readonly PackComponent[], warnings: readonly string[]): ModelTask {
  const tasks = new Set(components.map(({ role }) => taskOfRole(role)));
  const [task] = tasks;
  if (task === undefined) {
    throw new PackRejected(['No file is a supported model.', ...warnings].join(' '));
  }
  if (tasks.size > 1) {
    throw new PackRejected('Face models and object detectors must be in separate folders.');
  }
  if (task === 'face' && !components.some(({ role }) => role === 'FaceDetector')) {
    const others = components.map(({ file, role }) => `${file} (${role})`).join(', ');
    throw new PackRejected(
      [`No file is a face detector, which ${others} needs.`, ...warnings].join(' '),
    );
  }
  return task;
}
