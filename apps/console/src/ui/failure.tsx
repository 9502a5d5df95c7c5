import { ProblemError, UnreachableError } from '../client/api-error.ts';
import { defineMessages } from '../messages/define-messages.ts';
import { useMessages } from '../messages/locale-context.tsx';
import { Button } from './button.tsx';
import { Notice, NoticeActions, NoticeId } from './notice.tsx';

const MESSAGES = defineMessages({
  en: {
    unreachable: 'The service does not answer. Nothing that you have entered is lost.',
    unexpected: 'The console failed. Reload the page. If it fails again, report it.',
    forbidden: 'Your role in this environment does not allow this.',
    notFound: 'It no longer exists.',
    tryAgain: 'Try again',
    request: 'Request',
  },
  de: {
    unreachable: 'Der Dienst antwortet nicht. Ihre Eingaben bleiben erhalten.',
    unexpected:
      'In der Konsole ist ein Fehler aufgetreten. Laden Sie die Seite neu. Tritt er erneut auf, melden Sie ihn.',
    forbidden: 'Ihre Rolle in dieser Umgebung erlaubt das nicht.',
    notFound: 'Das existiert nicht mehr.',
    tryAgain: 'Erneut versuchen',
    request: 'Anfrage',
  },
});

export interface FailureProps {
  readonly error: Error;
  /** Repeats what failed; without it, the person has to change something first. */
  readonly onRetry?: (() => void) | undefined;
}

/** Says what failed in the service's own words, with the id of the request. */
export function Failure({ error, onRetry }: FailureProps) {
  const texts = useMessages(MESSAGES);
  const describe = useDescribeError();
  return (
    <Notice look="bad" isAlert>
      <p>{describe(error)}</p>
      {error instanceof ProblemError && (
        <NoticeId>
          {texts.request} {error.problem.request_id}
        </NoticeId>
      )}
      {onRetry && (
        <NoticeActions>
          <Button onPress={onRetry}>{texts.tryAgain}</Button>
        </NoticeActions>
      )}
    </Notice>
  );
}

/** Returns a function that describes an error in one sentence. */
export function useDescribeError(): (error: Error) => string {
  const texts = useMessages(MESSAGES);
  return (error) => {
    if (error instanceof UnreachableError) return texts.unreachable;
    if (!(error instanceof ProblemError)) return texts.unexpected;
    if (error.problem.code === 'forbidden') return texts.forbidden;
    if (error.problem.code === 'not_found') return texts.notFound;
    return error.problem.detail;
  };
}

/** The service's sentences about single members of the input, by their paths, such as `email`. */
export function fieldErrors(error: Error | null): Readonly<Record<string, string>> {
  if (!(error instanceof ProblemError)) return {};
  const errors = error.problem.errors ?? [];
  return Object.fromEntries(errors.map(({ path, message }) => [path, message]));
}
