import { defineMessages } from '../../messages/define-messages.ts';

export const START_MESSAGES = defineMessages({
  en: {
    title: 'Create your first environment',
    text: 'Your account is not a member of any environment yet. An environment has its own people, photos, settings and keys, and you own the one that you create.',
    invitation: (email: string) =>
      `To work in one that exists, ask its owner to invite ${email}, and then reload this page.`,
    create: 'Create',
    password: 'Change the password',
    signOut: 'Sign out',
  },
  de: {
    title: 'Erstellen Sie Ihre erste Umgebung',
    text: 'Ihr Konto ist noch nicht Mitglied einer Umgebung. Eine Umgebung hat eigene Personen, Fotos, Einstellungen und Schlüssel. Die Umgebung, die Sie erstellen, gehört Ihnen.',
    invitation: (email: string) =>
      `Um in einer vorhandenen zu arbeiten, bitten Sie deren Eigentümer, ${email} einzuladen. Laden Sie danach diese Seite neu.`,
    create: 'Erstellen',
    password: 'Passwort ändern',
    signOut: 'Abmelden',
  },
});
