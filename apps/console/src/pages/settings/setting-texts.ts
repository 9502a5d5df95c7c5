import { defineMessages } from '../../messages/define-messages.ts';

/** The names of the settings by their keys. */
export const SETTING_NAMES = defineMessages({
  en: {
    'face.match_threshold': 'Name a face from',
    'face.auto_confirm_threshold': 'Confirm without review from',
    'face.auto_enroll_threshold': 'New references from quality',
    'face.match_strategy': 'Compare faces with',
    'face.cluster_threshold': 'Group unknown faces from',
    'face.detection_threshold': 'Accept faces from score',
    'face.upright': 'Search turned photos',
    'object.confidence_threshold': 'Accept objects from score',
    'object.class_filter': 'Classes of objects',
    'object.vocabulary': 'Vocabulary of objects',
    'webhook.url': 'Address for all events',
    'curation.undo_days': 'Undo is possible for',
    'audit.reads': 'Audit of reading',
    'system.use_gpu': 'Use the GPU',
    'system.source_max_size': 'Longest side of images',
    'system.ingest_jpeg_quality': 'JPEG quality of images',
    'system.crop_jpeg_quality': 'JPEG quality of crops',
    'system.crop_padding': 'Margin of crops',
    'system.keep_originals': 'Keep the posted files',
    'system.url_fetch_timeout_seconds': 'Time limit for an image address',
    'system.url_fetch_max_size_mb': 'Size limit for an image address',
    'system.url_fetch_private': 'Image addresses in private networks',
    'system.import_max_bytes': 'Size limit of an archive',
    'system.rate_limit_per_minute': 'Rate limit of a key',
    'system.invitations_of_new_accounts': 'New accounts may be invited by',
    'system.audit_retention_days': 'Audit is kept for',
  },
  de: {
    'face.match_threshold': 'Gesicht benennen ab',
    'face.auto_confirm_threshold': 'Ohne Prüfung bestätigen ab',
    'face.auto_enroll_threshold': 'Neue Referenzen ab Qualität',
    'face.match_strategy': 'Gesichter vergleichen mit',
    'face.cluster_threshold': 'Unbekannte gruppieren ab',
    'face.detection_threshold': 'Gesichter annehmen ab Konfidenz',
    'face.upright': 'Gedrehte Fotos durchsuchen',
    'object.confidence_threshold': 'Objekte annehmen ab Konfidenz',
    'object.class_filter': 'Objektklassen',
    'object.vocabulary': 'Objektvokabular',
    'webhook.url': 'Adresse für alle Ereignisse',
    'curation.undo_days': 'Rückgängig möglich für',
    'audit.reads': 'Lesezugriffe protokollieren',
    'system.use_gpu': 'GPU verwenden',
    'system.source_max_size': 'Längste Seite von Bildern',
    'system.ingest_jpeg_quality': 'JPEG-Qualität von Bildern',
    'system.crop_jpeg_quality': 'JPEG-Qualität von Ausschnitten',
    'system.crop_padding': 'Rand von Ausschnitten',
    'system.keep_originals': 'Gesendete Dateien behalten',
    'system.url_fetch_timeout_seconds': 'Zeitlimit für Bildadressen',
    'system.url_fetch_max_size_mb': 'Größenlimit für Bildadressen',
    'system.url_fetch_private': 'Bildadressen in privaten Netzen',
    'system.import_max_bytes': 'Größenlimit für Archive',
    'system.rate_limit_per_minute': 'Anfragelimit pro Schlüssel',
    'system.invitations_of_new_accounts': 'Neue Konten einladen dürfen',
    'system.audit_retention_days': 'Protokoll aufbewahren für',
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
    'face.upright':
      'Whether a photo without a clearly upright face is also searched turned by 90, 180 and 270 degrees. This finds faces in photos that lie on their side or upside down. Photos without faces take up to a quarter longer.',
    'object.confidence_threshold':
      'The score of the detector from which a detection counts as an object.',
    'object.class_filter':
      'The classes that are detected, one per line. An empty list means all. Open-vocabulary models ignore it.',
    'object.vocabulary':
      'Objects that open-vocabulary models detect, in plain language, one per line.',
    'webhook.url':
      'Receives every event of the environment. Empty for none. The Webhooks page has further addresses.',
    'curation.undo_days':
      'The number of days for which changes can be undone and deleted records and files are kept. 0 keeps nothing.',
    'audit.reads': 'Whether the audit also records requests that only read.',
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
      'The largest size of an image that is fetched from an address, in MB of 1,048,576 bytes. The general limit for images applies as well.',
    'system.url_fetch_private':
      'Whether image addresses may lead into a private network or to the machine of the service.',
    'system.import_max_bytes': 'The largest size of an archive that can be imported.',
    'system.rate_limit_per_minute':
      'Requests that a key may send to one process of the API per minute. 0 means any number.',
    'system.invitations_of_new_accounts':
      'Whose invitations may create accounts. Everyone else can only invite people who already have an account.',
    'system.audit_retention_days': 'Older entries of the audit are deleted. 0 keeps all.',
  },
  de: {
    'face.match_threshold':
      'Die Ähnlichkeit, ab der der Dienst ein Gesicht benennt. Bei niedrigeren Werten werden mehr Gesichter benannt, aber auch mehr davon falsch.',
    'face.auto_confirm_threshold':
      'Die Ähnlichkeit, ab der ein benanntes Gesicht keine Prüfung braucht.',
    'face.auto_enroll_threshold':
      'Die Qualität, ab der ein ohne Prüfung bestätigtes Gesicht zur Referenz seiner Person wird. 0 schaltet das ab.',
    'face.match_strategy':
      'Ob ein Gesicht mit der ähnlichsten Referenz einer Person verglichen wird oder mit dem Mittelwert aller Referenzen.',
    'face.cluster_threshold':
      'Die Ähnlichkeit, ab der unbekannte Gesichter eine Gruppe bilden. Höhere Werte ergeben mehr und kleinere Gruppen.',
    'face.detection_threshold': 'Die Konfidenz des Detektors, ab der ein Fund als Gesicht gilt.',
    'face.upright':
      'Ob ein Foto ohne eindeutig aufrechtes Gesicht auch um 90, 180 und 270 Grad gedreht durchsucht wird. Das findet Gesichter in Fotos, die auf der Seite liegen oder auf dem Kopf stehen. Fotos ohne Gesichter dauern bis zu einem Viertel länger.',
    'object.confidence_threshold': 'Die Konfidenz des Detektors, ab der ein Fund als Objekt gilt.',
    'object.class_filter':
      'Die Klassen, die erkannt werden, eine pro Zeile. Eine leere Liste bedeutet alle. Modelle mit offenem Vokabular ignorieren sie.',
    'object.vocabulary':
      'Objekte, die Modelle mit offenem Vokabular erkennen, in natürlicher Sprache, eines pro Zeile.',
    'webhook.url':
      'Erhält jedes Ereignis der Umgebung. Leer bedeutet keine. Weitere Adressen stehen auf der Seite „Webhooks“.',
    'curation.undo_days':
      'Die Zahl der Tage, in denen sich Änderungen rückgängig machen lassen und gelöschte Einträge und Dateien aufbewahrt werden. Bei 0 wird nichts aufbewahrt.',
    'audit.reads': 'Ob auch Anfragen protokolliert werden, die nur lesen.',
    'system.use_gpu': 'Ob Modelle auf der GPU laufen, sofern die Maschine eine hat.',
    'system.source_max_size': 'Größere Bilder werden vor dem Speichern verkleinert.',
    'system.ingest_jpeg_quality': 'Die Qualität gespeicherter Bilder.',
    'system.crop_jpeg_quality': 'Die Qualität der Ausschnitte von Gesichtern und Objekten.',
    'system.crop_padding': 'Der Rand auf jeder Seite als Anteil der Breite und Höhe des Rahmens.',
    'system.keep_originals':
      'Ob die gesendeten Dateien zusätzlich zu den gespeicherten Bildern aufbewahrt werden.',
    'system.url_fetch_timeout_seconds':
      'Die Zeit, in der der Dienst ein Bild von einer Adresse abgerufen haben muss.',
    'system.url_fetch_max_size_mb':
      'Die maximale Größe eines Bildes, das von einer Adresse abgerufen wird, in MB zu je 1.048.576 Byte. Die allgemeine Obergrenze für Bilder gilt zusätzlich.',
    'system.url_fetch_private':
      'Ob Bildadressen auf ein privates Netz oder auf die Maschine des Dienstes verweisen dürfen.',
    'system.import_max_bytes': 'Die maximale Größe eines Archivs, das importiert wird.',
    'system.rate_limit_per_minute':
      'Anfragen, die mit einem Schlüssel pro Minute an einen API-Prozess gesendet werden dürfen. 0 bedeutet unbegrenzt.',
    'system.invitations_of_new_accounts':
      'Wessen Einladungen neue Konten anlegen dürfen. Alle anderen können nur Personen einladen, die schon ein Konto haben.',
    'system.audit_retention_days':
      'Ältere Einträge des Protokolls werden gelöscht. Bei 0 werden alle aufbewahrt.',
  },
});
