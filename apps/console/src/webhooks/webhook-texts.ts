import type { OperationBody } from '../client/operations.ts';
import { defineMessages } from '../messages/define-messages.ts';

export type Webhook = OperationBody<'listWebhooks'>['items'][number];
export type EventName = Webhook['events'][number];

const EN = {
  'detection.created': 'A face or object was found',
  'detection.labeled': 'A face or object got another name',
  'detection.deleted': 'Faces or objects were deleted',
  'identity.created': 'A person or class was added',
  'identity.updated': 'A person or class was changed',
  'identity.merged': 'People were merged',
  'identity.deleted': 'A person or class was deleted',
  'job.done': 'A job has ended',
} satisfies Readonly<Record<EventName, string>>;

/** The sentences about the events. */
export const EVENT_TEXTS = defineMessages({
  en: EN,
  de: {
    'detection.created': 'Ein Gesicht oder Objekt wurde gefunden',
    'detection.labeled': 'Ein Gesicht oder Objekt hat einen anderen Namen erhalten',
    'detection.deleted': 'Gesichter oder Objekte wurden gelöscht',
    'identity.created': 'Eine Person oder Klasse wurde hinzugefügt',
    'identity.updated': 'Eine Person oder Klasse wurde geändert',
    'identity.merged': 'Personen wurden zusammengeführt',
    'identity.deleted': 'Eine Person oder Klasse wurde gelöscht',
    'job.done': 'Ein Auftrag wurde beendet',
  },
});

export const EVENT_NAMES = Object.keys(EN) as readonly EventName[];
