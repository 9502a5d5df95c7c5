import { defineMessages } from '../../messages/define-messages.ts';

export const SIGN_ON_MESSAGES = defineMessages({
  en: {
    title: 'Sign-in with your organization',
    text: 'With a login of your organization you sign in without the password of this account.',
    bound: 'A login of your organization is bound to this account.',
    unbound: 'No login of your organization is bound to this account.',
    bind: 'Bind a login',
    bindHint: 'You sign in at your organization, and come back to this console.',
    remove: 'Remove the login',
    removeTitle: 'Remove the login of your organization?',
    removeText:
      'Afterwards you sign in with the password of this account alone. Your sessions last.',
    removed: 'The login was removed.',
    lastWay:
      'The account has no password, so the login cannot be removed. An administrator may give the account a password.',
    cancel: 'Cancel',
  },
  de: {
    title: 'Anmeldung über Ihre Organisation',
    text: 'Mit einer Anmeldung Ihrer Organisation brauchen Sie das Passwort dieses Kontos nicht.',
    bound: 'Mit diesem Konto ist eine Anmeldung Ihrer Organisation verknüpft.',
    unbound: 'Mit diesem Konto ist keine Anmeldung Ihrer Organisation verknüpft.',
    bind: 'Anmeldung verknüpfen',
    bindHint: 'Sie melden sich bei Ihrer Organisation an und kehren in diese Konsole zurück.',
    remove: 'Verknüpfung entfernen',
    removeTitle: 'Verknüpfung mit Ihrer Organisation entfernen?',
    removeText:
      'Danach melden Sie sich nur noch mit dem Passwort dieses Kontos an. Ihre Sitzungen bleiben bestehen.',
    removed: 'Die Verknüpfung wurde entfernt.',
    lastWay:
      'Das Konto hat kein Passwort, daher lässt sich die Verknüpfung nicht entfernen. Ein Administrator kann dem Konto ein Passwort geben.',
    cancel: 'Abbrechen',
  },
});
