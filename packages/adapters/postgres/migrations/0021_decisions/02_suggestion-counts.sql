-- The identities that are the best suggestion of faces in the review queue, with the number of these faces and their
-- highest and lowest similarity. One scan of the index `suggested_faces_of_identity`, in its order, needs no rows of the
-- table and no memory. The planner would read the whole table, and check the environment of each row.
CREATE FUNCTION suggestion_counts(suggesting_model bigint, least_similarity float8)
RETURNS TABLE (id bigint, count bigint, best float8, worst float8)
LANGUAGE plpgsql STABLE
SET search_path = public, pg_temp
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_hashagg = off
AS $$
BEGIN
  RETURN QUERY
    SELECT f.identity_id, count(*), max(f.similarity), min(f.similarity) FROM suggested_faces f
    WHERE f.model_id = suggesting_model AND f.similarity >= least_similarity
    GROUP BY f.identity_id;
END
$$;
REVOKE ALL ON FUNCTION suggestion_counts(bigint, float8) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION suggestion_counts(bigint, float8) TO sightline_app;
