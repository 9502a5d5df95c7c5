import { defineMessages } from '../../messages/define-messages.ts';

export const INVITATION_MESSAGES = defineMessages({
  en: {
    title: 'Accept the invitation',
    incomplete:
      'The link is not complete. Copy all of it, with everything that follows the # sign.',
    gone: 'This invitation is no longer valid: it has been used or withdrawn, or it is more than 72 hours old. Ask for another one.',
    signedIn: (email: string) => `You are signed in as ${email}.`,
    accept: 'Accept',
    signOut: 'Sign out',
    newText: 'Choose a password for your new account.',
    name: 'Name',
    nameHint: 'Without one, the first part of your e-mail address',
    create: 'Create the account and accept',
    oidc: 'Accept with your organization’s sign-in',
    hasAccount: 'I already have an account',
    isNew: 'I have no account yet',
    knownText: 'Sign in with the e-mail address to which the invitation was sent.',
    known: 'The invited e-mail address already has an account. Sign in to accept.',
    mustChange: 'Choose your own password first, and then open the link of the invitation again.',
    toPassword: 'Choose a password',
    toStart: 'Go to the start page',
  },
  de: {
    title: 'Einladung annehmen',
    incomplete:
      'Der Link ist nicht vollständig. Kopieren Sie ihn ganz, mit allem, was auf das Zeichen # folgt.',
    gone: 'Diese Einladung gilt nicht mehr: Sie wurde bereits verwendet oder zurückgezogen, oder sie ist älter als 72 Stunden. Bitten Sie um eine neue.',
    signedIn: (email: string) => `Sie sind als ${email} angemeldet.`,
    accept: 'Annehmen',
    signOut: 'Abmelden',
    newText: 'Wählen Sie ein Passwort für Ihr neues Konto.',
    name: 'Name',
    nameHint: 'Ohne Angabe der erste Teil Ihrer E-Mail-Adresse',
    create: 'Konto erstellen und annehmen',
    oidc: 'Über Ihre Organisation annehmen',
    hasAccount: 'Ich habe bereits ein Konto',
    isNew: 'Ich habe noch kein Konto',
    knownText: 'Melden Sie sich mit der E-Mail-Adresse an, an die die Einladung ging.',
    known:
      'Die eingeladene E-Mail-Adresse hat bereits ein Konto. Melden Sie sich an, um anzunehmen.',
    mustChange:
      'Wählen Sie zuerst ein eigenes Passwort, und öffnen Sie danach den Link der Einladung erneut.',
    toPassword: 'Passwort wählen',
    toStart: 'Zur Startseite',
  },
});
