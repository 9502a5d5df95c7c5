-- Every release works with the index that takes the place of the one with the same name.
UPDATE installation SET least_release = '0.1.0';
