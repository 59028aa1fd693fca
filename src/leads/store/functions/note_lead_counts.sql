-- Notes what a statement changes of the leads; the leads' counts follow from it. By triggers, so that
-- whoever writes applications, be it by hand, cannot make the counts wrong. They work on whole
-- statements: a bulk load notes its leads in one go.
CREATE OR REPLACE FUNCTION note_lead_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO lead_count_deltas (partner_id, loan_type, status, submitted_at, lead_id, change)
    SELECT partner_id, loan_type, status, submitted_at, id, 1 FROM after;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO lead_count_deltas (partner_id, loan_type, status, submitted_at, lead_id, change)
    SELECT partner_id, loan_type, status, submitted_at, id, -1 FROM before;
  ELSE
    INSERT INTO lead_count_deltas (partner_id, loan_type, status, submitted_at, lead_id, change)
    SELECT changed.* FROM before AS b JOIN after AS a USING (id)
    CROSS JOIN LATERAL (VALUES
      (b.partner_id, b.loan_type, b.status, b.submitted_at, b.id, -1),
      (a.partner_id, a.loan_type, a.status, a.submitted_at, a.id, 1)) AS changed
    WHERE (a.partner_id, a.loan_type, a.status, a.submitted_at)
      IS DISTINCT FROM (b.partner_id, b.loan_type, b.status, b.submitted_at);
  END IF;
  RETURN NULL;
END
$$;
