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
      'Another person or the service made your password. Choose your own before you go on.',
    current: 'Current password',
    next: 'New password',
    nextHint: 'At least 10 characters',
    repeat: 'New password, again',
    different: 'The two passwords differ.',
    wrongCurrent: 'The current password is wrong.',
    save: 'Save and go on',
    refused: (code: string) => `The sign-in at your organization failed (${code}).`,
  },
  de: {
    title: 'Bei Sightline anmelden',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    submit: 'Anmelden',
    oidc: 'Über Ihre Organisation anmelden',
    wrong: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    tooMany: (pause: string) => `Es gab zu viele Versuche. Versuchen Sie es in ${pause} wieder.`,
    passwordTitle: 'Wählen Sie ein Passwort',
    passwordText:
      'Jemand anders oder der Dienst hat Ihr Passwort gemacht. Wählen Sie ein eigenes, bevor es weitergeht.',
    current: 'Jetziges Passwort',
    next: 'Neues Passwort',
    nextHint: 'Mindestens 10 Zeichen',
    repeat: 'Neues Passwort, noch einmal',
    different: 'Die beiden Passwörter unterscheiden sich.',
    wrongCurrent: 'Das jetzige Passwort ist falsch.',
    save: 'Speichern und weiter',
    refused: (code: string) => `Die Anmeldung bei Ihrer Organisation ist gescheitert (${code}).`,
  },
});
