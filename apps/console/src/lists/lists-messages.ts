import { defineMessages } from '../messages/define-messages.ts';

export const LISTS_MESSAGES = defineMessages({
  en: {
    jump: 'Jump to',
    loadingCell: 'Loading',
    move: 'Move between cells',
    range: 'Select up to the next cell',
    toggle: 'Select or deselect',
    all: 'Select all that match',
    open: 'Open',
    nothing: 'Clear the selection',
    selected: (count: string) => `${count} selected`,
    allSelected: (count: string) => `All ${count} that match`,
    longRange: (count: string) =>
      `A range has at most ${count} rows. Select all that match instead.`,
  },
  de: {
    jump: 'Springen zu',
    loadingCell: 'Wird geladen',
    move: 'Zwischen den Feldern wechseln',
    range: 'Bis zum nächsten Feld auswählen',
    toggle: 'Auswählen oder abwählen',
    all: 'Alle passenden auswählen',
    open: 'Öffnen',
    nothing: 'Auswahl aufheben',
    selected: (count: string) => `${count} ausgewählt`,
    allSelected: (count: string) => `Alle ${count} passenden`,
    longRange: (count: string) =>
      `Ein Bereich hat höchstens ${count} Zeilen. Wählen Sie stattdessen alle passenden aus.`,
  },
});
