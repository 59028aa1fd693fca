-- The trigger of tables that are only ever added to: no statement changes what they say, by mistake or in
-- passing. Their owner can switch it off; what is then changed, the chain of the audit shows. A table that says
-- nothing may be emptied.
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
