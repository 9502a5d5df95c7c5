import { defineMessages } from '../messages/define-messages.ts';

export const LISTS_MESSAGES = defineMessages({
  en: {
    jump: 'Jump to',
    loadingCell: 'Loading',
    move: 'Move between cells',
    range: 'Select up to the next cell',
    toggle: 'Select or take out',
    all: 'Select all that match',
    open: 'Open',
    nothing: 'Select nothing',
    selection: 'Selection',
  },
  de: {
    jump: 'Springen zu',
    loadingCell: 'Lädt',
    move: 'Zwischen den Feldern gehen',
    range: 'Bis zum nächsten Feld auswählen',
    toggle: 'Auswählen oder herausnehmen',
    all: 'Alle passenden auswählen',
    open: 'Öffnen',
    nothing: 'Nichts auswählen',
    selection: 'Auswahl',
  },
});
