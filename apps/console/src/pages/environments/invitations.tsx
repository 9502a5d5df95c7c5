import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { isProblem } from '../../client/api-error.ts';
import { useApi, useInvalidate, useRead } from '../../client/api-context.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure, fieldErrors } from '../../ui/failure.tsx';
import { CopyBlock } from '../../ui/copy-block.tsx';
import { Select } from '../../ui/select.tsx';
import { Table } from '../../ui/table.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import styles from './environments.module.css';
import { ENVIRONMENTS_MESSAGES } from './environments-messages.ts';
import { type Environment, type Role, ROLES } from './use-environment-list.ts';

interface InvitationsProps {
  readonly environment: Environment;
}

/** The open invitations to an environment, and a form that makes one. */
export function Invitations({ environment }: InvitationsProps) {
  const texts = useMessages(ENVIRONMENTS_MESSAGES);
  const formats = useFormats();
  const api = useApi();
  const invalidate = useInvalidate();
  const { id } = environment;
  const invitations = useRead('listInvitations', { path: { id } });
  const revoke = useMutation({
    mutationFn: (invitation: number) =>
      api.send('revokeInvitation', { path: { id, invitation_id: invitation } }),
    onSettled: () => invalidate('listInvitations'),
  });
  const open = invitations.data?.items ?? [];
  return (
    <>
      <h3>{texts.invitations}</h3>
      <InviteForm environment={environment} />
      {invitations.error && (
        <Failure error={invitations.error} onRetry={() => void invitations.refetch()} />
      )}
      {revoke.error && <Failure error={revoke.error} />}
      {invitations.data?.items.length === 0 && <p>{texts.noInvitations}</p>}
      {open.length > 0 && (
        <Table
          label={texts.invitations}
          columns={[texts.email, texts.memberRole, texts.expires, texts.actions]}
        >
          {open.map((invitation) => (
            <tr key={invitation.id}>
              <th scope="row">{invitation.email}</th>
              <td>{texts[invitation.role]}</td>
              <td>{formats.dateTime(invitation.expires_at)}</td>
              <td>
                <Button
                  aria-label={texts.revokeOf(invitation.email)}
                  onPress={() => revoke.mutate(invitation.id)}
                >
                  {texts.revoke}
                </Button>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

function InviteForm({ environment: { id } }: InvitationsProps) {
  const texts = useMessages(ENVIRONMENTS_MESSAGES);
  const api = useApi();
  const invalidate = useInvalidate();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const invite = useMutation({
    mutationFn: () => api.read('createInvitation', { path: { id }, body: { email, role } }),
    onSuccess: async () => {
      setEmail('');
      await invalidate('listInvitations');
    },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!invite.isPending) invite.mutate();
  };
  const refused = isProblem(invite.error, 'member_exists')
    ? invite.error.problem.detail
    : fieldErrors(invite.error).email;
  return (
    <>
      <p className={styles.quiet}>{texts.inviteText}</p>
      <form className={styles.invite} onSubmit={submit}>
        <TextInput
          label={texts.email}
          value={email}
          onChange={setEmail}
          error={refused}
          isRequired
        />
        <Select
          label={texts.memberRole}
          isLabelHidden
          value={role}
          onChange={setRole}
          options={ROLES.map((each) => ({
            value: each,
            text: `${texts[each]}: ${texts[`${each}Text`]}`,
          }))}
        />
        <Button type="submit" look="primary">
          {texts.invite}
        </Button>
      </form>
      {invite.error && refused === undefined && <Failure error={invite.error} />}
      {invite.data && (
        <Dialog title={texts.linkTitle} isOpen isWide>
          <p>{texts.linkText}</p>
          <p>{texts.inviteText}</p>
          <CopyBlock text={invite.data.url} />
          <DialogActions>
            <Button look="primary" onPress={() => invite.reset()} autoFocus>
              {texts.close}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}
