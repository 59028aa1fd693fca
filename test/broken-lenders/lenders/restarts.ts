import type { BrokenLender } from './broken-lender.ts';

export const RESTARTS: readonly BrokenLender[] = [
  {
    name: 'forgets at a restart what it answered',
    fails: ['RLP-190'],
    atRestart: `DELETE FROM questions WHERE verdict IS NOT NULL;
      DELETE FROM selections; DELETE FROM withdrawals`,
  },
  {
    name: 'forgets at a restart which jti it saw',
    fails: ['RLP-191'],
    atRestart: 'DELETE FROM seen_jtis',
  },
  {
    name: 'forgets at a restart what it has to decide',
    fails: ['RLP-192'],
    // The last requested payout is the pending one, unless it was decided during shutdown.
    atRestart: `
      UPDATE questions SET verdict = NULL, asked_at = '2099-01-01T00:00:00.000Z'
        WHERE rowid = (SELECT max(rowid) FROM questions WHERE call = 'disbursements');
      DELETE FROM loans`,
  },
  {
    name: 'forgets at a restart what it has to tell',
    fails: ['RLP-193'],
    atRestart: 'DELETE FROM messages',
  },
];
