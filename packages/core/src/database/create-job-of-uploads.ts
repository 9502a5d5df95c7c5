import type { Job, NewJob } from '../jobs/job.ts';
import type { MediaStore } from '../media/media-store.ts';
import { UploadFiles } from '../media/upload-files.ts';
import type { Scope } from '../store/scope.ts';
import { createJob, type CreateJobOptions } from './create-job.ts';
import type { Database } from './database.ts';
import { isRolledBack } from './is-rolled-back.ts';
import { requireJobRoom } from './require-job-room.ts';

export interface UploadJobDeps {
  readonly database: Pick<Database, 'withEntities' | 'withScope'>;
  readonly media: Pick<MediaStore, 'put' | 'putFile' | 'remove'>;
}

export interface JobOfUploads {
  readonly scope: Scope;
  /** Stores the files and returns the job, whose items contain the keys of the files. */
  readonly upload: (files: UploadFiles) => Promise<NewJob>;
}

/**
 * Stores uploaded files, and then creates a job for them.
 *
 * @throws TooManyJobs; StoreUnavailable; the errors of `upload`; the signal's reason on abort
 */
export async function createJobOfUploads(
  { database, media }: UploadJobDeps,
  { scope, upload }: JobOfUploads,
  options: CreateJobOptions,
): Promise<Job> {
  await requireJobRoom(database, scope, options.signal);
  const files = new UploadFiles(media, scope.environmentId);
  let isCommitting = false;
  try {
    const job = await upload(files);
    isCommitting = true;
    const describe = (): NewJob => {
      files.requireKept();
      return job;
    };
    return await createJob(database, { scope, describe }, options);
  } catch (error) {
    // The files are deleted only if certainly no job was created. Otherwise a job may need them. If no job exists
    // after all, the worker removes them later as orphans.
    if (!isCommitting || isRolledBack(error)) await files.discard();
    throw error;
  }
}
