import { counted } from '../../messages/counted.ts';
import { defineMessages } from '../../messages/define-messages.ts';

export const UPLOAD_MESSAGES = defineMessages({
  en: {
    title: 'Upload',
    drop: 'Drop photos or folders here, or paste a picture',
    files: 'Choose photos',
    folder: 'Choose a folder',
    detect: 'Find',
    detectAll: 'Faces and objects',
    detectFaces: 'Faces',
    detectObjects: 'Objects',
    names: 'Store file names as external references',
    progress: (done: string, total: string) => `${done} of ${total} stored`,
    failed: (count: string) => `${count} failed`,
    pause: 'Pause',
    resume: 'Go on',
    retry: 'Send the failed ones again',
    clear: 'Remove the stored ones from the list',
    list: 'Photos',
    waiting: 'waiting',
    sending: 'sending',
    stored: (faces: string, objects: string) =>
      `${counted(faces, 'face', 'faces')}, ${counted(objects, 'object', 'objects')}`,
    known: 'was stored already',
    noPicture: 'This file is no picture in a format that the service reads.',
    empty: (most: string, formats: string) =>
      `Each photo may have ${most}. These formats are read: ${formats}. Photos that are stored already are not stored again.`,
  },
  de: {
    title: 'Hochladen',
    drop: 'Legen Sie Fotos oder Ordner hier ab, oder fügen Sie ein Bild ein',
    files: 'Fotos auswählen',
    folder: 'Ordner auswählen',
    detect: 'Suchen',
    detectAll: 'Gesichter und Objekte',
    detectFaces: 'Gesichter',
    detectObjects: 'Objekte',
    names: 'Dateinamen als externe Referenz speichern',
    progress: (done: string, total: string) => `${done} von ${total} gespeichert`,
    failed: (count: string) => `${count} gescheitert`,
    pause: 'Anhalten',
    resume: 'Weiter',
    retry: 'Die gescheiterten noch einmal senden',
    clear: 'Die gespeicherten aus der Liste entfernen',
    list: 'Fotos',
    waiting: 'wartet',
    sending: 'wird gesendet',
    stored: (faces: string, objects: string) =>
      `${counted(faces, 'Gesicht', 'Gesichter')}, ${counted(objects, 'Objekt', 'Objekte')}`,
    known: 'war schon gespeichert',
    noPicture: 'Diese Datei ist kein Bild in einem Format, das der Dienst liest.',
    empty: (most: string, formats: string) =>
      `Ein Foto darf ${most} haben. Diese Formate werden gelesen: ${formats}. Fotos, die schon gespeichert sind, werden nicht noch einmal gespeichert.`,
  },
});
