-- Has a row of an audit join the chain of its subject. By deferred triggers, so that the chain is the last
-- thing that a transaction locks, and for as long as its commit takes.
-- Arguments: the subject's column, the sealed columns, those that are left out.
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
