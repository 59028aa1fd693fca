import { describe, expect, it } from 'vitest';
import type { Tx } from '../platform/index.js';
import type { ExactDetail, FlagKind } from './flag-catalogue.js';
import { FLAG_CATALOGUE } from './flag-catalogue.js';
import type { OperatorFlags } from './store/operator-flags.js';

const exact = <Kind extends FlagKind, Detail extends object>(
  _kind: Kind,
  detail: ExactDetail<Kind, Detail>,
) => detail;

describe('the catalogue of flags', () => {
  it('has no field named first: the facts of the first time are there', () => {
    for (const { fields } of Object.values(FLAG_CATALOGUE)) expect(fields).not.toContain('first');
  });

  it('lets no flag compile that has a field of another kind, as `npm run types` sees', () => {
    const detail = { from: 'a day' };
    exact('PARTITION_MISSING', detail);
    // @ts-expect-error AUDIT_NOT_CLOSED has no such field
    exact('AUDIT_NOT_CLOSED', detail);
    const flag = { partnerId: '-', subjectId: 'audit', cause: [], detail };
    const raised = (flags: OperatorFlags, tx: Tx) => [
      flags.raise(tx, { ...flag, kind: 'PARTITION_MISSING' }),
      // @ts-expect-error the same
      flags.raise(tx, { ...flag, kind: 'AUDIT_NOT_CLOSED' }),
    ];
    expect(raised).toBeTypeOf('function');
  });
});
