import type { OperationBody } from '../client/operations.ts';
import { defineMessages } from '../messages/define-messages.ts';

export type OperationKind = OperationBody<'listOperations'>['items'][number]['kind'];

const EN = {
  review: 'Decision about a face',
  bulk_review: 'Decisions about faces',
  relabel: 'Faces named',
  dismiss: 'Faces ignored',
  enroll: 'Reference added',
  revoke: 'Reference removed',
  cover: 'Cover changed',
  rename: 'Renamed',
  external_ref: 'External reference changed',
  merge: 'Merged',
  delete_detections: 'Faces or objects deleted',
  delete_identities: 'People deleted',
  delete_images: 'Images deleted',
  replace: 'Detected again',
  bulk_detections: 'Many faces or objects changed',
  bulk_images: 'Many images changed',
  cluster_label: 'Group named',
  cluster_dismiss: 'Group ignored',
  undo: 'Undone',
} satisfies Readonly<Record<OperationKind, string>>;

/** The names of the kinds of operations. */
export const OPERATION_NAMES = defineMessages({
  en: EN,
  de: {
    review: 'Entscheidung über ein Gesicht',
    bulk_review: 'Entscheidungen über Gesichter',
    relabel: 'Gesichter benannt',
    dismiss: 'Gesichter ignoriert',
    enroll: 'Referenz hinzugefügt',
    revoke: 'Referenz entfernt',
    cover: 'Titelbild geändert',
    rename: 'Umbenannt',
    external_ref: 'Externe Referenz geändert',
    merge: 'Zusammengeführt',
    delete_detections: 'Gesichter oder Objekte gelöscht',
    delete_identities: 'Personen gelöscht',
    delete_images: 'Bilder gelöscht',
    replace: 'Neu ausgewertet',
    bulk_detections: 'Viele Gesichter oder Objekte geändert',
    bulk_images: 'Viele Bilder geändert',
    cluster_label: 'Gruppe benannt',
    cluster_dismiss: 'Gruppe ignoriert',
    undo: 'Rückgängig gemacht',
  },
});
