-- Appends an audit row to its subject's chain. The trigger is deferred, so that the chain is locked last and only
-- briefly.
-- Arguments: the subject's column, the sealed columns, the omitted columns.
CREATE OR REPLACE FUNCTION chain_audit_row() RETURNS trigger
LANGUAGE plpgsql SET timezone TO 'UTC' AS $$
DECLARE
  whole jsonb := to_jsonb(NEW);
BEGIN
  PERFORM append_audit_entry(whole ->> TG_ARGV[0], TG_OP, TG_TABLE_NAME,
    audit_row(whole, TG_ARGV[1]::text[], TG_ARGV[2]::text[]));
  RETURN NULL;
END
$$;
