import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../client/api-context.tsx';
import type { OperationBody } from '../../client/operations.ts';
import { Loading } from '../../frame/page-state.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { environmentsQuery, profileQuery, sessionQuery } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Failure, fieldErrors } from '../../ui/failure.tsx';
import { Form } from '../../ui/form.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import { ACCOUNT_MESSAGES } from './account-messages.ts';

/** The value of choices that leave the decision to the browser or the service. */
const AUTOMATIC = '';

export function ProfileSection() {
  const texts = useMessages(ACCOUNT_MESSAGES);
  const api = useApi();
  const profile = useQuery(profileQuery(api));
  return (
    <Panel title={texts.profile}>
      {profile.isPending && <Loading />}
      {profile.error && <Failure error={profile.error} onRetry={() => void profile.refetch()} />}
      {profile.data && <ProfileForm profile={profile.data} />}
    </Panel>
  );
}

function ProfileForm({ profile }: { readonly profile: OperationBody<'getProfile'> }) {
  const texts = useMessages(ACCOUNT_MESSAGES);
  const [name, setName] = useState(profile.name);
  const [locale, setLocale] = useState(profile.locale ?? AUTOMATIC);
  const [environment, setEnvironment] = useState(
    String(profile.default_environment_id ?? AUTOMATIC),
  );
  const environments = useQuery(environmentsQuery(useApi()));
  const save = useSaveProfile();
  const submit = () => {
    save.mutate({
      name,
      locale: locale === AUTOMATIC ? null : locale,
      default_environment_id: environment === AUTOMATIC ? null : Number(environment),
    });
  };
  return (
    <Form onSubmit={submit}>
      <TextInput
        label={texts.name}
        value={name}
        onChange={setName}
        autoComplete="name"
        error={fieldErrors(save.error).name}
        isRequired
      />
      <Select
        label={texts.language}
        value={locale}
        onChange={setLocale}
        options={[
          { value: AUTOMATIC, text: texts.languageAuto },
          { value: 'en', text: 'English' },
          { value: 'de', text: 'Deutsch' },
          // Programs may choose other tags, such as de-AT.
          ...(['', 'en', 'de'].includes(profile.locale ?? '')
            ? []
            : [{ value: profile.locale!, text: profile.locale! }]),
        ]}
      />
      <Select
        label={texts.firstEnvironment}
        value={environment}
        onChange={setEnvironment}
        options={[
          { value: AUTOMATIC, text: texts.oldest },
          ...(environments.data?.items ?? []).map(({ id, name: text }) => ({
            value: String(id),
            text,
          })),
        ]}
      />
      {save.error && <Failure error={save.error} />}
      <div>
        <Button type="submit">{texts.save}</Button>
      </div>
    </Form>
  );
}

// An interface would have no index signature, which the body needs.
// oxlint-disable-next-line typescript/consistent-type-definitions
type ProfileChange = {
  readonly name: string;
  readonly locale: string | null;
  readonly default_environment_id: number | null;
};

function useSaveProfile() {
  const texts = useMessages(ACCOUNT_MESSAGES);
  const api = useApi();
  const client = useQueryClient();
  const { announce } = useUndoable();
  return useMutation({
    mutationFn: (body: ProfileChange) => api.read('changeProfile', { body }),
    onSuccess: async (saved) => {
      client.setQueryData(profileQuery(api).queryKey, saved);
      await client.invalidateQueries({ queryKey: sessionQuery(api).queryKey });
      announce(texts.saved);
    },
  });
}
