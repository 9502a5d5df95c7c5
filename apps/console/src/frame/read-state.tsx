import type { ReactNode } from 'react';
import { isProblem } from '../client/api-error.ts';
import { Failure } from '../ui/failure.tsx';
import { Notice } from '../ui/notice.tsx';
import { Loading } from './page-state.tsx';

export interface ReadStateProps<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
  /** The right that the page needs, for people who lack it. */
  readonly forbiddenText?: string;
  readonly children: (data: Data) => ReactNode;
}

/** Renders the state of a read: loading, refused, failed, or the children with the data. */
export function ReadState<Data>(props: ReadStateProps<Data>) {
  const { data, error, onRetry, forbiddenText, children } = props;
  if (forbiddenText !== undefined && isForbidden(error)) {
    return <Notice look="warn">{forbiddenText}</Notice>;
  }
  return (
    <>
      {error !== null && <Failure error={error} onRetry={onRetry} />}
      {data === undefined ? error === null && <Loading /> : children(data)}
    </>
  );
}

/** Whether the account lacks a right. */
export function isForbidden(error: Error | null): boolean {
  return isProblem(error, 'forbidden', 'admin_required');
}
