import { defineMessages } from '../../messages/define-messages.ts';

export const SIGN_IN_MESSAGES = defineMessages({
  en: {
    title: 'Sign in to Sightline',
    email: 'E-mail address',
    password: 'Password',
    submit: 'Sign in',
    oidc: 'Sign in with your organization',
    wrong: 'The e-mail address or the password is wrong.',
    tooMany: (pause: string) => `There were too many attempts. Try again in ${pause}.`,
    passwordTitle: 'Choose a password',
    passwordText:
      'Someone else or the service set your password. Choose your own before you continue.',
    current: 'Current password',
    next: 'New password',
    nextHint: 'At least 10 characters',
    repeat: 'New password, again',
    different: 'The passwords do not match.',
    wrongCurrent: 'The current password is wrong.',
    save: 'Save and continue',
    refused: (code: string) => `Signing in with your organization failed (${code}).`,
  },
  de: {
    title: 'Bei Sightline anmelden',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    submit: 'Anmelden',
    oidc: 'Über Ihre Organisation anmelden',
    wrong: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    tooMany: (pause: string) => `Zu viele Versuche. Versuchen Sie es in ${pause} erneut.`,
    passwordTitle: 'Wählen Sie ein Passwort',
    passwordText:
      'Ihr Passwort wurde von einer anderen Person oder vom Dienst vergeben. Wählen Sie ein eigenes, bevor Sie fortfahren.',
    current: 'Aktuelles Passwort',
    next: 'Neues Passwort',
    nextHint: 'Mindestens 10 Zeichen',
    repeat: 'Neues Passwort wiederholen',
    different: 'Die Passwörter stimmen nicht überein.',
    wrongCurrent: 'Das aktuelle Passwort ist falsch.',
    save: 'Speichern und weiter',
    refused: (code: string) => `Die Anmeldung über Ihre Organisation ist fehlgeschlagen (${code}).`,
  },
});
