import type { OperationBody } from '../../client/operations.ts';
import type { Photo } from './photo.ts';
import type { TrySearch } from './try-search.ts';

export type StoredRun = OperationBody<'detectAll'>;

/** What the page gives each of its tabs. */
export interface TryTabProps {
  readonly photo: Photo | null;
  readonly onPhoto: (photo: Photo) => void;
  readonly search: TrySearch;
  readonly onSearch: (changed: TrySearch) => void;
  /** What the service has stored of the photo, once the person has asked for that. */
  readonly run: StoredRun | undefined;
  readonly onStored: (run: StoredRun) => void;
}
