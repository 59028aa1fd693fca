import { expect, it } from 'vitest';
import { faultsOfDays } from './root-verification.js';

const TODAY = '2026-11-20';

it.each<[days: string[], hasOldEntries: boolean, ...faults: (readonly [string, string])[]]>([
  [[], false],
  [['2026-11-18', '2026-11-19'], true],
  [[], true, ['the roots', 'there are none: later roots were removed, or none was signed']],
  [
    ['2026-11-17'],
    true,
    ['root 1 of 2026-11-17', 'it is the last root: later roots were removed, or none was signed'],
  ],
  [['2026-11-17', '2026-11-19'], true, ['the root of 2026-11-18', 'it is missing']],
  [
    ['2026-11-20'],
    true,
    ['root 1 of 2026-11-20', 'its day is not over: the clock of the signing replica was ahead'],
  ],
])(
  'on 20 November roots of %j, with older entries %s, have the faults %j',
  (days, hasOldEntries, ...faults) => {
    const roots = days.map((day, index) => ({ number: index + 1, day }));
    const found = faultsOfDays(roots, { today: TODAY, hasOldEntries });
    expect(found.map(({ subjectId, what }) => [subjectId, what])).toEqual(faults);
  },
);
