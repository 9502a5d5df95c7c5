import { counted } from '../messages/counted.ts';
import { defineMessages } from '../messages/define-messages.ts';

export const PEOPLE_DIALOG_MESSAGES = defineMessages({
  en: {
    name: 'Name',
    cancel: 'Cancel',
    save: 'Save',
    taken: 'Another person has this name:',
    renameTitle: (name: string) => `Rename ${name}`,
    renamed: (name: string) => `Renamed to ${name}`,
    delete: 'Delete',
    deleteTitle: (count: string) => `Delete ${counted(count, 'person', 'people')}?`,
    deleteText: (faces: string, references: string) =>
      `This deletes ${counted(faces, 'face', 'faces')} and ${counted(references, 'reference', 'references')} with them. This can be undone.`,
    deleted: (count: string) => `${counted(count, 'person', 'people')} deleted`,
    alreadyDeleted: 'They were already deleted.',
  },
  de: {
    name: 'Name',
    cancel: 'Abbrechen',
    save: 'Speichern',
    taken: 'Eine andere Person hat diesen Namen:',
    renameTitle: (name: string) => `${name} umbenennen`,
    renamed: (name: string) => `Umbenannt in ${name}`,
    delete: 'Löschen',
    deleteTitle: (count: string) => `${counted(count, 'Person', 'Personen')} löschen?`,
    deleteText: (faces: string, references: string) =>
      `Dabei werden auch ${counted(faces, 'Gesicht', 'Gesichter')} und ${counted(references, 'Referenz', 'Referenzen')} gelöscht. Das lässt sich rückgängig machen.`,
    deleted: (count: string) => `${counted(count, 'Person', 'Personen')} gelöscht`,
    alreadyDeleted: 'Alles Ausgewählte war bereits gelöscht.',
  },
});
