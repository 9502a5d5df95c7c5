import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../client/api-context.tsx';
import { isProblem } from '../../client/api-error.ts';
import type { OperationBody } from '../../client/operations.ts';
import { Loading } from '../../frame/page-state.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { capabilitiesQuery, profileQuery } from '../../session/session.ts';
import { SignInFailure } from '../../session/sign-in-failure.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import { SIGN_ON_MESSAGES } from './sign-on-messages.ts';

type Profile = OperationBody<'getProfile'>;

/** The login of the OpenID provider. Installations without a provider have no such part. */
export function SignOnSection() {
  const texts = useMessages(SIGN_ON_MESSAGES);
  const api = useApi();
  const capabilities = useQuery(capabilitiesQuery(api));
  const isOffered = capabilities.data?.sign_in.includes('oidc') === true;
  const profile = useQuery({ ...profileQuery(api), enabled: isOffered });
  if (!isOffered) return null;
  return (
    <Panel title={texts.title} text={texts.text}>
      {profile.isPending && <Loading />}
      {profile.error && <Failure error={profile.error} onRetry={() => void profile.refetch()} />}
      {profile.data && <Login signIn={profile.data.sign_in} />}
    </Panel>
  );
}

function Login({ signIn }: { readonly signIn: Profile['sign_in'] }) {
  const texts = useMessages(SIGN_ON_MESSAGES);
  const [isRemoving, setRemoving] = useState(false);
  const isBound = signIn.includes('oidc');
  const hasPassword = signIn.includes('password');
  return (
    <>
      <p>{isBound ? texts.bound : texts.unbound}</p>
      {!isBound && <Binding />}
      {isBound && !hasPassword && <p>{texts.lastWay}</p>}
      {isBound && hasPassword && (
        <div>
          <Button onPress={() => setRemoving(true)}>{texts.remove}</Button>
        </div>
      )}
      {isRemoving && <RemoveLoginDialog onClose={() => setRemoving(false)} />}
    </>
  );
}

/** Leads to the page of the provider, which sends the browser back. */
function Binding() {
  const texts = useMessages(SIGN_ON_MESSAGES);
  const api = useApi();
  const bind = useMutation({
    mutationFn: () => api.read('prepareSignOn', { body: { link: true } }),
    onSuccess: ({ url }) => location.assign(url),
  });
  return (
    <>
      <p>{texts.bindHint}</p>
      {bind.error && <SignInFailure error={bind.error} />}
      <div>
        <Button isBusy={bind.isPending} onPress={() => bind.mutate()}>
          {texts.bind}
        </Button>
      </div>
    </>
  );
}

function RemoveLoginDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useMessages(SIGN_ON_MESSAGES);
  const api = useApi();
  const client = useQueryClient();
  const { announce } = useUndoable();
  const readAgain = () => client.invalidateQueries({ queryKey: profileQuery(api).queryKey });
  const remove = useMutation({
    mutationFn: async () => {
      try {
        await api.send('removeLogin');
      } catch (error) {
        // Another page has removed it.
        if (!isProblem(error, 'not_found')) throw error;
      }
    },
    onSuccess: async () => {
      onClose();
      announce(texts.removed);
      await readAgain();
    },
  });
  return (
    <Dialog title={texts.removeTitle} isOpen onClose={onClose}>
      <p>{texts.removeText}</p>
      {remove.error && <Refusal error={remove.error} />}
      <DialogActions>
        <Button onPress={onClose}>{texts.cancel}</Button>
        <Button look="danger" isBusy={remove.isPending} onPress={() => remove.mutate()}>
          {texts.remove}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Refusal({ error }: { readonly error: Error }) {
  const texts = useMessages(SIGN_ON_MESSAGES);
  if (!isProblem(error, 'last_sign_in')) return <Failure error={error} />;
  return (
    <Notice look="bad" isAlert>
      {texts.lastWay}
    </Notice>
  );
}
