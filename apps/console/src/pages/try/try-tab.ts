import type { OperationBody } from '../../client/operations.ts';
import type { Photo } from './photo.ts';
import type { TrySearch } from './try-search.ts';

export type StoredRun = OperationBody<'detectAll'>;

/** The state that the page shares with each of its tabs. */
export interface TryTabProps {
  readonly photo: Photo | null;
  readonly onPhoto: (photo: Photo) => void;
  readonly search: TrySearch;
  readonly onSearch: (changed: TrySearch) => void;
  /** The stored faces and objects of the photo, once the person has asked to store it. */
  readonly run: StoredRun | undefined;
  readonly onStored: (run: StoredRun) => void;
}

export interface VerifyTabProps extends Pick<
  TryTabProps,
  'photo' | 'onPhoto' | 'search' | 'onSearch'
> {
  readonly second: Photo | null;
  readonly onSecond: (photo: Photo) => void;
}
