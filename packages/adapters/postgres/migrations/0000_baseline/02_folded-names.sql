-- The functions and operator classes on which the generated column and the indexes of identities depend.

-- A label in the form in which it is searched: without case, without marks that combine with letters, and
-- with a mark (U+0001, which no label contains) before each word. So one pattern finds the beginning of a
-- word, another any part of the name.
--
-- The removed marks are those of European, Hebrew and Arabic letters, which writers omit too. The vowel
-- signs of other scripts stay: without them, words become different words. The Turkish dotless i counts as
-- a dotted one, because both have the same capital letter in one of their languages.
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

-- The characters of a folded name and its pairs of neighbors: the keys by which texts too short for a
-- trigram are found.
CREATE FUNCTION name_pairs(folded text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN ARRAY(
  SELECT DISTINCT substr(folded, n, size)
  FROM generate_series(1, char_length(folded)) AS n, generate_series(1, 2) AS size);

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
-- With it, one GIN index holds the environment and the names in it.
CREATE EXTENSION IF NOT EXISTS btree_gin WITH SCHEMA public;
