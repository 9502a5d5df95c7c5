const words = (text: string) => text.trim().split(/\s+/);

export const FIRST_NAMES = words(`
  Ada Adèle Aisha Alejandro Alice Amélie Ana André Anna Anne-Marie Antonín Åsa Aylin Beatriz Björn
  Bronisława Carlos Chloé Christian Chiara Claire Dániel Daria David Diego Dmitri Elif Elena Élodie Emil Emma
  Esra Eva Fatima Felix François Freya Gabriel Giulia Grace Günther Hanna Håkon Helena Hiroshi Ibrahim İpek
  Ingrid Isabel Ivan Jakub James Jana Jean Jonas José Julia Jürgen Kaito Karin Kateřina Kofi Lars Laura Léa
  Leila Liam Linh Louis Lucía Luka Magda Maja Malik María Marco Marta Mehmet Mia Michał Mohammed Nadia Naoko
  Niamh Nikolai Nina Noah Nuria Ola Olivia Omar Óscar Paolo Petra Pierre Priya Rafael Raquel Renée Rosa Ruben
  Salma Samuel Sara Şebnem Seán Sofia Søren Stefan Sven Tamar Thomas Tomáš Ulrike Ursula Valentina Viktor
  Wei Xiomara Yasmin Yuki Zeynep Zoë Zsófia Žofia`);

export const LAST_NAMES = words(`
  Abadi Acosta Adeyemi Aguirre Ahmed Alvarez Andersen Anderson Arslan Baker Bakker Banerjee Bauer
  Becker Bell Benoît Bernard Bianchi Björk Blanc Bonnet Brown Bruun Çelik Chavez Chen Clark Colombo Costa Cruz
  Dahl Dąbrowska Davies Delacroix Díaz Dubois Dvořák Eklund Ericsson Esposito Evans Fernández Fischer Fontaine
  Fuchs Gallo García Garnier Gómez González Green Greco Grünwald Gupta Haddad Hall Hansen Harris Hernández
  Hoffmann Horváth Hughes Ivanov Jackson Janssen Jensen Johansson Johnson Jones Kaya Keller Kelly Khan Kim
  Kowalski Krüger Kumar Lambert Larsen Lefèvre Lewis Li Lindqvist López MacDonald Mancini Martin Martínez Mayer
  Meier Mendoza Meyer Miller Møller Moore Moreau Morris Müller Murphy Nagy Nakamura Nguyen Nielsen Novák
  O'Brien O'Connor Okafor Olsen Ortiz Özdemir Papadopoulos Patel Pereira Petrov Popescu Ramos Ricci Rivera
  Roberts Rodríguez Rossi Roux Ruiz Russo Sánchez Santos Sato Schäfer Schmidt Schneider Schröder Silva Singh
  Smith Sørensen Suárez Suzuki Svoboda Szabó Takahashi Tanaka Taylor Thompson Torres Tóth Turner Vargas
  Vasquez Wagner Walker Wang Weber White Williams Wilson Wójcik Wright Yamamoto Yılmaz Young Żak Zhang
  Zimmermann`);

export const NAMES_IN_OTHER_SCRIPTS = [
  '王小明',
  '田中 さくら',
  'Ελένη Παπαδοπούλου',
  'Мария Иванова',
  'محمد علي',
  'דוד כהן',
  '김민준',
];

/** Names that are hard to search and to sort, as SQL expressions of a number `n`. */
export const HARD_NAMES = [
  `repeat('a', 150) || ' ' || n`,
  `'100% _' || n || '_ \\ ok'`,
  `'person ' || lpad(n::text, 6, '0')`,
  `'IMG_' || n || '.JPG'`,
  `'anna ' || n`,
  `'ANNA ' || n`,
  `U&'q\\0303 u\\0308\\0323 ' || n`,
  `'👩‍👧 ' || n`,
  `to_hex(n)`,
  `'''; drop table ' || n || ' --'`,
];

export const OBJECT_CLASSES = words(`
  person bicycle car motorcycle airplane bus train truck boat bird cat dog horse sheep cow elephant bear
  zebra giraffe backpack umbrella handbag tie suitcase frisbee skis snowboard kite skateboard surfboard bottle
  cup fork knife spoon bowl banana apple sandwich orange broccoli carrot pizza donut cake chair couch bed toilet
  tv laptop mouse remote keyboard microwave oven toaster sink refrigerator book clock vase scissors`);
