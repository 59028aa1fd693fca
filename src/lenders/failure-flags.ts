import { Injectable } from '@nestjs/common';
import { type NewFlag, NO_PARTNER, OperatorFlags } from '../operator-flags/index.js';
import type { Tx } from '../platform/index.js';
import type { PutQuestion } from './claimed-question.js';

@Injectable()
export class FailureFlags {
  constructor(private readonly flags: OperatorFlags) {}

  async raise(tx: Tx, put: readonly PutQuestion[]): Promise<void> {
    for (const same of groupedFlags(put.flatMap(flagsOf))) {
      const last = same.at(-1)!;
      const detail = same.length > 1 ? { ...last.detail, first: same[0].detail } : last.detail;
      await this.flags.raise(tx, { ...last, detail, count: same.length });
    }
  }
}

/** Groups equal flags, in one order: replicas that raise the same flags do not deadlock. */
export function groupedFlags<Flag extends NewFlag>(flags: readonly Flag[]): Flag[][] {
  const groups = Map.groupBy(flags, ({ subjectId, kind, cause }) =>
    [subjectId, kind, ...cause].join(' '),
  );
  return [...groups.keys()].toSorted().map((name) => groups.get(name)!);
}

function flagsOf({ question, outcome }: PutQuestion): NewFlag[] {
  const { lenderCode, partnerId, subjectId, kind, reference } = question;
  const ofLender = { partnerId: NO_PARTNER, subjectId: lenderCode };
  const facts = { lenderCode, kind, reference, subjectId };
  if (outcome.kind === 'GIVEN_UP') {
    // A silent lender leaves thousands of these: one flag for all.
    const detail = { ...facts, failure: outcome.failure, since: question.createdAt };
    return [{ ...ofLender, kind: 'LENDER_SILENT', cause: ['GIVEN_UP', kind], detail }];
  }
  if (outcome.kind !== 'FAILED' || outcome.flag === undefined) return [];
  const detail = { ...facts, failure: outcome.failure };
  // A bug here affects every question of this kind: one flag for all.
  const isOurs = outcome.flag === 'INVALID_QUESTION';
  const about = isOurs ? ofLender : { partnerId, subjectId };
  return [{ ...about, kind: outcome.flag, cause: [lenderCode, kind], detail }];
}
