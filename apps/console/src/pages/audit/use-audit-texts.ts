import type { OperationBody } from '../../client/operations.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { AUDIT_MESSAGES } from './audit-messages.ts';
import { ACTION_NAMES, ENTITY_NAMES } from './audit-names.ts';
import { usePeople } from './use-people.ts';

export type AuditEntry = OperationBody<'listAudit'>['items'][number];

const SHOWN_IDS = 5;

/** Returns functions that describe entries. Actions of a later release have their own names. */
export function useAuditTexts() {
  const texts = useMessages(AUDIT_MESSAGES);
  const entities: Readonly<Record<string, string>> = useMessages(ENTITY_NAMES);
  const actions: Readonly<Record<string, string>> = useMessages(ACTION_NAMES);
  const formats = useFormats();
  const people = usePeople();
  const personName = (id: string) => people.find((person) => person.id === id)?.name ?? id;
  return {
    people,
    personName,
    entityName: (kind: string) => entities[kind] ?? kind,
    actionName: (action: string) => actions[action] ?? action,
    entityKinds: Object.keys(entities),
    actionKinds: Object.keys(actions),
    actorName: ({ user_id: user, key_id: key, details }: AuditEntry) => {
      if (user !== null) return personName(user);
      if (key !== null) return texts.keyNumber(String(key));
      if (details.actor === 'command') return texts.command;
      return details.actor === 'service' ? texts.service : texts.unknown;
    },
    idsText: ({ entity_ids: ids }: AuditEntry) => {
      const shown = ids.slice(0, SHOWN_IDS).join(', ');
      const left = ids.length - SHOWN_IDS;
      return left > 0 ? texts.ids(shown, formats.number(left)) : shown;
    },
  };
}
