import type { LenderQuestion } from './lender-port.js';

/** A question's kind, as its id and the metrics have it. */
export type CallKind = LenderQuestion['kind'] | 'QUOTE' | 'SELECTION' | 'ACCOUNT' | 'SESSION';

/** The id under which a lender is asked: on the wire, in the log, and however often the question is put. */
export function questionId(subjectId: string, kind: CallKind, reference: string): string {
  return `${subjectId}:${kind}:${reference}`;
}
