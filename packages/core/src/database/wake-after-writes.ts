import type { Database, Transaction } from './database.ts';

/** Wakes background work after a transaction, so that it does not wait for its next interval. */
export interface Wakes {
  /** Called after every commit, and for deferred ones after their flush. It wakes the process that copies changed vectors into the index. */
  readonly written: () => void;
  /** Called after a commit that created a job. It wakes the process that works on jobs. */
  readonly jobCreated: () => void;
}

type Writer = Pick<Database, 'withEntities'>;

/** Wraps a database, so that it wakes background work after each committed transaction. */
export function wakeAfterWrites(database: Database, { written, jobCreated }: Wakes): Database {
  const writer = (writes: Writer, wake: () => void): Writer => ({
    async withEntities(scope, write, signal) {
      const created = { job: false };
      const result = await writes.withEntities(
        scope,
        (tx) => {
          created.job = false;
          return write(noticingJobs(tx, () => (created.job = true)));
        },
        signal,
      );
      wake();
      if (created.job) jobCreated();
      return result;
    },
  });
  return {
    withScope: (scope, read, signal) => database.withScope(scope, read, signal),
    ...writer(database, written),
    deferred() {
      const deferred = database.deferred();
      return {
        ...writer(deferred, () => undefined),
        async flush() {
          await deferred.flush();
          written();
        },
      };
    },
    ready: (signal) => database.ready(signal),
  };
}

function noticingJobs(tx: Transaction, created: () => void): Transaction {
  const { jobs } = tx;
  return {
    ...tx,
    jobs: {
      list: (page) => jobs.list(page),
      byId: (id) => jobs.byId(id),
      unfinishedDownload: (modelId) => jobs.unfinishedDownload(modelId),
      requireRoom: () => jobs.requireRoom(),
      items: (id, page) => jobs.items(id, page),
      takeFailed: (id, types) => jobs.takeFailed(id, types),
      endedItems: (id, page) => jobs.endedItems(id, page),
      create: (job) => {
        created();
        return jobs.create(job);
      },
      createForImages: (job, filter) => {
        created();
        return jobs.createForImages(job, filter);
      },
      advance: (claim, step) => jobs.advance(claim, step),
      requireHeld: (claim) => jobs.requireHeld(claim),
      endItem: (claim, end) => jobs.endItem(claim, end),
      cancel: (id) => jobs.cancel(id),
      remove: (id) => jobs.remove(id),
    },
  };
}
