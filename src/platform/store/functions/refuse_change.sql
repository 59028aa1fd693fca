-- The trigger of append-only tables: it refuses every change. The owner can disable it; the audit's chain then shows
-- what changed. An empty table may be truncated.
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  has_rows boolean := true;
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    EXECUTE format('SELECT EXISTS (SELECT FROM %I)', TG_TABLE_NAME) INTO has_rows;
  END IF;
  IF has_rows THEN
    RAISE EXCEPTION 'rows of % are never changed or deleted', TG_TABLE_NAME
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END
$$;
