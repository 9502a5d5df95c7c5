-- The functions and operator classes that the generated column of identities and its indexes use.

-- Folds a label into the form that searches compare: without case and combining marks, and with the character
-- U+0001 (which no label contains) before each word. A pattern with U+0001 finds the beginning of a word, a
-- pattern without it any part of the name.
--
-- Only marks of European, Hebrew and Arabic letters are removed, because writers often omit them. Vowel signs
-- of other scripts stay, because words without them become different words. The Turkish dotless i is folded
-- to i, because the two letters share a capital letter.
CREATE FUNCTION folded_name(label text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN E'\x01' || regexp_replace(
  translate(
    casefold(
      normalize(
        regexp_replace(
          normalize(label, NFD),
          '[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+',
          '', 'g'),
        NFC) COLLATE "pg_unicode_fast"),
    E'ı\x01', 'i '),
  '(?<=[^[:alnum:]])([[:alnum:]])', E'\x01\\1', 'g');

-- Returns the single characters and the pairs of adjacent characters of a folded name. Searches use these
-- keys for texts that are too short for a trigram.
CREATE FUNCTION name_pairs(folded text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN ARRAY(
  SELECT DISTINCT substr(folded, n, size)
  FROM generate_series(1, char_length(folded)) AS n, generate_series(1, 2) AS size);

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
-- This extension allows one GIN index over the environment and its names.
CREATE EXTENSION IF NOT EXISTS btree_gin WITH SCHEMA public;
