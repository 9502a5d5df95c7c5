import { defineMessages } from '../../messages/define-messages.ts';

export const PASSWORD_MESSAGES = defineMessages({
  en: {
    title: 'Choose a password',
    text: 'Someone else or the service set your password. Choose your own before you continue.',
    otherText: 'Your other sessions end when you change the password.',
    back: 'Back',
    current: 'Current password',
    wrongCurrent: 'The current password is wrong.',
    save: 'Save and continue',
  },
  de: {
    title: 'Wählen Sie ein Passwort',
    text: 'Ihr Passwort wurde von einer anderen Person oder vom Dienst vergeben. Wählen Sie ein eigenes, bevor Sie fortfahren.',
    otherText: 'Ihre anderen Sitzungen enden, wenn Sie das Passwort ändern.',
    back: 'Zurück',
    current: 'Aktuelles Passwort',
    wrongCurrent: 'Das aktuelle Passwort ist falsch.',
    save: 'Speichern und weiter',
  },
});
