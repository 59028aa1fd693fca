import { sha256 } from '../crypto/sha256.js';

/** Far more than there are: a statement whose text has no end of forms must not fill the server's memory. */
const MAX_NAMES = 500;
const LENGTH = 24;

const names = new Map<string, string>();

/** The name under which a connection keeps a statement; null for one more than there may be. */
export function statementName(sql: string): string | null {
  const known = names.get(sql);
  if (known !== undefined) return known;
  if (names.size >= MAX_NAMES) return null;
  const name = sha256(sql).slice(0, LENGTH);
  names.set(sql, name);
  return name;
}
