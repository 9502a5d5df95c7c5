import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi, useInvalidate, useRead } from '../../client/api-context.tsx';
import { Loading } from '../../frame/page-state.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { sessionQuery } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Select } from '../../ui/select.tsx';
import { Table } from '../../ui/table.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import styles from './environments.module.css';
import { ENVIRONMENTS_MESSAGES } from './environments-messages.ts';
import { Invitations } from './invitations.tsx';
import { type MemberChange, MemberDialog } from './member-dialog.tsx';
import { type Environment, type Member, type Role, ROLES } from './use-environment-list.ts';

export interface MembersProps {
  readonly environment: Environment;
  readonly onClose: () => void;
}

/** The members of an environment, and the open invitations. */
export function Members({ environment, onClose }: MembersProps) {
  const texts = useMessages(ENVIRONMENTS_MESSAGES);
  const members = useRead('listMembers', { path: { id: environment.id } });
  const [change, setChange] = useState<MemberChange | null>(null);
  const raise = useRaise(environment);
  return (
    <Panel
      title={texts.membersTitle(environment.name)}
      actions={<Button onPress={onClose}>{texts.close}</Button>}
    >
      {members.isPending && <Loading />}
      {members.error && <Failure error={members.error} onRetry={() => void members.refetch()} />}
      {raise.error && <Failure error={raise.error} />}
      {members.data && (
        <MemberTable
          members={members.data.items}
          onRole={(member, role) => {
            if (ROLES.indexOf(role) < ROLES.indexOf(member.role)) setChange({ member, role });
            else if (role !== member.role) raise.mutate({ member, role });
          }}
          onRemove={(member) => setChange({ member, role: null })}
        />
      )}
      <Invitations environment={environment} />
      {change !== null && (
        <MemberDialog environment={environment} change={change} onClose={() => setChange(null)} />
      )}
    </Panel>
  );
}

/** A higher role ends nothing, so it is given at once. */
function useRaise({ id }: Environment) {
  const texts = useMessages(ENVIRONMENTS_MESSAGES);
  const api = useApi();
  const invalidate = useInvalidate();
  const { announce } = useUndoable();
  return useMutation({
    mutationFn: ({ member, role }: { readonly member: Member; readonly role: Role }) =>
      api.send('changeMember', { path: { id, account_id: member.account_id }, body: { role } }),
    onSuccess: async (_, { member }) => {
      await invalidate('listMembers');
      announce(texts.changed(member.email));
    },
  });
}

interface MemberTableProps {
  readonly members: readonly Member[];
  readonly onRole: (member: Member, role: Role) => void;
  readonly onRemove: (member: Member) => void;
}

function MemberTable({ members, onRole, onRemove }: MemberTableProps) {
  const texts = useMessages(ENVIRONMENTS_MESSAGES);
  const formats = useFormats();
  const session = useQuery(sessionQuery(useApi()));
  return (
    <Table
      label={texts.members}
      columns={[texts.email, texts.name, texts.memberRole, texts.since, texts.actions]}
    >
      {members.map((member) => (
        <tr key={member.account_id}>
          <th scope="row">
            {member.email}
            {member.account_id === session.data?.user.id && ` (${texts.you})`}
            {!member.email_verified && <div className={styles.quiet}>{texts.notVerified}</div>}
          </th>
          <td>
            <bdi>{member.name}</bdi>
          </td>
          <td>
            <Select
              label={texts.roleOf(member.email)}
              isLabelHidden
              value={member.role}
              onChange={(role) => onRole(member, role)}
              options={ROLES.map((role) => ({ value: role, text: texts[role] }))}
            />
          </td>
          <td>{formats.date(member.since)}</td>
          <td>
            <Button aria-label={texts.takeOutOf(member.email)} onPress={() => onRemove(member)}>
              {texts.takeOut}
            </Button>
          </td>
        </tr>
      ))}
    </Table>
  );
}
