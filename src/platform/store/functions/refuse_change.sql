-- The trigger of tables that are only ever added to: what they say was so stays as it was said, also for
-- whoever holds the service's own database role.
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are never changed or deleted', TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation';
END
$$;
