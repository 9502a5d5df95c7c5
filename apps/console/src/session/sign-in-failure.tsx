import { isProblem, ProblemError } from '../client/api-error.ts';
import { defineMessages } from '../messages/define-messages.ts';
import { useFormats, useMessages } from '../messages/locale-context.tsx';
import { Failure } from '../ui/failure.tsx';
import { Notice } from '../ui/notice.tsx';

const MESSAGES = defineMessages({
  en: {
    wrong: 'The e-mail address or the password is wrong.',
    tooMany: (pause: string) => `There were too many attempts. Try again in ${pause}.`,
  },
  de: {
    wrong: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    tooMany: (pause: string) => `Zu viele Versuche. Versuchen Sie es in ${pause} erneut.`,
  },
});

export interface SignInFailureProps {
  readonly error: Error;
  /** The text about wrong credentials; if absent, it speaks of an address and a password. */
  readonly wrong?: string;
}

/** Says why the service did not accept a password. */
export function SignInFailure({ error, wrong }: SignInFailureProps) {
  const texts = useMessages(MESSAGES);
  const formats = useFormats();
  if (isProblem(error, 'invalid_credentials')) {
    return (
      <Notice look="bad" isAlert>
        {wrong ?? texts.wrong}
      </Notice>
    );
  }
  if (error instanceof ProblemError && error.problem.code === 'rate_limited') {
    return (
      <Notice look="warn" isAlert>
        {texts.tooMany(formats.seconds(error.retryAfter ?? 60))}
      </Notice>
    );
  }
  return <Failure error={error} />;
}
