import type { Checks } from './checks.ts';
import type { Kit } from './loan/kit.ts';

/**
 * When a case runs. `BESIDE`: from the start, in parallel with the others. `LAST`: after the others, since it checks
 * their exchanges. `RESTART`: after everything else, since it restarts the lender.
 */
export type Phase = 'BESIDE' | 'USUAL' | 'LAST' | 'RESTART';

export interface Case {
  /** `RLP-001`; numbers are never reused. */
  readonly id: string;
  readonly group: string;
  readonly title: string;
  /** The protocol's rule that it checks. */
  readonly rule: string;
  readonly phase: Phase;
  /** @throws NotRun when a prerequisite is missing */
  readonly run: (kit: Kit, check: Checks) => Promise<void>;
}

export type CaseStatus = 'PASSED' | 'FAILED' | 'NOT_RUN';

/** The expected and the actual result. */
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
  /** The reason why it was not run. */
  readonly why: string | null;
  readonly seconds: number;
}

/** A case that could not run neither passes nor fails. */
export class NotRun extends Error {}

type CaseParts = Pick<Case, 'id' | 'title' | 'rule' | 'run'> & { readonly phase?: Phase };

export function casesOf(group: string, parts: readonly CaseParts[]): readonly Case[] {
  return parts.map((part) => ({ phase: 'USUAL' as const, ...part, group }));
}
