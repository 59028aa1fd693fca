import type { Checks } from './checks.ts';
import type { Kit } from './loan/kit.ts';

/**
 * When a case runs. `BESIDE`: from the start, side by side with the others. `LAST`: after them, since it judges
 * what they have seen. `RESTART`: after everything else, since the lender is restarted for it.
 */
export type Phase = 'BESIDE' | 'USUAL' | 'LAST' | 'RESTART';

export interface Case {
  /** `RLP-001`; a number is never given to another rule. */
  readonly id: string;
  readonly group: string;
  readonly title: string;
  /** The protocol's rule that it holds. */
  readonly rule: string;
  readonly phase: Phase;
  /** @throws NotRun when what it needs is not there */
  readonly run: (kit: Kit, check: Checks) => Promise<void>;
}

export type CaseStatus = 'PASSED' | 'FAILED' | 'NOT_RUN';

/** What was expected, and what was seen. */
export interface Finding {
  readonly holds: boolean;
  readonly expected: string;
  readonly seen: string;
}

export interface CaseResult {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly rule: string;
  readonly status: CaseStatus;
  readonly findings: readonly Finding[];
  /** Why it was not run. */
  readonly why: string | null;
  readonly seconds: number;
}

/** A case that could not be tried is neither passed nor failed. */
export class NotRun extends Error {}

type CaseParts = Pick<Case, 'id' | 'title' | 'rule' | 'run'> & { readonly phase?: Phase };

export function casesOf(group: string, parts: readonly CaseParts[]): readonly Case[] {
  return parts.map((part) => ({ phase: 'USUAL' as const, ...part, group }));
}
