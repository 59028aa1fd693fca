import type { Mutant } from './mutant.ts';

const RECORDING = ['test/e2e/request-log/recording.spec.ts'];
const PAGES = ['test/e2e/request-log/pages.spec.ts'];
const UPKEEP = ['test/e2e/request-log/upkeep.isolated.spec.ts'];
const PATHS = ['src/request-log/logged-path.spec.ts'];
const WRITER = 'src/request-log/request-log-writer.ts';
const WRITING = ['src/request-log/request-log-writer.spec.ts'];
const STATEMENT = 'src/request-log/store/requests-statement.ts';

/** What partners see of their calls. */
export const REQUEST_LOG: readonly Mutant[] = [
  {
    id: 'calls-of-every-partner',
    rule: 'A page of calls holds the partner’s own',
    file: STATEMENT,
    find: 'const found = [`partner_id = ${bind(partnerId)}`];',
    replace: "const found = [`partner_id <> ${bind(partnerId)} || '.'`];",
    specs: PAGES,
  },
  {
    id: 'call-of-another-partner',
    rule: 'Another partner’s call is not found by its id',
    file: STATEMENT,
    find: 'const found = `partner_id = ${bind(partnerId)} AND ${hasId(id, bind)}`;',
    replace: "const found = `partner_id <> ${bind(partnerId)} || '.' AND ${hasId(id, bind)}`;",
    specs: PAGES,
  },
  {
    id: 'path-as-called',
    rule: 'In the place of an id the log keeps nothing but ids of ours',
    file: 'src/request-log/logged-path.ts',
    find: 'if (!ID.test(given)) return segment;',
    replace: 'if (!ID.test(given)) return given;',
    specs: [...PATHS, ...RECORDING],
  },
  {
    id: 'query-as-called',
    rule: 'The log keeps no value of a query that may be anything',
    file: 'src/request-log/logged-path.ts',
    find: 'isSafe(value, words) ? value : MASK',
    replace: 'words ? value : MASK',
    specs: [...PATHS, ...RECORDING],
  },
  {
    id: 'log-without-bounds',
    rule: 'What waits for the log has a bound',
    file: WRITER,
    find: 'const MAX_WAITING = 20_000;',
    replace: 'const MAX_WAITING = 20_000_000;',
    specs: WRITING,
  },
  {
    id: 'refused-calls-take-all-the-room',
    rule: 'Calls of unknown senders drive out nobody’s',
    file: WRITER,
    find: 'request.isAuthenticated ? MAX_WAITING : MAX_WAITING_UNKNOWN',
    replace: 'MAX_WAITING',
    specs: WRITING,
  },
  {
    id: 'lost-answer-drops-the-batch',
    rule: 'A batch whose answer was lost is in the log once, and nothing beside it is lost',
    file: WRITER,
    find: '(isFirst',
    replace: '(isFirst || requests.length > 0',
    specs: WRITING,
  },
  {
    id: 'one-refused-call-drops-its-batch',
    rule: 'A call that the database refuses is dropped alone',
    file: WRITER,
    find: 'if (requests.length > 1 && batch.splits',
    replace: 'if (requests.length < 1 && batch.splits',
    specs: [...WRITING, ...UPKEEP],
  },
  {
    id: 'splits-without-a-bound',
    rule: 'A batch of refused calls costs a bounded number of statements',
    file: WRITER,
    find: 'const MAX_SPLITS = 100;',
    replace: 'const MAX_SPLITS = 100_000;',
    specs: WRITING,
  },
  {
    id: 'days-without-a-table-are-lost',
    rule: 'A table that is made late takes over what came before it',
    file: 'src/partitions/store/partitions.repository.ts',
    find: 'const moved = await tx.execute(movedTo(table, name), ends);',
    replace: 'const moved = ends.length - 2;',
    specs: [...UPKEEP, 'test/e2e/webhooks/history.isolated.spec.ts'],
  },
  {
    id: 'a-day-of-the-log-too-few',
    rule: 'A day’s table stays until all of it is over seven days old',
    file: 'src/request-log/store/partner-requests.repository.ts',
    find: 'const REQUEST_LOG_DAYS = 7;',
    replace: 'const REQUEST_LOG_DAYS = 6;',
    specs: UPKEEP,
  },
];
