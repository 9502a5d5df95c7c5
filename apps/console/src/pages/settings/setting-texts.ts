import { defineMessages } from '../../messages/define-messages.ts';

/** The names of the settings by their keys. */
export const SETTING_NAMES = defineMessages({
  en: {
    'face.match_threshold': 'Name a face from',
    'face.auto_confirm_threshold': 'Confirm without a review from',
    'face.auto_enroll_threshold': 'New references from quality',
    'face.match_strategy': 'Compare faces with',
    'face.cluster_threshold': 'Group unknown faces from',
    'face.detection_threshold': 'Accept faces from score',
    'object.confidence_threshold': 'Accept objects from score',
    'object.class_filter': 'Classes of objects',
    'object.vocabulary': 'Vocabulary of objects',
    'webhook.url': 'Address of all events',
    'curation.undo_days': 'Undo is possible for',
    'audit.reads': 'Audit of reading',
    'system.use_gpu': 'Use the GPU',
    'system.source_max_size': 'Longest side of images',
    'system.ingest_jpeg_quality': 'JPEG quality of images',
    'system.crop_jpeg_quality': 'JPEG quality of crops',
    'system.crop_padding': 'Margin of crops',
    'system.keep_originals': 'Keep the posted files',
    'system.url_fetch_timeout_seconds': 'Time for an image address',
    'system.url_fetch_max_size_mb': 'Size behind an image address',
    'system.url_fetch_private': 'Image addresses in private networks',
    'system.import_max_bytes': 'Size of an archive',
    'system.rate_limit_per_minute': 'Requests of a key',
    'system.invitations_of_new_accounts': 'Invitations of new accounts by',
    'system.audit_retention_days': 'Audit is kept for',
  },
  de: {
    'face.match_threshold': 'Gesicht benennen ab',
    'face.auto_confirm_threshold': 'Ohne Prüfung bestätigen ab',
    'face.auto_enroll_threshold': 'Neue Referenzen ab Qualität',
    'face.match_strategy': 'Gesichter vergleichen mit',
    'face.cluster_threshold': 'Unbekannte gruppieren ab',
    'face.detection_threshold': 'Gesichter annehmen ab Wert',
    'object.confidence_threshold': 'Objekte annehmen ab Wert',
    'object.class_filter': 'Klassen von Objekten',
    'object.vocabulary': 'Vokabular der Objekte',
    'webhook.url': 'Adresse aller Ereignisse',
    'curation.undo_days': 'Rückgängig möglich für',
    'audit.reads': 'Protokoll auch des Lesens',
    'system.use_gpu': 'GPU benutzen',
    'system.source_max_size': 'Längste Seite von Bildern',
    'system.ingest_jpeg_quality': 'JPEG-Qualität von Bildern',
    'system.crop_jpeg_quality': 'JPEG-Qualität von Ausschnitten',
    'system.crop_padding': 'Rand von Ausschnitten',
    'system.keep_originals': 'Gesendete Dateien behalten',
    'system.url_fetch_timeout_seconds': 'Zeit für eine Bildadresse',
    'system.url_fetch_max_size_mb': 'Größe hinter einer Bildadresse',
    'system.url_fetch_private': 'Bildadressen in privaten Netzen',
    'system.import_max_bytes': 'Größe eines Archivs',
    'system.rate_limit_per_minute': 'Anfragen eines Schlüssels',
    'system.invitations_of_new_accounts': 'Einladungen neuer Konten durch',
    'system.audit_retention_days': 'Protokoll wird aufbewahrt für',
  },
});

/** Sentences about the settings by their keys. */
export const SETTING_DESCRIPTIONS = defineMessages({
  en: {
    'face.match_threshold':
      'The similarity from which the service names a face. Lower values name more faces, and more of them wrongly.',
    'face.auto_confirm_threshold': 'The similarity from which a named face needs no review.',
    'face.auto_enroll_threshold':
      'The quality from which a face that was confirmed without a review becomes a reference of its person. 0 switches this off.',
    'face.match_strategy':
      'Whether a face is compared with the closest reference of a person, or with the mean of all.',
    'face.cluster_threshold':
      'The similarity from which unknown faces form a group. Higher values make more and smaller groups.',
    'face.detection_threshold':
      'The score of the detector from which a detection counts as a face.',
    'object.confidence_threshold':
      'The score of the detector from which a detection counts as an object.',
    'object.class_filter':
      'The classes that are detected, one per line. An empty list means all. Open-vocabulary models ignore it.',
    'object.vocabulary':
      'Objects that open-vocabulary models detect, in plain language, one per line.',
    'webhook.url':
      'Receives every event of the environment. Empty for none. Further addresses are on the page Webhooks.',
    'curation.undo_days':
      'For so many days changes can be taken back, and deleted records and files are kept. 0 keeps nothing.',
    'audit.reads': 'Whether the audit also has requests that only read.',
    'system.use_gpu': 'Whether models run on the GPU if the machine has one.',
    'system.source_max_size': 'Larger images are scaled down before they are stored.',
    'system.ingest_jpeg_quality': 'The quality of stored images.',
    'system.crop_jpeg_quality': 'The quality of crops of faces and objects.',
    'system.crop_padding':
      'The margin on each side, as a share of the width and height of the box.',
    'system.keep_originals': 'Whether posted files are kept in addition to the stored images.',
    'system.url_fetch_timeout_seconds':
      'The time within which the service must have fetched an image from an address.',
    'system.url_fetch_max_size_mb':
      'The size of an image behind an address in MB of 1,048,576 bytes. The limit of an image applies as well.',
    'system.url_fetch_private':
      'Whether image addresses may lead into a private network or to the machine of the service.',
    'system.import_max_bytes': 'The size of an archive that is imported.',
    'system.rate_limit_per_minute':
      'Requests that a key may send to one process of the API per minute. 0 means any number.',
    'system.invitations_of_new_accounts':
      'Whose invitations may create accounts. Others then invite people who have an account.',
    'system.audit_retention_days': 'Older entries of the audit are deleted. 0 keeps all.',
  },
  de: {
    'face.match_threshold':
      'Die Ähnlichkeit, ab der der Dienst ein Gesicht benennt. Kleinere Werte benennen mehr Gesichter, davon mehr falsch.',
    'face.auto_confirm_threshold':
      'Die Ähnlichkeit, ab der ein benanntes Gesicht keine Prüfung braucht.',
    'face.auto_enroll_threshold':
      'Die Qualität, ab der ein ohne Prüfung bestätigtes Gesicht zur Referenz seiner Person wird. 0 schaltet das ab.',
    'face.match_strategy':
      'Ob ein Gesicht mit der nächsten Referenz einer Person verglichen wird oder mit dem Mittel aller.',
    'face.cluster_threshold':
      'Die Ähnlichkeit, ab der unbekannte Gesichter eine Gruppe bilden. Größere Werte ergeben mehr und kleinere Gruppen.',
    'face.detection_threshold': 'Der Wert des Detektors, ab dem ein Fund als Gesicht gilt.',
    'object.confidence_threshold': 'Der Wert des Detektors, ab dem ein Fund als Objekt gilt.',
    'object.class_filter':
      'Die Klassen, die erkannt werden, eine je Zeile. Eine leere Liste heißt alle. Modelle mit offenem Vokabular beachten sie nicht.',
    'object.vocabulary':
      'Objekte, die Modelle mit offenem Vokabular erkennen, in einfachen Worten, eines je Zeile.',
    'webhook.url':
      'Erhält jedes Ereignis der Umgebung. Leer für keine. Weitere Adressen stehen auf der Seite Webhooks.',
    'curation.undo_days':
      'So viele Tage lassen sich Änderungen zurücknehmen, und Gelöschtes wird aufbewahrt. 0 bewahrt nichts auf.',
    'audit.reads': 'Ob auch Anfragen im Protokoll stehen, die nur lesen.',
    'system.use_gpu': 'Ob Modelle auf der GPU laufen, wenn die Maschine eine hat.',
    'system.source_max_size': 'Größere Bilder werden vor dem Speichern verkleinert.',
    'system.ingest_jpeg_quality': 'Die Qualität gespeicherter Bilder.',
    'system.crop_jpeg_quality': 'Die Qualität der Ausschnitte von Gesichtern und Objekten.',
    'system.crop_padding': 'Der Rand je Seite, als Anteil der Breite und Höhe des Rahmens.',
    'system.keep_originals':
      'Ob die gesendeten Dateien zusätzlich zu den gespeicherten Bildern bleiben.',
    'system.url_fetch_timeout_seconds':
      'Die Zeit, in der der Dienst ein Bild von einer Adresse geholt haben muss.',
    'system.url_fetch_max_size_mb':
      'Die Größe eines Bildes hinter einer Adresse in MB zu 1.048.576 Bytes. Die Grenze eines Bildes gilt auch.',
    'system.url_fetch_private':
      'Ob Bildadressen in ein privates Netz oder zur Maschine des Dienstes führen dürfen.',
    'system.import_max_bytes': 'Die Größe eines Archivs, das importiert wird.',
    'system.rate_limit_per_minute':
      'Anfragen, die ein Schlüssel je Minute an einen Prozess der API senden darf. 0 heißt beliebig viele.',
    'system.invitations_of_new_accounts':
      'Wessen Einladungen Konten anlegen dürfen. Andere laden dann Personen ein, die ein Konto haben.',
    'system.audit_retention_days': 'Ältere Einträge des Protokolls werden gelöscht. 0 behält alle.',
  },
});
