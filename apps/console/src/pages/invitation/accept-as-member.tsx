import { Link } from '@tanstack/react-router';
import { useMessages } from '../../messages/locale-context.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { AcceptFailure } from './accept-failure.tsx';
import { INVITATION_MESSAGES } from './invitation-messages.ts';
import { useAccept } from './use-accept.ts';

export interface AcceptAsMemberProps {
  readonly token: string;
  /** The address of the account that is signed in. */
  readonly email: string;
}

export function AcceptAsMember({ token, email }: AcceptAsMemberProps) {
  const texts = useMessages(INVITATION_MESSAGES);
  const accept = useAccept(token);
  return (
    <>
      <p>
        <bdi>{texts.signedIn(email)}</bdi>
      </p>
      {accept.error && <AcceptFailure error={accept.error} />}
      <Button look="primary" isBusy={accept.isPending} onPress={() => accept.mutate(null)}>
        {texts.accept}
      </Button>
      <Link to="/sign-out" preload={false} className={buttonClass()}>
        {texts.signOut}
      </Link>
    </>
  );
}
