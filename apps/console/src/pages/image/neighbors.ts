import type { OperationInput } from '../../client/operations.ts';
import { type ImagesSearch, toFilter } from '../images/images-search.ts';

type ImagesQuery = NonNullable<OperationInput<'listImages'>['query']>;

export interface NeighborTimes {
  readonly uploaded_at: string;
  readonly taken_at: string | null;
}

/** The largest number of images with the same time among which a neighbor is found. */
const LIMIT = 50;

/**
 * The queries whose first image after the given one is the previous or the next image of the list. Lists that are not
 * ordered by a time have the neighbors by the upload.
 */
export function neighborQueries(image: NeighborTimes, search: ImagesSearch) {
  const isByTaken = search.sort === 'taken' && image.taken_at !== null;
  const { later, earlier } = isByTaken
    ? queriesByTaken(image.taken_at, search)
    : queriesByUpload(image.uploaded_at, search);
  return search.sort === 'oldest'
    ? { previous: earlier, next: later }
    : { previous: later, next: earlier };
}

function queriesByUpload(time: string, search: ImagesSearch) {
  const filter = toFilter(search);
  const later: ImagesQuery = { ...filter, since: latest(filter.since, time), sort: 'oldest' };
  const until = earliest(filter.until, justAfter(time));
  const earlier: ImagesQuery = { ...filter, until, sort: 'newest' };
  return { later: { ...later, limit: LIMIT }, earlier: { ...earlier, limit: LIMIT } };
}

/** There is no list in ascending order of the time, so the previous image is not known. */
function queriesByTaken(time: string, search: ImagesSearch) {
  const filter = toFilter(search);
  const until = earliest(filter.taken_until, justAfter(time));
  const earlier: ImagesQuery = { ...filter, taken_until: until, sort: 'taken', limit: LIMIT };
  return { later: null, earlier };
}

/** Times have milliseconds, and the end of a range does not belong to it. */
function justAfter(time: string): string {
  return new Date(Date.parse(time) + 1).toISOString();
}

function latest(one: string | undefined, other: string): string {
  return one !== undefined && Date.parse(one) > Date.parse(other) ? one : other;
}

function earliest(one: string | undefined, other: string): string {
  return one !== undefined && Date.parse(one) < Date.parse(other) ? one : other;
}

/** The image that follows one in a list; null at its end. */
export function after(id: number, ids: readonly number[] | undefined): number | null {
  if (ids === undefined) return null;
  return ids[ids.indexOf(id) + 1] ?? null;
}
