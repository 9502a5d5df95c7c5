import type { CreateJobOptions } from '../database/create-job.ts';
import { createJobOfUploads, type UploadJobDeps } from '../database/create-job-of-uploads.ts';
import type { Job, NewJob } from '../jobs/job.ts';
import type { UploadFiles } from '../media/upload-files.ts';
import {
  adoptModels,
  type ImportArchiveDeps,
  type ImportRequest,
  openArchive,
} from './import-archive.ts';

export type StartImportDeps = UploadJobDeps &
  Pick<ImportArchiveDeps, 'archives' | 'database' | 'modelStore'>;

/**
 * Checks a whole archive, stores it, and creates a job that imports it.
 *
 * @throws TooManyJobs; the errors of `importArchive`
 */
export async function startImport(
  deps: StartImportDeps,
  request: ImportRequest,
  options: CreateJobOptions = {},
): Promise<Job> {
  const { scope, file } = request;
  const { signal } = options;
  const archive = await openArchive(deps, request, signal);
  await adoptModels(deps.modelStore, { scope, archive });
  const { imageCount: total } = archive;
  const upload = async (files: UploadFiles): Promise<NewJob> => {
    const uploadKey = await files.putFile(file, signal);
    return { type: 'import', params: {}, items: [{ input: {}, uploadKey }], total };
  };
  return createJobOfUploads(deps, { scope, upload }, options);
}
