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
    selection: 'Selection',
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
    selection: 'Auswahl',
  },
});
