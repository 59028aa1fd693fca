import { sha256 } from '../../platform/index.js';
import type { AuditSource, RecordedRow, ToldRow } from '../audit-source.js';
import { type ChainEntry, readEntry } from '../audit-chain.js';

const INDIA = new Intl.DateTimeFormat('en-IN', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'Asia/Kolkata',
});

export function storyOf(
  entries: readonly ChainEntry[],
  byTable: ReadonlyMap<string, AuditSource>,
): string[] {
  return entries
    .flatMap(({ entry, position }) => {
      const said = readEntry(entry);
      const source = said && byTable.get(said.source);
      if (!said || !source) return [];
      const text = source.tell(told(said.row), said.event);
      return [{ at: Date.parse(said.at), position, text }];
    })
    .toSorted((one, other) => one.at - other.at || one.position - other.position)
    .map(({ at, position, text }) => `${INDIA.format(at)} IST  ${text}  [entry ${position}]`);
}

export function storyHash(story: readonly string[]): string {
  return sha256(story.join('\n'));
}

function told(row: RecordedRow): ToldRow {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([, value]) => value !== null)
      .map(([column, value]) => [
        column,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
  );
}
