-- Every release works without the indexes and the function that this migration replaces: none of them is named by code.
UPDATE installation SET least_release = '0.1.0';
