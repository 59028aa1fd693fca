-- A row as the chain contains it: hashes instead of sealed columns, so that an erasure keeps the chain valid. Columns
-- that change during processing are omitted.
CREATE OR REPLACE FUNCTION audit_row(whole jsonb, sealed text[], left_out text[]) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  name text;
BEGIN
  whole := whole - left_out;
  FOREACH name IN ARRAY sealed LOOP
    IF whole ->> name IS NOT NULL THEN
      whole := whole || jsonb_build_object(
        name, 'sha256:' || encode(sha256(convert_to(whole ->> name, 'UTF8')), 'hex'));
    END IF;
  END LOOP;
  RETURN whole::text;
END
$$;
