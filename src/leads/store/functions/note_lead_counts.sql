-- Records the change of lead counts by a statement; a task adds it to the daily counts. A trigger also covers bulk
-- loads and manual repairs.
CREATE OR REPLACE FUNCTION note_lead_counts() RETURNS trigger LANGUAGE plpgsql SET timezone TO 'Asia/Kolkata' AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO lead_count_deltas (partner_id, loan_type, status, day, change)
    SELECT partner_id, loan_type, status, submitted_at::date, 1 FROM after;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO lead_count_deltas (partner_id, loan_type, status, day, change)
    SELECT partner_id, loan_type, status, submitted_at::date, -1 FROM before;
  ELSE
    INSERT INTO lead_count_deltas (partner_id, loan_type, status, day, change)
    SELECT changed.* FROM before AS b JOIN after AS a USING (id)
    CROSS JOIN LATERAL (VALUES
      (b.partner_id, b.loan_type, b.status, b.submitted_at::date, -1),
      (a.partner_id, a.loan_type, a.status, a.submitted_at::date, 1)) AS changed
    WHERE (a.partner_id, a.loan_type, a.status, a.submitted_at)
      IS DISTINCT FROM (b.partner_id, b.loan_type, b.status, b.submitted_at);
  END IF;
  RETURN NULL;
END
$$;
