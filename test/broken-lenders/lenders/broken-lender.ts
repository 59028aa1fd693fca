import type { Change, Draft, Json } from '../middleman.ts';

export interface BrokenLender {
  readonly name: string;
  readonly fails: readonly string[];
  readonly change?: Change;
  readonly passesUnvisitedSteps?: boolean;
  readonly atRestart?: string;
}

export type Offer = Json & { fees: Json[]; repayment: Json; rate: Json; goldValuation?: Json };

export function answers(name: string, fails: string[], answer: Change['answer']): BrokenLender {
  return { name, fails, change: { answer } };
}

export function takes(name: string, fails: string[], request: Change['request']): BrokenLender {
  return { name, fails, change: { request } };
}

export function tells(name: string, fails: string[], callback: Change['callback']): BrokenLender {
  return { name, fails, change: { callback } };
}

/** Edits only responses with a verdict. */
export const verdicts = (edit: (draft: Draft) => void) => (draft: Draft) => {
  if (draft.status === 200 || draft.status === 202) edit(draft);
};

export function fail(draft: Draft, status: number, code: string): void {
  draft.status = status;
  draft.body = { error: { code, message: 'It is not taken.' } };
}
