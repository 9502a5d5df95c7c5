import { defineMessages } from '../messages/define-messages.ts';

export const SELECTION_MESSAGES = defineMessages({
  en: {
    selected: (count: string) => `${count} selected`,
    allSelected: (count: string) => `All ${count} that match are selected`,
    longRange: (count: string) =>
      `A range has at most ${count} images. Ctrl+A selects all that match.`,
    reprocess: 'Reprocess',
    delete: 'Delete',
    cancel: 'Cancel',
    counting: 'Counting',
    images: (count: string) => `${count} images`,
    oneImage: '1 image',
    found: (count: string) => `${count} faces and objects`,
    deleteTitle: (images: string) => `Delete ${images}?`,
    deleteText: (found: string) =>
      `${found} in them are deleted, too, with their crops and references. You can undo this.`,
    deleteAllText:
      'All faces and objects in them are deleted, too, with their crops and references. A job does this; you can undo it after the job has ended.',
    deleted: (images: string) => `${images} deleted`,
    partly: (done: string, failed: string) => `${done} deleted, ${failed} failed`,
    changed: (count: string) => `The list has changed. It is now ${count}; decide again.`,
    reprocessTitle: (images: string) => `Reprocess ${images}?`,
    reprocessText: 'The active models run again. What was found before is kept.',
    replaceText: 'The active models run again.',
    type: 'Find',
    all: 'Faces and objects',
    faces: 'Faces',
    objects: 'Objects',
    replace: 'Remove what was found before',
    lost: (found: string) =>
      `Up to ${found} of these images are removed with their names, including drawn boxes. Those that people have decided about come back with Undo, the others do not.`,
    lostAll:
      'All earlier faces and objects of this kind in these images are removed with their names, including drawn boxes. Those that people have decided about come back with Undo, the others do not.',
    reprocessing: 'Reprocessing images',
    deleting: 'Deleting images',
    reprocessed: (images: string) => `${images} reprocessed`,
  },
  de: {
    selected: (count: string) => `${count} ausgewählt`,
    allSelected: (count: string) => `Alle ${count} passenden sind ausgewählt`,
    longRange: (count: string) =>
      `Ein Bereich hat höchstens ${count} Bilder. Strg+A wählt alle passenden aus.`,
    reprocess: 'Neu auswerten',
    delete: 'Löschen',
    cancel: 'Abbrechen',
    counting: 'Wird gezählt',
    images: (count: string) => `${count} Bilder`,
    oneImage: '1 Bild',
    found: (count: string) => `${count} Gesichter und Objekte`,
    deleteTitle: (images: string) => `${images} löschen?`,
    deleteText: (found: string) =>
      `${found} darin werden samt Ausschnitten und Referenzen ebenfalls gelöscht. Sie können das rückgängig machen.`,
    deleteAllText:
      'Alle Gesichter und Objekte darin werden samt Ausschnitten und Referenzen ebenfalls gelöscht. Das erledigt ein Auftrag; sobald er beendet ist, können Sie es rückgängig machen.',
    deleted: (images: string) => `${images} gelöscht`,
    partly: (done: string, failed: string) => `${done} gelöscht, ${failed} fehlgeschlagen`,
    changed: (count: string) =>
      `Die Liste hat sich geändert. Jetzt sind es ${count}; entscheiden Sie erneut.`,
    reprocessTitle: (images: string) => `${images} neu auswerten?`,
    reprocessText: 'Die aktiven Modelle werden erneut angewendet. Frühere Funde bleiben erhalten.',
    replaceText: 'Die aktiven Modelle werden erneut angewendet.',
    type: 'Suchen',
    all: 'Gesichter und Objekte',
    faces: 'Gesichter',
    objects: 'Objekte',
    replace: 'Frühere Funde entfernen',
    lost: (found: string) =>
      `Bis zu ${found} dieser Bilder werden mit ihren Namen entfernt, auch gezeichnete Rahmen. Von Menschen geprüfte stellt „Rückgängig“ wieder her, die übrigen nicht.`,
    lostAll:
      'Alle früheren Gesichter und Objekte dieser Art in diesen Bildern werden mit ihren Namen entfernt, auch gezeichnete Rahmen. Von Menschen geprüfte stellt „Rückgängig“ wieder her, die übrigen nicht.',
    reprocessing: 'Bilder werden neu ausgewertet',
    deleting: 'Bilder werden gelöscht',
    reprocessed: (images: string) => `${images} neu ausgewertet`,
  },
});
