import type { GroupLinker } from '@sightline/core/similarity/group-linker';
import type { OpenFaceVectors } from '@sightline/core/similarity/open-face-vectors';
import { EmbeddedFaceVectors } from '@sightline/vectors/embedded/embedded-face-vectors';
import { ThreadGroupLinker } from '@sightline/vectors/linking/thread-group-linker';

/** The threads that compute the similarity of faces apart from the index. */
export interface OpenedComparison extends AsyncDisposable {
  readonly openFaces: OpenFaceVectors;
  readonly gallery: OpenFaceVectors;
  readonly linker: GroupLinker;
}

/** Opens threads that start with the first face. */
export function openComparison(): OpenedComparison {
  const resources = new AsyncDisposableStack();
  return {
    openFaces: resources.use(new EmbeddedFaceVectors()),
    gallery: resources.use(new EmbeddedFaceVectors()),
    linker: resources.use(new ThreadGroupLinker()),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
