import { TailCache } from '@sightline/core/matching/tail-cache';
import { SimilarityFollower } from '@sightline/core/similarity/similarity-follower';
import { usableMemory } from '@sightline/platform/config/usable-memory';
import type { Logger } from '@sightline/platform/logging/logger';
import { EmbeddedFaceVectors } from '@sightline/vectors/embedded/embedded-face-vectors';
import { ThreadGroupLinker } from '@sightline/vectors/linking/thread-group-linker';
import type { WorkerObserver } from './worker-observer.ts';
import type { WorkerStores } from './worker-stores.ts';

export interface SimilarityDeps {
  readonly stores: WorkerStores;
  readonly observer: Pick<WorkerObserver, 'similarityWorked' | 'faceSetAside'>;
  readonly logger: Logger;
  /** Wakes the task that follows, after a tree was computed. */
  readonly wake: () => void;
  readonly isBusy: (() => boolean) | undefined;
}

export interface OpenedSimilarity extends AsyncDisposable {
  readonly follower: SimilarityFollower;
}

/** The share of the memory that linking groups may take. */
const LINKING_SHARE = 0.5;
/** The share of the memory that one environment may take. Groups are not linked beyond a smaller number of faces. */
const LOADING_SHARE = 0.6;
/** The share of the memory that vectors of environments may take while another one is followed. */
const KEPT_SHARE = 0.2;

/** Opens what follows the similarity of faces, with its threads. They start with the first face. */
export function openSimilarity({
  stores,
  observer,
  logger,
  wake,
  isBusy,
}: SimilarityDeps): OpenedSimilarity {
  const openFaces = new EmbeddedFaceVectors();
  const gallery = new EmbeddedFaceVectors();
  const linker = new ThreadGroupLinker();
  let isClosing = false;
  const follower = new SimilarityFollower({
    database: stores.database,
    vectors: stores.vectors,
    tails: new TailCache(),
    source: stores.openFaces,
    queue: stores.similarityQueue,
    openFaces,
    gallery,
    linker,
    ...(isBusy !== undefined && { isBusy }),
    setAside: ({ environmentId, modelId }, face) => {
      observer.faceSetAside();
      logger.warn(
        { environment: environmentId, model: modelId, face },
        'a face has no suggestions and no group, because its vector cannot be compared',
      );
    },
    turnDone: ({ milliseconds }) => observer.similarityWorked('changes', milliseconds / 1000),
    turnFailed: (error) => {
      logger.error({ err: error }, 'the similarity of an environment could not be followed');
    },
    linkingBytes: LINKING_SHARE * usableMemory(),
    loadingBytes: LOADING_SHARE * usableMemory(),
    keptBytes: KEPT_SHARE * usableMemory(),
    tooManyFaces: ({ environmentId, modelId }, faces) => {
      logger.warn(
        { environment: environmentId, model: modelId, faces },
        'an environment has too many strangers for the memory of this process: new faces join groups, but groups are not linked again',
      );
    },
    linked: (faces, milliseconds) => {
      observer.similarityWorked('groups', milliseconds / 1000);
      logger.debug({ faces, milliseconds }, 'the groups of an environment were computed');
    },
    treeEnded: (error) => {
      if (error !== null && !isClosing) logger.error({ err: error }, 'groups cannot be computed');
      wake();
    },
  });
  return {
    follower,
    async [Symbol.asyncDispose]() {
      isClosing = true;
      await linker[Symbol.asyncDispose]();
      await follower.idle();
      await Promise.all([openFaces[Symbol.asyncDispose](), gallery[Symbol.asyncDispose]()]);
    },
  };
}
