-- The rows that are there already, on the days that they name. No row names the day of its last decision, so decisions and
-- enrollments count from this migration on.
INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
  SELECT environment_id, 'day.images', day_of(uploaded_at), 0, count(*) FROM source_images GROUP BY 1, 3
  UNION ALL
  SELECT environment_id, 'day.' || type || 's', day_of(detected_at), 0, count(*) FROM detections GROUP BY 1, 2, 3;
