import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import { isProblem } from '../../client/api-error.ts';
import { useMessages } from '../../messages/locale-context.tsx';
import { NewPasswordFields, useNewPassword } from '../../session/new-password.tsx';
import { capabilitiesQuery } from '../../session/session.ts';
import { SignInForm } from '../../session/sign-in-form.tsx';
import { Button } from '../../ui/button.tsx';
import { fieldErrors } from '../../ui/failure.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { AcceptFailure } from './accept-failure.tsx';
import { INVITATION_MESSAGES } from './invitation-messages.ts';
import { useAccept } from './use-accept.ts';

interface VisitorProps {
  readonly token: string;
}

/** A person without a session makes an account, or signs in with the one of the invited address. */
export function AcceptAsVisitor({ token }: VisitorProps) {
  const texts = useMessages(INVITATION_MESSAGES);
  const { api } = useRouteContext({ from: '/invitation' });
  const capabilities = useQuery(capabilitiesQuery(api));
  const [hasAccount, setHasAccount] = useState(false);
  const accept = useAccept(token);
  const isKnown = isProblem(accept.error, 'unauthenticated');
  if (hasAccount || isKnown) {
    const text = isKnown ? <Notice>{texts.known}</Notice> : <p>{texts.knownText}</p>;
    return (
      <>
        {text}
        {/* The page goes on with the session once there is one. */}
        <SignInForm api={api} onSignedIn={accept.reset} />
        <Button
          onPress={() => {
            accept.reset();
            setHasAccount(false);
          }}
        >
          {texts.isNew}
        </Button>
      </>
    );
  }
  return (
    <>
      <NewAccountForm accept={accept} />
      {capabilities.data?.sign_in.includes('oidc') && <AcceptByOidc token={token} />}
      <Button onPress={() => setHasAccount(true)}>{texts.hasAccount}</Button>
    </>
  );
}

function NewAccountForm({ accept }: { readonly accept: ReturnType<typeof useAccept> }) {
  const texts = useMessages(INVITATION_MESSAGES);
  const [name, setName] = useState('');
  const chosen = useNewPassword();
  const submit = () => {
    if (!chosen.isRepeated || accept.isPending) return;
    accept.mutate({ password: chosen.password, ...(name.trim() !== '' && { name }) });
  };
  const refused = fieldErrors(accept.error);
  const isExplained = refused.name !== undefined || refused.password !== undefined;
  return (
    <Form onSubmit={submit}>
      <p>{texts.newText}</p>
      <TextInput
        label={texts.name}
        hint={texts.nameHint}
        autoComplete="name"
        value={name}
        onChange={setName}
        error={refused.name}
      />
      <NewPasswordFields state={chosen} refused={refused.password} />
      {accept.error && !isExplained && <AcceptFailure error={accept.error} />}
      <Button type="submit" look="primary" isDisabled={chosen.isDifferent}>
        {texts.create}
      </Button>
    </Form>
  );
}

function AcceptByOidc({ token }: VisitorProps) {
  const texts = useMessages(INVITATION_MESSAGES);
  const { api } = useRouteContext({ from: '/invitation' });
  const begin = useMutation({
    mutationFn: () => api.read('prepareSignOn', { body: { invitation_token: token } }),
    onSuccess: ({ url }) => location.assign(url),
  });
  return (
    <>
      {begin.error && <AcceptFailure error={begin.error} />}
      <Button isBusy={begin.isPending} onPress={() => begin.mutate()}>
        {texts.oidc}
      </Button>
    </>
  );
}
