import { randomUUID } from 'node:crypto';
import { createFetchImage } from '@sightline/composition/create-fetch-image';
import type { DescribePack } from '@sightline/composition/models/declared-fetcher';
import type { Downloads } from '@sightline/composition/models/open-downloads';
import type { Inference } from '@sightline/composition/inference';
import type { JobType } from '@sightline/core/jobs/job';
import type { ItemClaim, ItemEnd } from '@sightline/core/jobs/job-item';
import type { JobWorks } from '@sightline/core/jobs/job-work';
import { type HeldLease, Lease } from '@sightline/core/leases/lease';
import { ORPHAN_GRACE_MS } from '@sightline/core/media/orphan-grace';
import { ModelRegistry } from '@sightline/core/models/model-registry';
import type { DatabaseSourceDeps } from '@sightline/core/activation/database-source';
import { ModelRollout } from '@sightline/core/activation/model-rollout';
import { NamingAnalyzer } from '@sightline/core/activation/naming-analyzer';
import type { RolloutSource } from '@sightline/core/activation/rollout-source';
import { withSettingDefaults } from '@sightline/core/database/with-setting-defaults';
import type { SettingDefaults } from '@sightline/core/settings/setting-defaults';
import { effectiveSettings } from '@sightline/core/settings/effective-settings';
import type { ModelFetcher } from '@sightline/core/models/model-source';
import type { FetchImage } from '@sightline/core/sources/fetch-image';
import { SHARED_READER } from '@sightline/core/vectors/change-log';
import type { SecretBox } from '@sightline/core/secrets/secret-box';
import type { Role } from '@sightline/platform/lifecycle/role';
import { GuardedFetch } from '@sightline/platform/outgoing/guarded-fetch';
import type { Endpoint } from '@sightline/platform/outgoing/target-guard';
import type { Spool } from '@sightline/platform/http/spool';
import type { ProcessContext } from '@sightline/platform/process/run-process';
import { backgroundRole } from '../tasks/background-role.ts';
import type { BackgroundTask } from '../tasks/background-task.ts';
import { Indexer } from './indexer.ts';
import { JobSlots } from './job-slots.ts';
import { jobWorks } from './jobs/job-works.ts';
import { leaderTask } from '../tasks/leader-task.ts';
import { createWorkerMetrics } from './metrics/worker-metrics.ts';
import { describeStored, openModelFetcher } from './models/open-model-fetcher.ts';
import { withDeclared } from './models/with-declared.ts';
import { OutageLog } from '../tasks/outage-log.ts';
import { TaskLoop } from '../tasks/task-loop.ts';
import { collectOrphansTask } from './tasks/collect-orphans-task.ts';
import { compareIndexTask } from './tasks/compare-index-task.ts';
import { deleteEnvironmentsTask } from './tasks/delete-environments-task.ts';
import { foldCountersTask } from './tasks/fold-counters-task.ts';
import { finishDeletionsTask } from './tasks/finish-deletions-task.ts';
import { forgetReadersTask } from './tasks/forget-readers-task.ts';
import { indexChangesTask } from './tasks/index-changes-task.ts';
import { measureTask } from './tasks/measure-task.ts';
import { joinForeignModelsTask } from './tasks/join-foreign-models-task.ts';
import { prunePacksTask } from './tasks/prune-packs-task.ts';
import { pruneTask } from './tasks/prune-task.ts';
import { rollOutModelsTask } from './tasks/roll-out-models-task.ts';
import { followSimilarityTask } from './tasks/follow-similarity-task.ts';
import { pruneSimilarityTask } from './tasks/prune-similarity-task.ts';
import { syncCatalogTask } from './tasks/sync-catalog-task.ts';
import { openSimilarity } from './open-similarity.ts';
import { SimilarityKeeper } from './similarity-keeper.ts';
import type { WorkerObserver } from './worker-observer.ts';
import type { WorkerStores } from './worker-stores.ts';

export interface WorkerRoleDeps extends Pick<
  ProcessContext,
  'logger' | 'registry' | 'version' | 'operations'
> {
  readonly stores: WorkerStores;
  readonly inference: Inference;
  /** A cache of models that other roles of the process share; if absent, the role creates its own. */
  readonly models?: ModelRegistry;
  /** The addresses of this service and its stores. The worker fetches no images from them. */
  readonly endpoints: () => readonly Endpoint[];
  /** The temporary files of archives. */
  readonly spool: Spool;
  readonly secrets: SecretBox;
  /** The sources of models, and the store for downloaded models. */
  readonly downloads: Downloads;
  /** The defaults of the installation. */
  readonly settingDefaults: SettingDefaults;
  /** Whether this process answers requests at the moment, so that work that can wait takes little time; never if absent. */
  readonly isBusy?: () => boolean;
  /** The work of each type of job; the product's own if absent. */
  readonly works?: JobWorks;
  /** The age from which a file without a row is removed, in ms. */
  readonly orphanGraceMs?: number;
}

export interface WorkerRole extends Role {
  /** Applies pending changes to the index, and to what follows from similarity, now instead of after a pause. */
  wake(): void;
  wakeJobs(): void;
}

/** The duration of the lease, which is four heartbeats. After a crash, another process takes over within 25 s. */
const INDEX_LEASE_SECONDS = 20;
/** After a crash, another process follows similarity within 25 s. */
const SIMILARITY_LEASE_SECONDS = 20;
/** The number of vectors that an index in the memory of a process is meant for, about half a million faces. */
const OWN_INDEX_VECTORS = 600_000;
/**
 * The lease of an index in the memory of this process. Acquiring it always succeeds, because no other process can
 * reach this index.
 */
const OWN_INDEX: HeldLease = {
  hold: () => Promise.resolve(true),
  release: () => Promise.resolve(),
};

/**
 * Runs background tasks, each in a loop, and the items of jobs. Several processes may have this role. Only one of them
 * at a time maintains a shared index or runs a given leader task. An index in the memory of this process is filled
 * before the role is ready.
 */
export function createWorkerRole(given: WorkerRoleDeps): WorkerRole {
  const database = withSettingDefaults(given.stores.database, given.settingDefaults);
  const deps = { ...given, stores: { ...given.stores, database } };
  const { logger, registry, stores, operations, endpoints } = deps;
  const { changeLog, leases } = stores;
  const observer = createWorkerMetrics(registry);
  const holder = randomUUID();
  const ownsIndex = changeLog.reader !== SHARED_READER;
  const lease = ownsIndex
    ? OWN_INDEX
    : new Lease({
        leases,
        holder,
        name: `index:${changeLog.reader}`,
        seconds: INDEX_LEASE_SECONDS,
      });
  const index = { changeLog, source: stores.indexSource, index: stores.vectors };
  const meantFor = ownsIndex ? OWN_INDEX_VECTORS : undefined;
  const indexer = new Indexer({ ...index, lease, meantFor, logger, observer });
  const outages = new OutageLog(logger);
  const loopOf = (task: BackgroundTask) =>
    new TaskLoop(task, { outages, taskFailed: (name) => observer.taskFailed(name) });
  const { models = new ModelRegistry(stores.models) } = deps;
  const outgoing = new GuardedFetch({
    ownEndpoints: () => [operations.endpoint, ...endpoints()].filter((own) => own !== null),
    proxies: deps.downloads.proxies,
  });
  const fetchImage = createFetchImage({ outgoing, logger });
  const source = deps.inference.control.rolloutSource(providerOf(stores));
  const fetching = fetchingOf(deps, outgoing);
  const context = { ...deps, models, fetchImage, ...fetching, source, observer };
  const leaderTasks = leaderTasksOf(context).map((task) => leaderTask(task, { leases, holder }));
  const similarityLease = new Lease({
    leases,
    holder,
    name: 'similarity',
    seconds: SIMILARITY_LEASE_SECONDS,
  });
  const similarity = openSimilarity({
    stores,
    observer,
    logger,
    wake: () => following.wake(),
    isBusy: deps.isBusy,
  });
  const keeper = new SimilarityKeeper({
    lease: similarityLease,
    changeLog: stores.similarityLog,
    queue: stores.similarityQueue,
    follower: similarity.follower,
    logger,
  });
  // A process that also answers requests runs the models, too, so its jobs need the cores.
  const isBusy = deps.isBusy && (() => deps.isBusy!() || jobs.hasImages);
  const following = loopOf(followSimilarityTask(keeper, isBusy));
  const indexing = loopOf(indexChangesTask(indexer));
  const loops = [
    indexing,
    following,
    ...leaderTasks.map(loopOf),
    loopOf(compareIndexTask({ ...index, indexer, observer, logger })),
    loopOf(measureTask({ ...stores, observer })),
  ];
  const jobs = new JobSlots({
    ...jobDepsOf(context),
    outages,
    taskFailed: (name) => observer.taskFailed(name),
  });
  const role = backgroundRole({
    name: 'worker',
    loops: [...loops, jobs],
    prepare: async (signal) => {
      if (ownsIndex) await indexer.fill(signal);
    },
    async release() {
      await outgoing[Symbol.asyncDispose]();
      await similarity[Symbol.asyncDispose]();
      // Failures are ignored, because leases and the reader's registration expire within a minute anyway.
      const released = [lease, similarityLease, ...leaderTasks].map((held) => held.release());
      if (ownsIndex) released.push(changeLog.leave().catch(() => undefined));
      await Promise.all(released);
    },
  });
  const wake = (): void => {
    indexing.wake();
    following.wake();
  };
  return { ...role, wake, wakeJobs: () => jobs.wake() };
}

interface TaskContext extends WorkerRoleDeps {
  readonly models: ModelRegistry;
  readonly fetchImage: FetchImage;
  readonly fetcher: ModelFetcher | null;
  readonly describe: DescribePack;
  readonly source: RolloutSource;
  readonly observer: WorkerObserver;
}

function fetchingOf(
  { downloads, inference }: Pick<WorkerRoleDeps, 'downloads' | 'inference'>,
  outgoing: GuardedFetch,
): Pick<TaskContext, 'fetcher' | 'describe'> {
  const { packs } = downloads;
  if (packs === null) return { fetcher: null, describe: () => Promise.resolve(null) };
  const describe = describeStored(packs);
  const fetcher = openModelFetcher({ ...downloads, packs }, outgoing);
  return { fetcher: inference.control.fetcher(fetcher, describe), describe };
}

function leaderTasksOf(context: TaskContext): readonly BackgroundTask[] {
  const { stores, observer, logger, orphanGraceMs = ORPHAN_GRACE_MS } = context;
  const { maintenance, indexStatus, media } = stores;
  return [
    foldCountersTask(maintenance),
    finishDeletionsTask(stores),
    deleteEnvironmentsTask(stores),
    pruneTask(stores),
    forgetReadersTask(indexStatus),
    pruneSimilarityTask(stores.similarityQueue),
    syncCatalogTask({ store: stores.catalog, entries: () => catalogOf(context) }),
    joinForeignModelsTask(stores.models),
    ...prunePacksTasks(context),
    collectOrphansTask({ media, maintenance, observer, orphanGraceMs }),
    rollOutModelsTask(rolloutOf(context), logger),
  ];
}

function prunePacksTasks({ stores, downloads, inference, logger }: TaskContext) {
  const { packs } = downloads;
  if (packs === null) return [];
  const alsoNeeded = inference.control.needed;
  return [prunePacksTask({ packs, catalog: stores.catalog, alsoNeeded, logger })];
}

function rolloutOf({ stores, inference, models, describe, source }: TaskContext): ModelRollout {
  const { hosts, control } = inference;
  const { models: modelStore, activations } = stores;
  const { declared } = control;
  return new ModelRollout({ source, hosts, models, modelStore, activations, declared, describe });
}

async function catalogOf({ downloads, inference }: TaskContext) {
  return withDeclared(downloads.catalog, await inference.control.declared.models());
}

/** Returns a function that reads from the installation's settings whether models run on a GPU. */
function providerOf({ systemSettings }: WorkerStores): DatabaseSourceDeps['provider'] {
  return async () => (effectiveSettings(await systemSettings.all()).useGpu ? 'auto' : 'cpu');
}

function jobDepsOf({ stores, inference, observer, works, ...others }: TaskContext) {
  const { database, jobs, media } = stores;
  const { hosts, jobConcurrency: concurrency } = inference;
  const analyzer = new NamingAnalyzer(inference.analyzer, others.models);
  return {
    jobs,
    media,
    concurrency,
    works: works ?? jobWorks({ ...others, stores, analyzer, hosts, concurrency }),
    endItem: (claim: ItemClaim, end: ItemEnd) =>
      database.withEntities({ environmentId: claim.environmentId, locks: [] }, (tx) =>
        tx.jobs.endItem(claim, end),
      ),
    ended: (type: JobType, outcome: 'done' | 'failed') => observer.jobItemEnded(type, outcome),
  };
}
