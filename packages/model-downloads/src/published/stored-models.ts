import { copyFile, link, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type FetchedModel,
  type FetchOptions,
  ModelFetchFailed,
  type ModelFetcher,
  type ModelFacts,
  type PublishedFile,
  type PublishedModel,
} from '@sightline/core/models/model-source';
import type { PackStore } from '@sightline/core/models/pack-store';
import type { CacheFolder } from '../cache-folder.ts';
import { CacheUnusable, onCache } from '../cache-unusable.ts';
import { SourceFailed } from '../source-failed.ts';
import type { CheckedPack } from './check-pack.ts';
import {
  type DownloadDeps,
  type DownloadedFile,
  downloadFile,
  type DownloadLimits,
} from './download-file.ts';
import { ModelProgress } from './model-progress.ts';
import { openLocalFile } from './open-local-file.ts';
import { isPackFileName } from './pack-file-name.ts';
import { fileNameOf, type SourceDeps, sourceOf } from './source-of.ts';
import { isZip, unpackModel } from './unpack-model.ts';
import { holdsPack } from './holds-pack.ts';
import { storePack } from './store-pack.ts';

const ARCHIVE_INVALID = { reason: 'archive_invalid' } as const;
const NAME = /^\w[\w.-]{0,99}$/;

export interface StoredModelsDeps extends Pick<DownloadDeps, 'requireRoom' | 'pause'> {
  readonly store: PackStore;
  /** The folder for partial downloads, which are deleted after a fetch. */
  readonly cache: CacheFolder;
  readonly sources: SourceDeps;
  readonly limits: DownloadLimits;
  /** Checks a folder with the name of its pack. @throws SourceFailed */
  readonly checkPack: (directory: string, facts: ModelFacts) => Promise<CheckedPack>;
}

/** Downloads models into a store of packs. */
export class StoredModels implements ModelFetcher {
  readonly #deps: StoredModelsDeps;

  constructor(deps: StoredModelsDeps) {
    this.#deps = deps;
  }

  async fetch(model: PublishedModel, options: FetchOptions): Promise<FetchedModel> {
    try {
      if (!NAME.test(model.name)) {
        throw new ModelFetchFailed(
          'The name of the model may contain only letters, digits, "_", "." and "-", and at most 100 of them.',
          { reason: 'pack_refused' },
        );
      }
      return await this.#fetch(model, options);
    } catch (error) {
      options.signal.throwIfAborted();
      throw asFetchFailure(error);
    }
  }

  verify(revision: string, options: FetchOptions): Promise<boolean> {
    return holdsPack(this.#deps.store, revision, options);
  }

  async #fetch(model: PublishedModel, options: FetchOptions): Promise<FetchedModel> {
    const files = await this.#download(model, options);
    const { cache, store } = this.#deps;
    const temporary = await cache.temporaryPath();
    try {
      const directory = join(temporary, model.name);
      await onCache(cache.path, () => mkdir(directory, { recursive: true }));
      for (const file of files) await this.#unpack(file, directory, options.signal);
      const checked = await namingSource(files[0]!, () => this.#check(directory, model));
      const open = (path: string) => onCache(cache.path, () => openLocalFile(path));
      await storePack(checked, { directory, store, open }, options.signal);
      await Promise.all(files.map(({ downloaded }) => downloaded.remove()));
      const bytes = files.reduce((sum, { downloaded }) => sum + downloaded.bytes, 0);
      const sha256 = files.length === 1 ? files[0]!.downloaded.sha256 : null;
      return { model: checked.model, bytes, sha256, warnings: checked.warnings };
    } catch (error) {
      // These bytes are not a valid pack, so the next try must download the files again.
      if (error instanceof NamedSourceFailed) await forget(files);
      throw error;
    } finally {
      await rm(temporary, { recursive: true, force: true }).catch(() => undefined);
    }
  }

  /** Downloads one file after the other, because they mostly come from one server. */
  async #download(
    { files }: PublishedModel,
    { onProgress, signal }: FetchOptions,
  ): Promise<ReceivedFile[]> {
    const { cache, sources, limits, requireRoom, pause } = this.#deps;
    const progress = new ModelProgress(files, onProgress);
    const received: ReceivedFile[] = [];
    for (const [at, file] of files.entries()) {
      const source = sourceOf(file.address, sources);
      const transfer = { cache, source, limits, requireRoom, pause, signal };
      const downloaded = await namingSource(source, () =>
        downloadFile(file, { ...transfer, onProgress: (each) => progress.report(at, each) }),
      );
      progress.report(at, { received: downloaded.bytes, total: downloaded.bytes });
      received.push({ file, name: source.name, downloaded });
    }
    return received;
  }

  /** Puts a published file into the folder, or its contents if it is an archive. */
  async #unpack(received: ReceivedFile, directory: string, signal: AbortSignal): Promise<void> {
    const { cache, limits, requireRoom } = this.#deps;
    const { file, downloaded } = received;
    await using opened = await onCache(cache.path, () => openLocalFile(downloaded.path));
    await namingSource(received, async () => {
      if (await isZip(opened)) {
        const { maxBytes } = limits;
        const unpacking = { directory, cache: cache.path, maxBytes, requireRoom, signal };
        await unpackModel(opened, unpacking);
        return;
      }
      const name = fileNameOf(file.address);
      if (!isPackFileName(name))
        throw new SourceFailed('provided neither a ZIP nor an ONNX file', ARCHIVE_INVALID);
      await onCache(cache.path, () => linkOrCopy(downloaded.path, join(directory, name)));
    });
  }

  /** Checks the pack before any file is stored. @throws SourceFailed */
  async #check(directory: string, { task, facts, revision }: PublishedModel): Promise<CheckedPack> {
    const checked = await this.#deps.checkPack(directory, facts);
    const { model } = checked;
    if (model.task !== task) {
      throw new SourceFailed(`provided a pack of the task ${model.task} instead of ${task}`, {
        reason: 'task_mismatch',
      });
    }
    if (revision === undefined || model.revision === revision) return checked;
    throw new SourceFailed(
      `provided a pack of the revision ${model.revision} instead of ${revision}`,
      {
        reason: 'revision_mismatch',
      },
    );
  }
}

interface ReceivedFile {
  readonly file: PublishedFile;
  /** The display name of the file's source. */
  readonly name: string;
  readonly downloaded: DownloadedFile;
}

/** A failure of a source, with the source's name in the message. */
class NamedSourceFailed extends ModelFetchFailed {}

/** Runs a step that uses a source or its file. @throws NamedSourceFailed instead of SourceFailed */
async function namingSource<T>(
  { name }: { readonly name: string },
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof SourceFailed)) throw error;
    throw new NamedSourceFailed(sentenceOf(name, error), { cause: error, reason: error.reason });
  }
}

function asFetchFailure(error: unknown): unknown {
  if (error instanceof SourceFailed) {
    return new ModelFetchFailed(sentenceOf('The model', error), {
      cause: error,
      reason: error.reason,
    });
  }
  if (!(error instanceof CacheUnusable)) return error;
  return new ModelFetchFailed(`The download failed: ${error.message}.`, {
    cause: error,
    reason: 'no_space',
  });
}

function sentenceOf(name: string, { message }: Error): string {
  return `${name} ${message}${message.endsWith('.') ? '' : '.'}`;
}

async function forget(files: readonly ReceivedFile[]): Promise<void> {
  for (const { downloaded } of files) await downloaded.remove().catch(() => undefined);
}

/** Links a file, because a link takes no space. Copies the file if the file system supports no links. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to));
}
