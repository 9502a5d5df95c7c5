import type { Database } from '../database/database.ts';
import type { ImageToImport } from '../recognition/import/import-run.ts';
import type { Scope } from '../store/scope.ts';

export interface LookedUpImage {
  readonly archived: ImageToImport;
  /** Whether the image was not stored when it was looked up. */
  readonly isNew: boolean;
}

/** The number of images, and of floats of their vectors, that are looked up in one transaction. */
const MOST = { images: 64, floats: 1024 ** 2 };

/** Looks up which images of an archive are stored, several at a time, and yields the images in their order. */
export async function* lookUpImages(
  database: Pick<Database, 'withScope'>,
  { scope, images }: { readonly scope: Scope; readonly images: AsyncIterable<ImageToImport> },
  signal?: AbortSignal,
): AsyncGenerator<LookedUpImage> {
  const lookUp = async (part: readonly ImageToImport[]): Promise<readonly LookedUpImage[]> => {
    const digests = part.map(({ digest }) => digest);
    const known = await database.withScope(
      scope,
      ({ sources }) => sources.knownDigests(digests),
      signal,
    );
    return part.map((archived) => ({ archived, isNew: !known.has(archived.digest) }));
  };
  let part: ImageToImport[] = [];
  let floats = 0;
  for await (const image of images) {
    part.push(image);
    floats += floatsOf(image);
    if (part.length < MOST.images && floats < MOST.floats) continue;
    yield* await lookUp(part);
    part = [];
    floats = 0;
  }
  if (part.length > 0) yield* await lookUp(part);
}

function floatsOf({ detections }: ImageToImport): number {
  return detections.reduce(
    (sum, { vectors }) => sum + vectors.reduce((own, { vector }) => own + vector.length, 0),
    0,
  );
}
