import type { Download, DownloadObserver } from '@sightline/models-local/download-observer';
import type { ModelFile } from '@sightline/models-local/model-file';
import type { Logger } from '@sightline/platform/logging/logger';

const INTERVAL_MS = 2_000;

/** Tells in the log what is fetched and how far it is, every two seconds for each file. */
export function logDownloads(
  logger: Logger,
  now: () => number = () => performance.now(),
): DownloadObserver {
  const begun = new Map<ModelFile, number>();
  const told = new Map<ModelFile, number>();
  return {
    started({ file, source }) {
      begun.set(file, now());
      told.set(file, now());
      logger.info(fields({ file, source }), 'fetching a model file');
    },
    progressed({ file, source }, received) {
      if (now() - told.get(file)! < INTERVAL_MS) return;
      told.set(file, now());
      logger.info({ ...fields({ file, source }), received }, 'still fetching a model file');
    },
    finished({ file, source }) {
      const milliseconds = Math.round(now() - begun.get(file)!);
      logger.info({ ...fields({ file, source }), milliseconds }, 'fetched a model file');
    },
    failed({ file, source }, reason) {
      logger.info({ ...fields({ file, source }), reason }, 'could not fetch a model file there');
    },
  };
}

function fields({ file: { name, bytes }, source }: Download) {
  return { file: name, from: source, bytes };
}
